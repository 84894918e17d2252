-- A trip is not newest and older in one export, and no older version is without a newest one.
SELECT
    export_id,
    fault,
    trips
FROM stg_version_faults
ORDER BY export_id, fault
