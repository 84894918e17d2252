#!/usr/bin/env python3
"""All KPI cells of `docs/kpis.md`, computed by DuckDB in SQL, independently of tripkpi's own code.

    duckdb_kpis.py canonical FILE… [--zone America/New_York] [--summary kpi-summary.json]
    duckdb_kpis.py sf FILE [--summary kpi-summary.json]

With --summary every cell is compared with that document (made with `--internal`): exit 1 names each difference.
Without it the cells are printed as NDJSON, in hundredths and cents.
Only counts, sums and seconds are printed, never a value of a record.
"""
import argparse
import decimal
import gzip
import json
import pathlib
import sys

import duckdb

EVENTS = ["requested", "unit_notified", "en_route", "on_scene", "left_scene", "arrived", "completed"]
MONTH_ORDER = ["unit_notified", "en_route", "on_scene", "left_scene", "arrived", "completed", "requested"]
INTERVALS = {
    "duration": ("unit_notified", "completed"), "response": ("unit_notified", "on_scene"),
    "turnout": ("unit_notified", "en_route"), "scene": ("on_scene", "left_scene"),
    "transport": ("left_scene", "arrived"), "turnaround": ("arrived", "completed"),
}
ROSTER = pathlib.Path(__file__).resolve().parents[2] / "data/rules/sample-providers.csv"
MONEY = r"^(-?\$?|\(\$?)([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]{1,2})?\)?$"
MILES = r"^-?[0-9]+(\.[0-9]{1,2})?$"

CANONICAL = """
create temp table raw as select *, row_number() over () as place from {reader};
create temp table dated as
select place, trip_id, coalesce(leg_id, '') as leg_id, region as given_region, trip_type as given_type,
  coalesce(status, 'completed') as status, provider_id, vehicle_id, hcpcs_modifiers, contract_number, invoice_number,
  try_strptime(updated_at, '%Y-%m-%d %H:%M:%S') as version_at, try_cast(sequence as bigint) as version_number,
  {times},
  try_strptime(service_date, '%Y-%m-%d') as service_local,
  case when regexp_full_match(cost, '{money}') then
    cast(regexp_replace(cost, '[$,()]', '', 'g') as decimal(18,2)) * case when cost like '(%' then -1 else 1 end
  end as dollars,
  case when regexp_full_match(loaded_miles, '{miles}') then cast(loaded_miles as decimal(18,2)) end as loaded,
  case when regexp_full_match(unloaded_miles, '{miles}') then cast(unloaded_miles as decimal(18,2)) end as unloaded
from raw;
create temp table usable as
select *, coalesce({order_}, service_local) as local_time from dated
where trip_id is not null and status in ('completed', 'cancelled', 'no_show', 'void')
  and coalesce({order_}, service_local) is not null;
create temp table newest as select * from usable
{versions};
create temp table roster as select provider_id as roster_id, sourcing as roster_sourcing,
  try_cast("from" as date) as first_day, try_cast("to" as date) as last_day
from read_csv('{roster}', all_varchar = true);
create temp table trip as
select n.*, strftime(local_time, '%Y-%m') as month,
  case when given_region in ('North', 'South', 'East', 'West') then given_region else 'Unassigned' end as region,
  case when given_type in ('Emergency', 'Routine') then given_type else 'Unassigned' end as type,
  case when list_contains(regexp_split_to_array(hcpcs_modifiers, '[ ,;]+'), 'QN') then 'inHouse'
    when list_contains(regexp_split_to_array(hcpcs_modifiers, '[ ,;]+'), 'QM') then 'contracted'
    when contract_number is not null or invoice_number is not null then 'contracted'
    when roster_sourcing is not null then roster_sourcing
    when starts_with(vehicle_id, 'VA') then 'inHouse' else 'unclassified' end as sourcing,
  cast(dollars * 100 as bigint) as cents,
  case when loaded >= 0 then cast(loaded * 100 as bigint) end as loaded_h,
  case when unloaded >= 0 then cast(unloaded * 100 as bigint) end as unloaded_h,
  {instants}
from newest n left join roster r on n.provider_id = r.roster_id
  and (first_day is null or cast(local_time as date) >= first_day)
  and (last_day is null or cast(local_time as date) <= last_day);
"""

