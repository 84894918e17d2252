-- Every month with trips has a checkpoint that is up to date.
WITH used AS (
    SELECT month, COUNT(*) AS trips FROM stg_trips GROUP BY month
)
SELECT
    u.month AS month,
    u.trips AS trips,
    m.has_tally AS has_tally,
    m.is_stale AS is_stale
FROM used u
JOIN stg_months m ON m.month = u.month
WHERE m.is_stale = 1
ORDER BY u.month
