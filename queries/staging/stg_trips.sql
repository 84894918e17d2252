-- The trips that count, one row each, with names for codes. No key, no patient, no day, no place in an export.
SELECT
    c.month_text AS month,
    c.year AS service_year,
    c.fiscal_year AS fiscal_year,
    CASE WHEN t.day BETWEEN c.first_day AND c.last_day THEN 1 ELSE 0 END AS is_day_in_month,
    r.name AS region,
    y.name AS trip_type,
    CASE t.status WHEN 0 THEN 'completed' WHEN 1 THEN 'cancelled'
        WHEN 2 THEN 'no_show' WHEN 3 THEN 'void' END AS status,
    CASE t.sourcing WHEN 0 THEN 'inHouse' WHEN 1 THEN 'contracted' WHEN 2 THEN 'unclassified' END AS sourcing,
    rule_text.value AS rule_id,
    provider_text.value AS provider_id,
    name_text.value AS provider_name,
    contract_text.value AS contract_number,
    code_text.value AS hcpcs_code,
    modifier_text.value AS hcpcs_modifiers,
    CASE WHEN t.duration >= 0 THEN t.duration END AS duration_seconds,
    CASE WHEN t.duration >= 0 THEN NULL WHEN t.duration = -1 THEN 'missing' WHEN t.duration = -2 THEN 'negative'
        WHEN t.duration = -3 THEN 'too_long' ELSE 'unknown' END AS duration_problem,
    CASE WHEN t.response >= 0 THEN t.response END AS response_seconds,
    CASE WHEN t.response >= 0 THEN NULL WHEN t.response = -1 THEN 'missing' WHEN t.response = -2 THEN 'negative'
        WHEN t.response = -3 THEN 'too_long' ELSE 'unknown' END AS response_problem,
    CASE WHEN t.turnout >= 0 THEN t.turnout END AS turnout_seconds,
    CASE WHEN t.turnout >= 0 THEN NULL WHEN t.turnout = -1 THEN 'missing' WHEN t.turnout = -2 THEN 'negative'
        WHEN t.turnout = -3 THEN 'too_long' ELSE 'unknown' END AS turnout_problem,
    CASE WHEN t.scene >= 0 THEN t.scene END AS scene_seconds,
    CASE WHEN t.scene >= 0 THEN NULL WHEN t.scene = -1 THEN 'missing' WHEN t.scene = -2 THEN 'negative'
        WHEN t.scene = -3 THEN 'too_long' ELSE 'unknown' END AS scene_problem,
    CASE WHEN t.transport >= 0 THEN t.transport END AS transport_seconds,
    CASE WHEN t.transport >= 0 THEN NULL WHEN t.transport = -1 THEN 'missing' WHEN t.transport = -2 THEN 'negative'
        WHEN t.transport = -3 THEN 'too_long' ELSE 'unknown' END AS transport_problem,
    CASE WHEN t.turnaround >= 0 THEN t.turnaround END AS turnaround_seconds,
    CASE WHEN t.turnaround >= 0 THEN NULL WHEN t.turnaround = -1 THEN 'missing' WHEN t.turnaround = -2 THEN 'negative'
        WHEN t.turnaround = -3 THEN 'too_long' ELSE 'unknown' END AS turnaround_problem,
    t.cost_cents AS cost_cents,
    t.loaded_hundredths AS loaded_hundredths,
    t.unloaded_hundredths AS unloaded_hundredths,
    CASE WHEN t.patient IS NULL THEN 0 ELSE 1 END AS has_patient,
    t.warnings AS warnings,
    t.export_id AS export_id
FROM trips t
LEFT JOIN calendar c ON c.month = t.month
LEFT JOIN regions r ON r.code = t.region
LEFT JOIN trip_types y ON y.code = t.trip_type
LEFT JOIN texts rule_text ON rule_text.text_id = t.rule
LEFT JOIN texts provider_text ON provider_text.text_id = t.provider_id
LEFT JOIN texts name_text ON name_text.text_id = t.provider_name
LEFT JOIN texts contract_text ON contract_text.text_id = t.contract_number
LEFT JOIN texts code_text ON code_text.text_id = t.hcpcs_code
LEFT JOIN texts modifier_text ON modifier_text.text_id = t.hcpcs_modifiers
