-- Records of supplements whose trip is in no export yet. They count as no trip.
SELECT
    e.source AS source,
    e.supplements AS supplements,
    e.label AS label,
    e.sha256 AS sha256,
    e.loaded_at_epoch_seconds AS waiting_since_epoch_seconds,
    COUNT(*) AS waiting,
    MAX(e.trips) AS trips
FROM stg_trip_parts p
JOIN stg_exports e ON e.export_id = p.export_id
WHERE p.is_waiting = 1
GROUP BY e.source, e.supplements, e.label, e.sha256, e.loaded_at_epoch_seconds
ORDER BY e.loaded_at_epoch_seconds, e.sha256
