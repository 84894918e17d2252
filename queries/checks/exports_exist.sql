-- Every version in the store came from an export of the ledger.
WITH held AS (
    SELECT export_id FROM stg_trips
    UNION ALL
    SELECT export_id FROM stg_older_versions
    UNION ALL
    SELECT export_id FROM stg_trip_parts
)
SELECT
    h.export_id AS export_id,
    COUNT(*) AS versions
FROM held h
LEFT JOIN stg_exports e ON e.export_id = h.export_id
WHERE e.export_id IS NULL
GROUP BY h.export_id
ORDER BY h.export_id
