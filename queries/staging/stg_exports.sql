-- The ledger: one row for each loaded export.
SELECT
    e.export_id AS export_id,
    e.sha256 AS sha256,
    e.label AS label,
    e.source AS source,
    e.supplements AS supplements,
    e.bytes AS bytes,
    e.profile_version AS profile_version,
    e.date_basis AS date_basis,
    e.loaded_at AS loaded_at_epoch_seconds,
    e.records_read AS records_read,
    e.records_skipped AS records_skipped,
    e.records_rejected AS records_rejected,
    e.copies_inside AS copies_inside,
    e.superseded_inside AS superseded_inside,
    e.records_merged AS records_merged,
    e.trips AS trips
FROM exports e
