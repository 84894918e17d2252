-- The bits of stg_trips.warnings; a test holds this list to the program’s.
SELECT 1 AS bit_value, 'bad_time' AS code
UNION ALL
SELECT 2 AS bit_value, 'skipped_local_time' AS code
UNION ALL
SELECT 4 AS bit_value, 'ambiguous_local_time' AS code
UNION ALL
SELECT 8 AS bit_value, 'bad_version' AS code
UNION ALL
SELECT 16 AS bit_value, 'bad_cost' AS code
UNION ALL
SELECT 32 AS bit_value, 'bad_miles' AS code
UNION ALL
SELECT 64 AS bit_value, 'negative_miles' AS code
UNION ALL
SELECT 128 AS bit_value, 'odometer_reversed' AS code
UNION ALL
SELECT 256 AS bit_value, 'interval_missing' AS code
UNION ALL
SELECT 512 AS bit_value, 'interval_negative' AS code
UNION ALL
SELECT 1024 AS bit_value, 'interval_too_long' AS code
UNION ALL
SELECT 2048 AS bit_value, 'unmapped_region' AS code
UNION ALL
SELECT 4096 AS bit_value, 'unmapped_trip_type' AS code
UNION ALL
SELECT 8192 AS bit_value, 'cost_on_uncompleted_trip' AS code
UNION ALL
SELECT 16384 AS bit_value, 'implausible_miles' AS code
