"""DuckDB: one pass of read_csv or read_json with told columns into a table of numbers, then counts by value, then CUBE
over those. (GROUP BY CUBE with quantile_disc over the trips themselves sorts everything eight times: 3 times slower.)
Versions by a window; ties are exact copies, so the place in the file is not asked for."""
import duckdb

import peer_cells  # puts Tests/Tools on the path
import duckdb_kpis

SUMS = """
select case when grouping(month) = 1 then 'All' else month end as month,
  case when grouping(region) = 1 then 'All' else region end as region,
  case when grouping(type) = 1 then 'All' else type end as type, {columns}
from (select month, region, type, count(*) filter (c) as trips,
    count(*) filter (status = 'cancelled') as cancelled, count(*) filter (status = 'no_show') as noshow,
    count(*) filter (c and sourcing = 'inHouse') as inhouse,
    count(*) filter (c and sourcing = 'contracted') as contracted,
    count(*) filter (c and sourcing = 'unclassified') as unclassified,
    sum(cents) filter (c) as cents, sum(cents) filter (c and sourcing = 'inHouse') as inhouse_cents,
    sum(cents) filter (c and sourcing = 'contracted') as contracted_cents, count(cents) filter (c) as costed,
    sum(loaded_h) filter (c) as loaded, sum(unloaded_h) filter (c) as unloaded,
    sum(cents) filter (c and loaded_h > 0) as mile_cents,
    sum(loaded_h) filter (c and cents is not null) as cost_miles
  from (select *, status = 'completed' as c from trip where status <> 'void') group by month, region, type)
group by cube (month, region, type)
"""
# Rank ceil(p * n) is the least value at which the running count reaches it.
RANKS = """
with counted as (
  select case when grouping(month) = 1 then 'All' else month end as month,
    case when grouping(region) = 1 then 'All' else region end as region,
    case when grouping(type) = 1 then 'All' else type end as type, seconds, sum(trips)::bigint as trips
  from (select month, region, type, {end}_s - {start}_s as seconds, count(*) as trips from trip
    where status = 'completed' and {end}_s - {start}_s between 0 and 86400 group by all)
  group by cube (month, region, type), seconds),
running as (
  select *, sum(trips) over (partition by month, region, type order by seconds) as reached,
    sum(trips) over (partition by month, region, type) as used from counted)
select month, region, type, max(used)::bigint, sum(seconds * trips)::bigint,
  min(seconds) filter (reached >= (5 * used + 9) // 10), min(seconds) filter (reached >= (9 * used + 9) // 10)
from running group by month, region, type
"""


MINIMAL = """
select month, region, type, sourcing, count(*) as trips, coalesce(sum(cents), 0)::bigint as cents,
  coalesce(sum(loaded_h), 0)::bigint as loaded, count(duration) as duration_used, coalesce(sum(duration), 0)::bigint as duration_sum,
  count(response) as response_used, quantile_disc(response, 0.5) as response_p50, quantile_disc(response, 0.9) as response_p90
from (select month, region, type, sourcing, cents, loaded_h,
    case when completed_s - unit_notified_s between 0 and 86400 then completed_s - unit_notified_s end as duration,
    case when on_scene_s - unit_notified_s between 0 and 86400 then on_scene_s - unit_notified_s end as response
  from trip where status = 'completed')
group by all
"""


def minimal_rows(connection):
    cursor = connection.execute(MINIMAL)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def cells_of(connection):
    """The cells of the table `trip`, with the sums and ranks that all peers answer with."""
    columns = ", ".join(f"coalesce(sum({name}), 0)::bigint" for name in peer_cells.COUNTS)
    cells = {row[:3]: dict(zip(peer_cells.COUNTS, row[3:]))
             for row in connection.execute(SUMS.format(columns=columns)).fetchall()}
    for name, (start, end) in peer_cells.INTERVALS.items():
        parts = [f"{name}_{part}" for part in ("used", "sum", "p50", "p90")]
        for cell in cells.values():
            cell.update(zip(parts, (0, 0, None, None)))
        for row in connection.execute(RANKS.format(start=start, end=end)).fetchall():
            cells[row[:3]].update(zip(parts, row[3:]))
    return cells


def main():
    options = peer_cells.arguments()
    connection = duckdb.connect()
    connection.execute(f"set threads = {options.threads}; set preserve_insertion_order = false")
    names = duckdb_kpis.columns_sql(peer_cells.header(options.file))
    if ".csv" in options.file:
        reader = (f"read_csv('{options.file}', auto_detect = false, header = true, delim = ',', quote = '\"', "
                  f"escape = '\"', new_line = '\\n', columns = {names})")
    else:
        form = "newline_delimited" if "ndjson" in options.file else "array"
        reader = f"read_json('{options.file}', format = '{form}', columns = {names})"
    script = duckdb_kpis.canonical_sql(reader, versions=options.versions, roster=options.roster)
    script = script.replace(", row_number() over () as place", "").replace("select place, ", "select ")
    script = script.replace(", place desc", "").replace("create temp table", "create temp view")
    script = script.replace("select n.*, strftime(local_time, '%Y-%m') as month", "select status, "
                            "strftime(local_time, '%Y-%m') as month")
    if options.job == "minimal":
        # One query over the file: DuckDB reads only the columns that it needs.
        connection.execute(script)
        peer_cells.answer_minimal(minimal_rows(connection))
        return
    script = script.replace("create temp view trip", "create temp table trip")
    connection.execute(script)
    peer_cells.answer((m, r, t, cell) for (m, r, t), cell in cells_of(connection).items())


if __name__ == "__main__":
    main()