VERSIONS = """qualify row_number() over (partition by trip_id, leg_id
  order by version_at desc nulls last, version_number desc nulls last, place desc) = 1"""

SAN_FRANCISCO = """
create temp table raw as select * from read_csv('{file}', all_varchar = true, header = true);
create temp table dated as select *,
  try_strptime("Dispatch DtTm", '{p}') as unit_notified_l, try_strptime("Response DtTm", '{p}') as en_route_l,
  try_strptime("On Scene DtTm", '{p}') as on_scene_l, try_strptime("Transport DtTm", '{p}') as left_scene_l,
  try_strptime("Hospital DtTm", '{p}') as arrived_l, try_strptime("Available DtTm", '{p}') as completed_l,
  null::timestamp as requested_l, null::timestamp as service_local
from raw where "Unit Type" in ('MEDIC', 'PRIVATE') and "Transport DtTm" is not null;
create temp table trip as select 'completed' as status,
  strftime(coalesce({order_}), '%Y-%m') as month,
  case when "Battalion" in ('B01', 'B04') then 'North' when "Battalion" in ('B02', 'B03') then 'East'
    when "Battalion" in ('B06', 'B09', 'B10') then 'South' when "Battalion" in ('B05', 'B07', 'B08') then 'West'
    else 'Unassigned' end as region,
  case "Final Priority" when '3' then 'Emergency' when '2' then 'Routine' else 'Unassigned' end as type,
  case "Unit Type" when 'MEDIC' then 'inHouse' else 'contracted' end as sourcing,
  null::bigint as cents, null::bigint as loaded_h, null::bigint as unloaded_h, {instants}
from dated where "RowID" is not null and coalesce({order_}) is not null;
"""

CELLS = """
select case when grouping(month) = 1 then 'All' else month end as month,
  case when grouping(region) = 1 then 'All' else region end as region,
  case when grouping(type) = 1 then 'All' else type end as type,
  count(*) filter (c) as trips, count(*) filter (status = 'cancelled') as cancelled,
  count(*) filter (status = 'no_show') as noshow,
  count(*) filter (c and sourcing = 'inHouse') as inhouse,
  count(*) filter (c and sourcing = 'contracted') as contracted,
  count(*) filter (c and sourcing = 'unclassified') as unclassified,
  coalesce(sum(cents) filter (c), 0)::bigint as cents,
  coalesce(sum(cents) filter (c and sourcing = 'inHouse'), 0)::bigint as inhouse_cents,
  coalesce(sum(cents) filter (c and sourcing = 'contracted'), 0)::bigint as contracted_cents,
  coalesce(sum(cents) filter (status in ('cancelled', 'no_show')), 0)::bigint as not_run_cents,
  count(cents) filter (c) as costed,
  coalesce(sum(loaded_h) filter (c), 0)::bigint as loaded,
  coalesce(sum(unloaded_h) filter (c), 0)::bigint as unloaded,
  coalesce(sum(cents) filter (c and loaded_h > 0), 0)::bigint as mile_cents,
  coalesce(sum(loaded_h) filter (c and cents is not null), 0)::bigint as cost_miles,
  {intervals}
from (select *, status = 'completed' as c, {measures} from trip where status <> 'void')
group by cube (month, region, type)
"""


def exact_rank(name):
    """Nearest rank without floating point: element ceil(p * n) of the sorted list."""
    values = f"list_sort(list({name}) filter ({name} is not null))"
    count = f"count({name})"
    return (f"{count} as {name}_used, coalesce(sum({name}), 0)::bigint as {name}_sum, "
            f"{values}[(5 * {count} + 9) // 10] as {name}_p50, {values}[(9 * {count} + 9) // 10] as {name}_p90")


