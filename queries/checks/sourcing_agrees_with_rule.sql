-- A rule decides between in-house and contracted; where none fired the trip is unclassified.
SELECT
    month,
    rule_id,
    sourcing,
    COUNT(*) AS trips
FROM stg_trips
WHERE (rule_id IS NULL AND sourcing <> 'unclassified') OR (rule_id IS NOT NULL AND sourcing = 'unclassified')
GROUP BY month, rule_id, sourcing
ORDER BY month, rule_id, sourcing
