-- How many completed trips took how many seconds: what exact percentiles are read from, on any engine.
WITH measured AS (
    SELECT month, region, trip_type, 'duration' AS measure, duration_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(:month, '0') AND COALESCE(:month, '9999-12')
    UNION ALL
    SELECT month, region, trip_type, 'response' AS measure, response_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(:month, '0') AND COALESCE(:month, '9999-12')
    UNION ALL
    SELECT month, region, trip_type, 'turnout' AS measure, turnout_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(:month, '0') AND COALESCE(:month, '9999-12')
    UNION ALL
    SELECT month, region, trip_type, 'scene' AS measure, scene_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(:month, '0') AND COALESCE(:month, '9999-12')
    UNION ALL
    SELECT month, region, trip_type, 'transport' AS measure, transport_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(:month, '0') AND COALESCE(:month, '9999-12')
    UNION ALL
    SELECT month, region, trip_type, 'turnaround' AS measure, turnaround_seconds AS seconds FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(:month, '0') AND COALESCE(:month, '9999-12')
)
SELECT
    month,
    region,
    trip_type,
    measure,
    seconds,
    COUNT(*) AS trips
FROM measured
GROUP BY month, region, trip_type, measure, seconds
ORDER BY month, region, trip_type, measure, seconds
