-- An overview of every month of the store.
SELECT
    m.month AS month,
    m.fiscal_year AS fiscal_year,
    COUNT(t.month) FILTER (WHERE t.status = 'completed') AS trips,
    COUNT(t.month) FILTER (WHERE t.status = 'cancelled') AS cancelled,
    COUNT(t.month) FILTER (WHERE t.status = 'no_show') AS no_show,
    COUNT(t.month) FILTER (WHERE t.status = 'void') AS void_trips,
    COUNT(DISTINCT t.export_id) AS exports,
    m.is_stale AS is_stale
FROM stg_months m
LEFT JOIN stg_trips t ON t.month = m.month
GROUP BY m.month, m.fiscal_year, m.is_stale
ORDER BY m.month
