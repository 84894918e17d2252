-- Costs below zero are credits; who reads a cost per trip should know of them.
SELECT
    month,
    provider_id,
    COUNT(*) AS trips,
    SUM(cost_cents) AS cost_cents
FROM stg_trips
WHERE cost_cents < 0 AND status = 'completed'
GROUP BY month, provider_id
ORDER BY month, provider_id
