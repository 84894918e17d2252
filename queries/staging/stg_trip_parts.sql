-- Parts of trips, from exports that supplement those of another source. The own version of such a trip is in no row.
SELECT
    c.month_text AS month,
    p.export_id AS export_id,
    CASE WHEN t.key_high IS NULL THEN 1 ELSE 0 END AS is_waiting
FROM trip_parts p
LEFT JOIN calendar c ON c.month = p.month
LEFT JOIN trips t ON t.key_high = p.key_high AND t.key_low = p.key_low
WHERE p.is_own = 0
