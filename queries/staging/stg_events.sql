-- Events that count now: of exports that have all events of a source, the newest.
SELECT
    c.month AS month,
    c.region AS region,
    c.kind AS kind,
    c.is_evacuation AS is_evacuation,
    SUM(c.events) AS events
FROM event_counts c
JOIN event_exports e ON e.export_id = c.export_id
LEFT JOIN event_exports n ON n.source = e.source AND e.is_complete = 1 AND n.is_complete = 1
    AND (n.exported_at > e.exported_at OR (n.exported_at = e.exported_at AND n.sha256 > e.sha256))
WHERE n.export_id IS NULL
GROUP BY c.month, c.region, c.kind, c.is_evacuation
