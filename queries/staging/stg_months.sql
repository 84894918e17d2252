-- Months of the calendar and whether their checkpoint is fit to use.
SELECT
    c.month_text AS month,
    c.year AS service_year,
    c.fiscal_year AS fiscal_year,
    CASE WHEN m.month IS NULL THEN 0 ELSE 1 END AS has_tally,
    CASE WHEN m.is_stale = 0 THEN 0 ELSE 1 END AS is_stale
FROM calendar c
LEFT JOIN month_tallies m ON m.month = c.month
