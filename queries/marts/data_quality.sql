-- Trips with each warning, by month. A trip with two warnings is counted under both. Void trips have none that count.
SELECT
    t.month AS month,
    w.code AS code,
    COUNT(*) AS trips
FROM stg_trips t
JOIN stg_warning_codes w ON (t.warnings & w.bit_value) <> 0
WHERE t.status <> 'void' AND t.month BETWEEN COALESCE(:month, '0') AND COALESCE(:month, '9999-12')
GROUP BY t.month, w.code
ORDER BY t.month, w.code
