-- How many completed trips took how many seconds: what exact percentiles are read from, on any engine.
WITH measured AS (
    SELECT month, region, trip_type, 'duration' AS measure, duration_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
    UNION ALL
    SELECT month, region, trip_type, 'response' AS measure, response_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
    UNION ALL
    SELECT month, region, trip_type, 'turnout' AS measure, turnout_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
    UNION ALL
    SELECT month, region, trip_type, 'scene' AS measure, scene_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
    UNION ALL
    SELECT month, region, trip_type, 'transport' AS measure, transport_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
    UNION ALL
    SELECT month, region, trip_type, 'turnaround' AS measure, turnaround_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
)
SELECT
    month,
    region,
    trip_type,
    measure,
    seconds,
    COUNT(*) AS trips
FROM measured
WHERE :month IS NULL OR month = :month
GROUP BY month, region, trip_type, measure, seconds
ORDER BY month, region, trip_type, measure, seconds
