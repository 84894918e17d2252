-- Rejects by reason add up to the ledger's count.
WITH counted AS (
    SELECT export_id, SUM(records) AS records FROM stg_rejects GROUP BY export_id
)
SELECT
    e.export_id AS export_id,
    e.records_rejected AS records_in_ledger,
    COALESCE(c.records, 0) AS records_by_reason
FROM stg_exports e
LEFT JOIN counted c ON c.export_id = e.export_id
WHERE e.records_rejected <> COALESCE(c.records, 0)
ORDER BY e.export_id
