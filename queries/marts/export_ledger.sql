-- What became of the records of each export, now that all exports are loaded.
WITH winners AS (
    SELECT export_id, COUNT(*) AS trips FROM stg_trips GROUP BY export_id
),
losers AS (
    SELECT
        export_id,
        COUNT(*) FILTER (WHERE is_copy = 1) AS copies,
        COUNT(*) FILTER (WHERE is_copy = 0) AS superseded
    FROM stg_older_versions
    GROUP BY export_id
),
parts AS (
    SELECT export_id, COUNT(*) AS parts FROM stg_trip_parts GROUP BY export_id
)
SELECT
    e.export_id AS export_id,
    e.label AS label,
    e.source AS source,
    e.supplements AS supplements,
    e.sha256 AS sha256,
    e.loaded_at_epoch_seconds AS loaded_at_epoch_seconds,
    e.records_read AS records_read,
    e.records_skipped AS records_skipped,
    e.records_rejected AS records_rejected,
    e.copies_inside AS copies_inside,
    e.superseded_inside AS superseded_inside,
    e.records_merged AS records_merged,
    COALESCE(w.trips, 0) AS trips_that_count,
    COALESCE(l.copies, 0) AS copies_of_others,
    COALESCE(l.superseded, 0) AS superseded_by_others,
    COALESCE(p.parts, 0) AS parts_of_others
FROM stg_exports e
LEFT JOIN winners w ON w.export_id = e.export_id
LEFT JOIN losers l ON l.export_id = e.export_id
LEFT JOIN parts p ON p.export_id = e.export_id
ORDER BY e.loaded_at_epoch_seconds, e.export_id
