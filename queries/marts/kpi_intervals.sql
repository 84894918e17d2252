-- Used, excluded, sum, median and 90th percentile of each interval. Percentiles are nearest rank, ceil(p * n):
-- the smallest number of seconds that at least p of the trips did not exceed, found in whole numbers.
-- Months are a range, because SQLite finds a month's trips by it and reads no others.
WITH leaf AS (
    SELECT month, region, trip_type, 'duration' AS measure, duration_seconds AS seconds, COUNT(*) AS trips
    FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(NULLIF(:month, 'All'), '0') AND COALESCE(NULLIF(:month, 'All'), '9999-12')
        AND INSTR(COALESCE(:without, ''), month) = 0
    GROUP BY month, region, trip_type, duration_seconds
    UNION ALL
    SELECT month, region, trip_type, 'response' AS measure, response_seconds AS seconds, COUNT(*) AS trips
    FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(NULLIF(:month, 'All'), '0') AND COALESCE(NULLIF(:month, 'All'), '9999-12')
        AND INSTR(COALESCE(:without, ''), month) = 0
    GROUP BY month, region, trip_type, response_seconds
    UNION ALL
    SELECT month, region, trip_type, 'turnout' AS measure, turnout_seconds AS seconds, COUNT(*) AS trips
    FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(NULLIF(:month, 'All'), '0') AND COALESCE(NULLIF(:month, 'All'), '9999-12')
        AND INSTR(COALESCE(:without, ''), month) = 0
    GROUP BY month, region, trip_type, turnout_seconds
    UNION ALL
    SELECT month, region, trip_type, 'scene' AS measure, scene_seconds AS seconds, COUNT(*) AS trips
    FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(NULLIF(:month, 'All'), '0') AND COALESCE(NULLIF(:month, 'All'), '9999-12')
        AND INSTR(COALESCE(:without, ''), month) = 0
    GROUP BY month, region, trip_type, scene_seconds
    UNION ALL
    SELECT month, region, trip_type, 'transport' AS measure, transport_seconds AS seconds, COUNT(*) AS trips
    FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(NULLIF(:month, 'All'), '0') AND COALESCE(NULLIF(:month, 'All'), '9999-12')
        AND INSTR(COALESCE(:without, ''), month) = 0
    GROUP BY month, region, trip_type, transport_seconds
    UNION ALL
    SELECT month, region, trip_type, 'turnaround' AS measure, turnaround_seconds AS seconds, COUNT(*) AS trips
    FROM stg_trips
    WHERE status = 'completed'
        AND month BETWEEN COALESCE(NULLIF(:month, 'All'), '0') AND COALESCE(NULLIF(:month, 'All'), '9999-12')
        AND INSTR(COALESCE(:without, ''), month) = 0
    GROUP BY month, region, trip_type, turnaround_seconds
),
by_month AS (
    SELECT month, region, trip_type, measure, seconds, trips
    FROM leaf
    WHERE :month IS NULL OR :month <> 'All'
    UNION ALL
    SELECT 'All' AS month, region, trip_type, measure, seconds, SUM(trips) AS trips
    FROM leaf
    WHERE :month IS NULL OR :month = 'All'
    GROUP BY region, trip_type, measure, seconds
),
sides AS (
    SELECT 0 AS all_regions, 0 AS all_types
    UNION ALL SELECT 0, 1
    UNION ALL SELECT 1, 0
    UNION ALL SELECT 1, 1
),
placed AS (
    SELECT
        by_month.month AS month,
        CASE WHEN sides.all_regions = 1 THEN 'All' ELSE by_month.region END AS region,
        CASE WHEN sides.all_types = 1 THEN 'All' ELSE by_month.trip_type END AS trip_type,
        by_month.measure AS measure,
        by_month.seconds AS seconds,
        by_month.trips AS trips
    FROM by_month
    CROSS JOIN sides
),
histogram AS (
    SELECT month, region, trip_type, measure, seconds, SUM(trips) AS trips
    FROM placed
    GROUP BY month, region, trip_type, measure, seconds
),
ranked AS (
    SELECT
        month,
        region,
        trip_type,
        measure,
        seconds,
        trips,
        SUM(trips) OVER (
            PARTITION BY month, region, trip_type, measure ORDER BY seconds
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS trips_so_far,
        SUM(trips) OVER (PARTITION BY month, region, trip_type, measure) AS used
    FROM histogram
    WHERE seconds IS NOT NULL
),
statistics AS (
    SELECT
        month,
        region,
        trip_type,
        measure,
        SUM(seconds * trips) AS sum_seconds,
        MIN(CASE WHEN trips_so_far * 100 >= used * 50 THEN seconds END) AS p50_seconds,
        MIN(CASE WHEN trips_so_far * 100 >= used * 90 THEN seconds END) AS p90_seconds
    FROM ranked
    GROUP BY month, region, trip_type, measure
),
counted AS (
    SELECT
        month,
        region,
        trip_type,
        measure,
        COALESCE(SUM(trips) FILTER (WHERE seconds IS NOT NULL), 0) AS used,
        COALESCE(SUM(trips) FILTER (WHERE seconds IS NULL), 0) AS excluded
    FROM histogram
    GROUP BY month, region, trip_type, measure
)
SELECT
    c.month AS month,
    c.region AS region,
    c.trip_type AS trip_type,
    c.measure AS measure,
    c.used AS used,
    c.excluded AS excluded,
    COALESCE(s.sum_seconds, 0) AS sum_seconds,
    s.p50_seconds AS p50_seconds,
    s.p90_seconds AS p90_seconds
FROM counted c
LEFT JOIN statistics s
    ON s.month = c.month AND s.region = c.region AND s.trip_type = c.trip_type AND s.measure = c.measure
ORDER BY c.month, c.region, c.trip_type, c.measure
