-- Cost by fiscal year, October to September.
SELECT
    fiscal_year,
    region,
    trip_type,
    sourcing,
    COUNT(*) AS trips,
    COUNT(cost_cents) AS costed_trips,
    COALESCE(SUM(cost_cents), 0) AS cost_cents,
    COALESCE(SUM(loaded_hundredths), 0) AS loaded_hundredths,
    COALESCE(SUM(unloaded_hundredths), 0) AS unloaded_hundredths
FROM stg_trips
WHERE status = 'completed' AND (:fiscal_year IS NULL OR fiscal_year = :fiscal_year)
GROUP BY fiscal_year, region, trip_type, sourcing
ORDER BY fiscal_year, region, trip_type, sourcing
