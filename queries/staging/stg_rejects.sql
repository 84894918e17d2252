-- Rejected records by reason; what they held is not in the store.
SELECT
    j.export_id AS export_id,
    j.reason AS reason,
    j.records AS records
FROM rejects j
