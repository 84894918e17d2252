-- Trips whose versions contradict each other: none in a sound store. Counted here, since it takes the keys.
SELECT
    t.export_id AS export_id,
    'newest_and_older' AS fault,
    COUNT(*) AS trips
FROM trips t
JOIN older_versions o ON o.key_high = t.key_high AND o.key_low = t.key_low AND o.export_id = t.export_id
GROUP BY t.export_id
UNION ALL
SELECT
    o.export_id AS export_id,
    'older_without_newest' AS fault,
    COUNT(*) AS trips
FROM older_versions o
LEFT JOIN trips t ON t.key_high = o.key_high AND t.key_low = o.key_low
WHERE t.key_high IS NULL
GROUP BY o.export_id
