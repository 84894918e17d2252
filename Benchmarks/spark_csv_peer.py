"""A plain Spark SQL job that parses the CSV itself: counts, sums and two intervals by month, region, trip type and sourcing of the newest
version of each trip. It is `--job minimal` of the other peers: less than a tenth of what tripkpi's job computes, without warnings, rejects,
patients or disclosure control.

    spark-submit Benchmarks/spark_csv_peer.py FILE OUTPUT
"""
import json
import sys

from pyspark.sql import SparkSession

TIMES = ("unit_notified", "en_route", "on_scene", "left_scene", "arrived", "completed", "requested")
EPOCH = ", ".join(f"unix_timestamp(try_to_timestamp({name}_at, 'yyyy-MM-dd HH:mm:ss')) as {name}_s" for name in TIMES)
# The default rules but for the roster, of which the synthetic exports need only the provider's kind.
TRIP = f"""
select *, case when local is null then null else date_format(timestamp_seconds(local), 'yyyy-MM') end as month,
  case when array_contains(split(hcpcs_modifiers, ' '), 'QN') then 'inHouse' when array_contains(split(hcpcs_modifiers, ' '), 'QM') then 'contracted'
    when contract_number <> '' or invoice_number <> '' then 'contracted' when provider_id like 'VA%' then 'inHouse'
    when provider_id <> '' then 'contracted' when vehicle_id like 'VA%' then 'inHouse' else 'unclassified' end as sourcing
from (select *, coalesce(unit_notified_s, en_route_s, on_scene_s, left_scene_s, arrived_s, completed_s, requested_s,
      unix_timestamp(try_to_timestamp(service_date, 'yyyy-MM-dd'))) as local
  from (select *, {EPOCH}, row_number() over (partition by trip_id, leg_id order by updated_at desc, cast(sequence as decimal(9, 2)) desc) as place
    from (select * except (status), coalesce(status, 'completed') as status from export)
    where trip_id <> '' and status in ('completed', 'cancelled', 'no_show', 'void')) where place = 1)
"""
FIGURES = """
select month, region, trip_type, sourcing, count(*) as trips, sum(cents) as cents, sum(loaded) as loaded, count(duration) as duration_used,
  sum(duration) as duration_sum, count(response) as response_used, percentile_disc(0.5) within group (order by response) as response_p50,
  percentile_disc(0.9) within group (order by response) as response_p90
from (select month, region, trip_type, sourcing, cast(cast(cost as decimal(18, 2)) * 100 as bigint) as cents,
    cast(cast(loaded_miles as decimal(18, 2)) * 100 as bigint) as loaded,
    case when completed_s - unit_notified_s between 0 and 86400 then completed_s - unit_notified_s end as duration,
    case when on_scene_s - unit_notified_s between 0 and 86400 then on_scene_s - unit_notified_s end as response
  from trip where status = 'completed' and month is not null)
group by month, region, trip_type, sourcing
"""


def main():
    path, output = sys.argv[1:]
    spark = (SparkSession.builder.appName("plain").config("spark.sql.session.timeZone", "UTC").config("spark.sql.ansi.enabled", "false")
        .getOrCreate())
    spark.read.option("header", "true").option("escape", '"').option("multiLine", "false").csv(path).createOrReplaceTempView("export")
    spark.sql(TRIP).createOrReplaceTempView("trip")
    rows = [row.asDict() for row in spark.sql(FIGURES).collect()]
    with open(output, "w", encoding="ascii") as file:
        json.dump({"groups": len(rows), "trips": sum(row["trips"] for row in rows), "cents": sum(row["cents"] or 0 for row in rows)}, file)
    spark.stop()


if __name__ == "__main__":
    main()
