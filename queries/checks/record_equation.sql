-- read = trips + copies + superseded + merged + skipped + rejected, for each export by itself.
SELECT
    export_id,
    records_read,
    trips + copies_inside + superseded_inside + records_merged + records_skipped + records_rejected AS records_accounted_for
FROM stg_exports
WHERE records_read <> trips + copies_inside + superseded_inside + records_merged + records_skipped + records_rejected
    OR records_read IS NULL OR trips IS NULL OR copies_inside IS NULL OR superseded_inside IS NULL
    OR records_merged IS NULL OR records_skipped IS NULL OR records_rejected IS NULL
ORDER BY export_id
