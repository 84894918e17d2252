-- Which rule decided how many completed trips.
SELECT
    month,
    rule_id,
    sourcing,
    COUNT(*) AS trips,
    COUNT(cost_cents) AS costed_trips,
    COALESCE(SUM(cost_cents), 0) AS cost_cents,
    COALESCE(SUM(loaded_hundredths), 0) AS loaded_hundredths,
    COALESCE(SUM(unloaded_hundredths), 0) AS unloaded_hundredths
FROM stg_trips
WHERE status = 'completed' AND month BETWEEN COALESCE(:month, '0') AND COALESCE(:month, '9999-12')
GROUP BY month, rule_id, sourcing
ORDER BY month, rule_id, sourcing
