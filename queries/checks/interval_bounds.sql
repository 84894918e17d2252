-- Seconds lie between 0 and the limit; what cannot be used says why.
WITH measured AS (
    SELECT 'duration' AS measure, export_id, duration_seconds AS seconds, duration_problem AS problem
    FROM stg_trips
    UNION ALL
    SELECT 'response' AS measure, export_id, response_seconds AS seconds, response_problem AS problem
    FROM stg_trips
    UNION ALL
    SELECT 'turnout' AS measure, export_id, turnout_seconds AS seconds, turnout_problem AS problem FROM stg_trips
    UNION ALL
    SELECT 'scene' AS measure, export_id, scene_seconds AS seconds, scene_problem AS problem FROM stg_trips
    UNION ALL
    SELECT 'transport' AS measure, export_id, transport_seconds AS seconds, transport_problem AS problem
    FROM stg_trips
    UNION ALL
    SELECT 'turnaround' AS measure, export_id, turnaround_seconds AS seconds, turnaround_problem AS problem
    FROM stg_trips
)
SELECT
    measure,
    export_id,
    COUNT(*) AS trips
FROM measured
WHERE seconds > :maximum_seconds OR problem = 'unknown'
GROUP BY measure, export_id
ORDER BY measure, export_id
