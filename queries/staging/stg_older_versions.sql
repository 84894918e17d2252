-- Versions of a trip that a newer one took the place of.
SELECT
    c.month_text AS month,
    o.export_id AS export_id,
    o.is_copy AS is_copy
FROM older_versions o
LEFT JOIN calendar c ON c.month = o.month