def quick_rank(name):
    return (f"count({name}) as {name}_used, coalesce(sum({name}), 0)::bigint as {name}_sum, "
            f"quantile_disc({name}, 0.5) as {name}_p50, quantile_disc({name}, 0.9) as {name}_p90")


def cells_sql(rank=exact_rank, measures=None):
    """measures: the columns of the intervals; None: they are computed from the times of the events."""
    measures = measures or ", ".join(
        f"case when status = 'completed' and {end} - {start} between 0 and 86400 then {end} - {start} end as {name}"
        for name, (start, end) in ((n, (f"{s}_s", f"{e}_s")) for n, (s, e) in INTERVALS.items()))
    return CELLS.format(intervals=", ".join(rank(name) for name in INTERVALS), measures=measures)


def instants_sql(zone):
    """Seconds since 1970. With a zone: a time of the repeated hour is the pass that the events before and after it leave open;
    it has no instant where they leave both. A time of the skipped hour has none."""
    if not zone:
        return ", ".join(f"epoch_ms({e}_l) // 1000 as {e}_s" for e in EVENTS)
    columns = []
    for event in EVENTS:
        local = f"{event}_l"
        passes = {"first": f"epoch_ms(timezone('{zone}', {local} - interval 3 hour)) // 1000 + 10800",
                  "second": f"epoch_ms(timezone('{zone}', {local} + interval 3 hour)) // 1000 - 10800"}
        columns += [f"case when timezone('{zone}', to_timestamp({seconds})) = {local} then {seconds} end as {event}_{name}"
                    for name, seconds in passes.items()]
        columns.append(f"case when {event}_first is null or {event}_second is null or {event}_first = {event}_second "
                       f"then coalesce({event}_first, {event}_second) end as {event}_sure")
    for place, event in enumerate(EVENTS):
        earlier = ", ".join(f"{e}_least" for e in reversed(EVENTS[1:place])) or "null"
        later = ", ".join([*(f"{e}_sure" for e in EVENTS[place + 1:]), "null"])
        in_order = f"coalesce({event}_first >= coalesce({earlier}, null), true)"
        columns.append(f"case when {in_order} then coalesce({event}_first, {event}_second) "
                       f"else coalesce({event}_second, {event}_first) end as {event}_least")
        columns.append(f"case when {event}_first < {event}_second and {in_order} "
                       f"and coalesce({event}_second <= coalesce({later}, null), true) then null else {event}_least end as {event}_s")
    return ", ".join(columns)


def canonical_sql(reader, zone=None, versions=True, roster=ROSTER):
    times = ", ".join(f"try_strptime({e}_at, '%Y-%m-%d %H:%M:%S') as {e}_l" for e in EVENTS)
    return CANONICAL.format(
        reader=reader, times=times, money=MONEY, miles=MILES, order_=", ".join(f"{e}_l" for e in MONTH_ORDER),
        versions=VERSIONS if versions else "", roster=roster, instants=instants_sql(zone))


def columns_sql(header):
    """DuckDB's sniffer gives up on files with faulty records: the columns are told, all as text."""
    return "{" + ", ".join(f"'{name}': 'VARCHAR'" for name in header) + "}"


def csv_reader(files, options="ignore_errors = true, parallel = false"):
    names = ", ".join("'" + str(f).replace("'", "''") + "'" for f in files)
    with (gzip.open if str(files[0]).endswith(".gz") else open)(files[0], "rt", encoding="utf-8-sig") as file:
        header = file.readline().rstrip("\r\n").split(",")
    return (f"read_csv([{names}], auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', "
            f"columns = {columns_sql(header)}, {options})")


def run(connection, script, rank=exact_rank, measures=None):
    connection.execute(script)
    cursor = connection.execute(cells_sql(rank, measures))
    names = [column[0] for column in cursor.description]
    rows = [dict(zip(names, row)) for row in cursor.fetchall()]
    return {(r["month"], r["region"], r["type"]): r for r in rows}


