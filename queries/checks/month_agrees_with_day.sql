-- The month of a trip is that of its day.
SELECT
    month,
    COUNT(*) AS trips
FROM stg_trips
WHERE is_day_in_month = 0
GROUP BY month
ORDER BY month
