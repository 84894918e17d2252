-- Every code of a trip has its name.
SELECT
    export_id,
    COUNT(*) FILTER (WHERE month IS NULL) AS without_month,
    COUNT(*) FILTER (WHERE region IS NULL) AS without_region,
    COUNT(*) FILTER (WHERE trip_type IS NULL) AS without_trip_type,
    COUNT(*) FILTER (WHERE status IS NULL) AS without_status,
    COUNT(*) FILTER (WHERE sourcing IS NULL) AS without_sourcing
FROM stg_trips
WHERE month IS NULL OR region IS NULL OR trip_type IS NULL OR status IS NULL OR sourcing IS NULL
GROUP BY export_id
ORDER BY export_id
