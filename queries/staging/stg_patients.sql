-- Distinct patients of completed trips, counted here so that no pseudonym leaves the store.
-- The joins are written out eight times: a CTE used more than once is materialised by SQLite, and a mart that asks for
-- one month would then read all of them.
SELECT
    c.month_text AS month,
    r.name AS region,
    y.name AS trip_type,
    CASE WHEN COUNT(DISTINCT t.patient) > 10 THEN 11 ELSE COUNT(DISTINCT t.patient) END AS patients_to_11
FROM trips t
JOIN calendar c ON c.month = t.month
LEFT JOIN regions r ON r.code = t.region
LEFT JOIN trip_types y ON y.code = t.trip_type
WHERE t.status = 0 AND t.patient IS NOT NULL
GROUP BY c.month_text, r.name, y.name
UNION ALL
SELECT
    c.month_text AS month,
    r.name AS region,
    'All' AS trip_type,
    CASE WHEN COUNT(DISTINCT t.patient) > 10 THEN 11 ELSE COUNT(DISTINCT t.patient) END AS patients_to_11
FROM trips t
JOIN calendar c ON c.month = t.month
LEFT JOIN regions r ON r.code = t.region
LEFT JOIN trip_types y ON y.code = t.trip_type
WHERE t.status = 0 AND t.patient IS NOT NULL
GROUP BY c.month_text, r.name
UNION ALL
SELECT
    c.month_text AS month,
    'All' AS region,
    y.name AS trip_type,
    CASE WHEN COUNT(DISTINCT t.patient) > 10 THEN 11 ELSE COUNT(DISTINCT t.patient) END AS patients_to_11
FROM trips t
JOIN calendar c ON c.month = t.month
LEFT JOIN regions r ON r.code = t.region
LEFT JOIN trip_types y ON y.code = t.trip_type
WHERE t.status = 0 AND t.patient IS NOT NULL
GROUP BY c.month_text, y.name
UNION ALL
SELECT
    c.month_text AS month,
    'All' AS region,
    'All' AS trip_type,
    CASE WHEN COUNT(DISTINCT t.patient) > 10 THEN 11 ELSE COUNT(DISTINCT t.patient) END AS patients_to_11
FROM trips t
JOIN calendar c ON c.month = t.month
LEFT JOIN regions r ON r.code = t.region
LEFT JOIN trip_types y ON y.code = t.trip_type
WHERE t.status = 0 AND t.patient IS NOT NULL
GROUP BY c.month_text
UNION ALL
SELECT
    'All' AS month,
    r.name AS region,
    y.name AS trip_type,
    CASE WHEN COUNT(DISTINCT t.patient) > 10 THEN 11 ELSE COUNT(DISTINCT t.patient) END AS patients_to_11
FROM trips t
JOIN calendar c ON c.month = t.month
LEFT JOIN regions r ON r.code = t.region
LEFT JOIN trip_types y ON y.code = t.trip_type
WHERE t.status = 0 AND t.patient IS NOT NULL
GROUP BY r.name, y.name
UNION ALL
SELECT
    'All' AS month,
    r.name AS region,
    'All' AS trip_type,
    CASE WHEN COUNT(DISTINCT t.patient) > 10 THEN 11 ELSE COUNT(DISTINCT t.patient) END AS patients_to_11
FROM trips t
JOIN calendar c ON c.month = t.month
LEFT JOIN regions r ON r.code = t.region
LEFT JOIN trip_types y ON y.code = t.trip_type
WHERE t.status = 0 AND t.patient IS NOT NULL
GROUP BY r.name
UNION ALL
SELECT
    'All' AS month,
    'All' AS region,
    y.name AS trip_type,
    CASE WHEN COUNT(DISTINCT t.patient) > 10 THEN 11 ELSE COUNT(DISTINCT t.patient) END AS patients_to_11
FROM trips t
JOIN calendar c ON c.month = t.month
LEFT JOIN regions r ON r.code = t.region
LEFT JOIN trip_types y ON y.code = t.trip_type
WHERE t.status = 0 AND t.patient IS NOT NULL
GROUP BY y.name
UNION ALL
SELECT
    'All' AS month,
    'All' AS region,
    'All' AS trip_type,
    CASE WHEN COUNT(DISTINCT t.patient) > 10 THEN 11 ELSE COUNT(DISTINCT t.patient) END AS patients_to_11
FROM trips t
JOIN calendar c ON c.month = t.month
LEFT JOIN regions r ON r.code = t.region
LEFT JOIN trip_types y ON y.code = t.trip_type
WHERE t.status = 0 AND t.patient IS NOT NULL
GROUP BY t.status
