-- The sums and counts of docs/kpis.md for every month, region and type, and for every All of them.
WITH leaf AS (
    SELECT
        month,
        region,
        trip_type,
        COUNT(*) FILTER (WHERE status = 'completed') AS trips,
        COUNT(*) FILTER (WHERE status = 'cancelled') AS cancelled,
        COUNT(*) FILTER (WHERE status = 'no_show') AS no_show,
        COUNT(*) FILTER (WHERE status = 'completed' AND sourcing = 'inHouse') AS in_house_trips,
        COUNT(*) FILTER (WHERE status = 'completed' AND sourcing = 'contracted') AS contracted_trips,
        COUNT(*) FILTER (WHERE status = 'completed' AND sourcing = 'unclassified') AS unclassified_trips,
        COALESCE(SUM(cost_cents) FILTER (WHERE status = 'completed'), 0) AS cost_cents,
        COALESCE(SUM(cost_cents)
            FILTER (WHERE status = 'completed' AND sourcing = 'inHouse'), 0) AS in_house_cost_cents,
        COALESCE(SUM(cost_cents)
            FILTER (WHERE status = 'completed' AND sourcing = 'contracted'), 0) AS contracted_cost_cents,
        COALESCE(SUM(cost_cents)
            FILTER (WHERE status = 'completed' AND sourcing = 'unclassified'), 0) AS unclassified_cost_cents,
        COALESCE(SUM(cost_cents) FILTER (WHERE status IN ('cancelled', 'no_show')), 0) AS cost_not_run_cents,
        COUNT(cost_cents) FILTER (WHERE status = 'completed') AS costed_trips,
        COUNT(cost_cents) FILTER (WHERE status = 'completed' AND sourcing = 'inHouse') AS in_house_costed_trips,
        COUNT(cost_cents)
            FILTER (WHERE status = 'completed' AND sourcing = 'contracted') AS contracted_costed_trips,
        COUNT(cost_cents)
            FILTER (WHERE status = 'completed' AND sourcing = 'unclassified') AS unclassified_costed_trips,
        COALESCE(SUM(loaded_hundredths) FILTER (WHERE status = 'completed'), 0) AS loaded_hundredths,
        COALESCE(SUM(unloaded_hundredths) FILTER (WHERE status = 'completed'), 0) AS unloaded_hundredths,
        COALESCE(SUM(cost_cents)
            FILTER (WHERE status = 'completed' AND loaded_hundredths > 0), 0) AS cost_cents_with_loaded_miles,
        COALESCE(SUM(loaded_hundredths)
            FILTER (WHERE status = 'completed' AND cost_cents IS NOT NULL), 0) AS loaded_hundredths_with_cost
    FROM stg_trips
    -- A range, because SQLite finds a month's trips by it and reads no others.
    WHERE status <> 'void'
        AND INSTR(COALESCE(:without, ''), month) = 0
        AND month BETWEEN COALESCE(NULLIF(:month, 'All'), '0') AND COALESCE(NULLIF(:month, 'All'), '9999-12')
    GROUP BY month, region, trip_type
),
sides AS (
    SELECT 0 AS all_months, 0 AS all_regions, 0 AS all_types
    UNION ALL SELECT 0, 0, 1
    UNION ALL SELECT 0, 1, 0
    UNION ALL SELECT 0, 1, 1
    UNION ALL SELECT 1, 0, 0
    UNION ALL SELECT 1, 0, 1
    UNION ALL SELECT 1, 1, 0
    UNION ALL SELECT 1, 1, 1
),
placed AS (
    SELECT
        CASE WHEN sides.all_months = 1 THEN 'All' ELSE leaf.month END AS month,
        CASE WHEN sides.all_regions = 1 THEN 'All' ELSE leaf.region END AS region,
        CASE WHEN sides.all_types = 1 THEN 'All' ELSE leaf.trip_type END AS trip_type,
        leaf.trips AS trips,
        leaf.cancelled AS cancelled,
        leaf.no_show AS no_show,
        leaf.in_house_trips AS in_house_trips,
        leaf.contracted_trips AS contracted_trips,
        leaf.unclassified_trips AS unclassified_trips,
        leaf.cost_cents AS cost_cents,
        leaf.in_house_cost_cents AS in_house_cost_cents,
        leaf.contracted_cost_cents AS contracted_cost_cents,
        leaf.unclassified_cost_cents AS unclassified_cost_cents,
        leaf.cost_not_run_cents AS cost_not_run_cents,
        leaf.costed_trips AS costed_trips,
        leaf.in_house_costed_trips AS in_house_costed_trips,
        leaf.contracted_costed_trips AS contracted_costed_trips,
        leaf.unclassified_costed_trips AS unclassified_costed_trips,
        leaf.loaded_hundredths AS loaded_hundredths,
        leaf.unloaded_hundredths AS unloaded_hundredths,
        leaf.cost_cents_with_loaded_miles AS cost_cents_with_loaded_miles,
        leaf.loaded_hundredths_with_cost AS loaded_hundredths_with_cost
    FROM leaf
    CROSS JOIN sides
    WHERE :month IS NULL OR sides.all_months = CASE WHEN :month = 'All' THEN 1 ELSE 0 END
),
cells AS (
    SELECT
        month,
        region,
        trip_type,
        SUM(trips) AS trips,
        SUM(cancelled) AS cancelled,
        SUM(no_show) AS no_show,
        SUM(in_house_trips) AS in_house_trips,
        SUM(contracted_trips) AS contracted_trips,
        SUM(unclassified_trips) AS unclassified_trips,
        SUM(cost_cents) AS cost_cents,
        SUM(in_house_cost_cents) AS in_house_cost_cents,
        SUM(contracted_cost_cents) AS contracted_cost_cents,
        SUM(unclassified_cost_cents) AS unclassified_cost_cents,
        SUM(cost_not_run_cents) AS cost_not_run_cents,
        SUM(costed_trips) AS costed_trips,
        SUM(in_house_costed_trips) AS in_house_costed_trips,
        SUM(contracted_costed_trips) AS contracted_costed_trips,
        SUM(unclassified_costed_trips) AS unclassified_costed_trips,
        SUM(loaded_hundredths) AS loaded_hundredths,
        SUM(unloaded_hundredths) AS unloaded_hundredths,
        SUM(cost_cents_with_loaded_miles) AS cost_cents_with_loaded_miles,
        SUM(loaded_hundredths_with_cost) AS loaded_hundredths_with_cost
    FROM placed
    GROUP BY month, region, trip_type
),
patients AS (
    SELECT month, region, trip_type, patients_to_11
    FROM stg_patients
    WHERE month BETWEEN COALESCE(:month, '0') AND COALESCE(:month, 'Z')
        AND (month <> 'All' OR COALESCE(:without, '') = '')
)
SELECT
    cells.month AS month,
    cells.region AS region,
    cells.trip_type AS trip_type,
    cells.trips AS trips,
    cells.cancelled AS cancelled,
    cells.no_show AS no_show,
    cells.in_house_trips AS in_house_trips,
    cells.contracted_trips AS contracted_trips,
    cells.unclassified_trips AS unclassified_trips,
    cells.cost_cents AS cost_cents,
    cells.in_house_cost_cents AS in_house_cost_cents,
    cells.contracted_cost_cents AS contracted_cost_cents,
    cells.unclassified_cost_cents AS unclassified_cost_cents,
    cells.cost_not_run_cents AS cost_not_run_cents,
    cells.costed_trips AS costed_trips,
    cells.in_house_costed_trips AS in_house_costed_trips,
    cells.contracted_costed_trips AS contracted_costed_trips,
    cells.unclassified_costed_trips AS unclassified_costed_trips,
    cells.loaded_hundredths AS loaded_hundredths,
    cells.unloaded_hundredths AS unloaded_hundredths,
    cells.cost_cents_with_loaded_miles AS cost_cents_with_loaded_miles,
    cells.loaded_hundredths_with_cost AS loaded_hundredths_with_cost,
    p.patients_to_11 AS patients_to_11
FROM cells
LEFT JOIN patients p ON p.month = cells.month AND p.region = cells.region AND p.trip_type = cells.trip_type
ORDER BY cells.month, cells.region, cells.trip_type