def ratio(numerator, denominator, digits):
    """Rounded half away from zero; None over nothing."""
    if not denominator:
        return None
    unit = decimal.Decimal(1).scaleb(-digits)
    return (decimal.Decimal(numerator) / decimal.Decimal(denominator)).quantize(unit, decimal.ROUND_HALF_UP)


def published(row):
    """The cell as the contract (data/contract) publishes it."""
    known = row["inhouse"] + row["contracted"]
    cents = decimal.Decimal(100)
    cell = {
        "trips": row["trips"], "cancelled": row["cancelled"], "noShow": row["noshow"], "inHouse": row["inhouse"],
        "contracted": row["contracted"], "unclassified": row["unclassified"],
        "inHousePercent": ratio(100 * row["inhouse"], known, 0), "inHouseShare": ratio(row["inhouse"], known, 4),
        "totalCost": row["cents"] / cents, "inHouseCost": row["inhouse_cents"] / cents,
        "contractedCost": row["contracted_cents"] / cents, "costedTrips": row["costed"],
        "costPerTrip": ratio(row["cents"], row["costed"] * 100, 2),
        "costNotRun": ratio(row["not_run_cents"], 100, 2),
        "loadedMiles": ratio(row["loaded"], 100, 1), "unloadedMiles": ratio(row["unloaded"], 100, 1),
        "costPerLoadedMile": ratio(row["mile_cents"], row["cost_miles"], 2),
        "loadedMileRatio": ratio(row["loaded"], row["loaded"] + row["unloaded"], 4),
    }
    for name in INTERVALS:
        used = row[name + "_used"]
        cell[name] = {"used": used, "excluded": row["trips"] - used, "mean": ratio(row[name + "_sum"], used, 1),
                      "p50": row[name + "_p50"], "p90": row[name + "_p90"]}
    return cell


EMPTY = {k: 0 for k in ("trips cancelled noshow inhouse contracted unclassified cents inhouse_cents contracted_cents "
                        "not_run_cents costed loaded unloaded mile_cents cost_miles").split()}
EMPTY |= {f"{n}_{k}": None if k[0] == "p" else 0 for n in INTERVALS for k in ("used", "sum", "p50", "p90")}


def compare(cells, path):
    """Names of what differs. Cells that the document has beyond SQL's must be empty."""
    document = json.loads(pathlib.Path(path).read_text(), parse_float=decimal.Decimal)
    theirs = {(c["month"], c["region"], c["tripType"]): c for c in document["cells"]}
    differences = [f"{key}: missing in the document" for key in cells if key not in theirs]
    checked = 0
    for key, cell in theirs.items():
        expected = published(cells.get(key, EMPTY))
        for name, value in expected.items():
            pairs = [(name, value, cell[name])] if not isinstance(value, dict) else [
                (f"{name}.{k}", v, (cell[name] or {}).get(k)) for k, v in value.items()]
            for label, ours, other in pairs:
                checked += 1
                if ours != other:
                    differences.append(f"{key} {label}: SQL {ours}, document {other}")
    return checked, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("meaning", choices=["canonical", "sf"])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--zone")
    parser.add_argument("--summary")
    parser.add_argument("--roster", default=ROSTER, help="provider_id,sourcing,from,to")
    options = parser.parse_args()
    connection = duckdb.connect()
    if options.meaning == "sf":
        script = SAN_FRANCISCO.format(
            file=options.files[0].replace("'", "''"), p="%m/%d/%Y %I:%M:%S %p", instants=instants_sql(None),
            order_=", ".join(f"{e}_l" for e in MONTH_ORDER))
    else:
        script = canonical_sql(csv_reader(options.files), options.zone, roster=options.roster)
    cells = run(connection, script)
    if not options.summary:
        for key in sorted(cells, key=str):
            print(json.dumps({"month": key[0], "region": key[1], "tripType": key[2], **published(cells[key])},
                             default=str))
        return 0
    checked, differences = compare(cells, options.summary)
    for line in differences[:50]:
        print(line)
    print(f"{checked} numbers of {len(cells)} cells compared with {options.summary}, {len(differences)} differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
