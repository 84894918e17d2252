-- Each trip of an export is the version that counts, an older one, or a part of another source's trip.
WITH held AS (
    SELECT export_id FROM stg_trips
    UNION ALL
    SELECT export_id FROM stg_older_versions
    UNION ALL
    SELECT export_id FROM stg_trip_parts
),
counted AS (
    SELECT export_id, COUNT(*) AS trips FROM held GROUP BY export_id
)
SELECT
    e.export_id AS export_id,
    e.trips AS trips_in_ledger,
    COALESCE(c.trips, 0) AS trips_in_store
FROM stg_exports e
LEFT JOIN counted c ON c.export_id = e.export_id
WHERE e.trips <> COALESCE(c.trips, 0)
ORDER BY e.export_id
