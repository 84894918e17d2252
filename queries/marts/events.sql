-- What happened beside the trips.
SELECT
    month,
    region,
    kind,
    SUM(events) AS events,
    SUM(CASE WHEN is_evacuation = 1 THEN events ELSE 0 END) AS evacuations
FROM stg_events
WHERE month BETWEEN COALESCE(:month, '0') AND COALESCE(:month, '9999-12')
GROUP BY month, region, kind
ORDER BY month, region, kind
