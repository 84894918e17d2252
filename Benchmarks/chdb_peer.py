"""chDB (ClickHouse in the process): one query over file() with told columns, GROUP BY WITH CUBE. Its quantileExact is
not the nearest rank, so ranks are taken from the sorted array. Versions by LIMIT 1 BY after ordering."""
import json

import chdb

import peer_cells

options = peer_cells.arguments()
names = peer_cells.header(options.file)
structure = ", ".join(f"{name} Nullable(String)" for name in names)
form = "CSVWithNames" if ".csv" in options.file else "JSONEachRow"
times = ", ".join(f"parseDateTimeBestEffortOrNull(nullIf({e}_at, ''), 'UTC') as {e}" for e in peer_cells.EVENTS)
blank = ", ".join(
    f"nullIf({n}, '') as {n}_v" for n in ("trip_id", "status", "contract_number", "invoice_number", "provider_id"))
versions = """order by updated_at desc, toInt64OrZero(assumeNotNull(sequence)) desc
  limit 1 by trip_id, leg_key""" if options.versions else ""


def listed():
    """The dated roster as one multiIf."""
    arms = []
    for line in open(options.roster).read().splitlines()[1:]:
        provider, sourcing, first, last = line.split(",")[:4]
        test = f"provider_id = '{provider}'"
        test += f" and toDate(local) >= '{first}'" if first else ""
        test += f" and toDate(local) <= '{last}'" if last else ""
        arms.append(f"{test}, '{sourcing}'")
    return ", ".join(arms)


def hundredths(text):
    return (f"toInt64OrZero(extract(assumeNotNull({text}), '([0-9]+)')) * 100 + "
            f"toInt64OrZero(rightPad(extract(assumeNotNull({text}), '\\\\.([0-9]+)'), 2, '0'))")


def token(word):
    return f"has(splitByRegexp('[ ,;]+', assumeNotNull(hcpcs_modifiers)), '{word}')"


def literal(pattern):
    return pattern.replace("\\", "\\\\")


money = "replaceRegexpAll(assumeNotNull(cost), '[$,()-]', '')"
miles = ", ".join(
    f"if(match(assumeNotNull({n}_miles), '{literal(peer_cells.MILES)}') and not startsWith({n}_miles, '-'), "
    f"{hundredths(n + '_miles')}, null) as {n}" for n in ("loaded", "unloaded"))
spans = ", ".join(
    f"if(c and toInt64({e}) - toInt64({s}) between 0 and 86400, toInt64({e}) - toInt64({s}), null) as {n}"
    for n, (s, e) in peer_cells.INTERVALS.items())
ranks = ", ".join(
    f"count({n}) as {n}_used, coalesce(sum({n}), 0) as {n}_sum, arraySort(groupArray({n})) as {n}_all, "
    f"if({n}_used = 0, null, {n}_all[intDiv(5 * {n}_used + 9, 10)]) as {n}_p50, "
    f"if({n}_used = 0, null, {n}_all[intDiv(9 * {n}_used + 9, 10)]) as {n}_p90" for n in peer_cells.INTERVALS)
trips = f"""
with dated as (select *, {times}, {blank}, coalesce(status_v, 'completed') as state, coalesce(leg_id, '') as leg_key,
    coalesce({", ".join(peer_cells.EVENTS)}, toDateTime(toDateOrNull(service_date), 'UTC')) as local
  from file('{options.file}', '{form}', '{structure}')
  where trip_id_v is not null and local is not null and state in ('completed', 'cancelled', 'no_show', 'void')
  {versions}),
trip as (select formatDateTime(assumeNotNull(local), '%Y-%m') as month_, state, state = 'completed' as c,
    if(region in ('North', 'South', 'East', 'West'), assumeNotNull(region), 'Unassigned') as region_,
    if(trip_type in ('Emergency', 'Routine'), assumeNotNull(trip_type), 'Unassigned') as type_,
    multiIf({token("QN")}, 'inHouse', {token("QM")}, 'contracted',
      contract_number_v is not null or invoice_number_v is not null, 'contracted',
      {listed()}, startsWith(assumeNotNull(vehicle_id), 'VA'), 'inHouse', 'unclassified') as sourcing,
    if(match(assumeNotNull(cost), '{literal(peer_cells.MONEY)}'), ({hundredths(money)})
      * if(startsWith(assumeNotNull(cost), '(') or startsWith(assumeNotNull(cost), '-'), -1, 1), null) as cents,
    {miles}, {spans}
  from dated where state <> 'void')
"""
settings = f"""
settings max_threads = {options.threads}, output_format_json_quote_64bit_integers = 0,
  input_format_csv_empty_as_default = 1, input_format_parallel_parsing = 1, session_timezone = 'UTC'
"""
minimal = f"""
{trips}
select month_, region_, type_, sourcing, count() as trips, coalesce(sum(cents), 0) as cents_, coalesce(sum(loaded), 0) as loaded_,
  count(duration) as duration_used, coalesce(sum(duration), 0) as duration_sum,
  count(response) as response_used, arraySort(groupArray(response)) as response_all,
  if(response_used = 0, null, response_all[intDiv(5 * response_used + 9, 10)]) as response_p50,
  if(response_used = 0, null, response_all[intDiv(9 * response_used + 9, 10)]) as response_p90
from trip where c group by month_, region_, type_, sourcing
"""
query = f"""
{trips}
select grouping(month_) as gm, grouping(region_) as gr, grouping(type_) as gt, month_, region_, type_,
  countIf(c) as trips, countIf(state = 'cancelled') as cancelled, countIf(state = 'no_show') as noshow,
  countIf(c and sourcing = 'inHouse') as inhouse, countIf(c and sourcing = 'contracted') as contracted,
  countIf(c and sourcing = 'unclassified') as unclassified, coalesce(sumIf(cents, c), 0) as cents_,
  coalesce(sumIf(cents, c and sourcing = 'inHouse'), 0) as inhouse_cents,
  coalesce(sumIf(cents, c and sourcing = 'contracted'), 0) as contracted_cents,
  countIf(c and cents is not null) as costed, coalesce(sumIf(loaded, c), 0) as loaded_,
  coalesce(sumIf(unloaded, c), 0) as unloaded_, coalesce(sumIf(cents, c and loaded > 0), 0) as mile_cents,
  coalesce(sumIf(loaded, c and cents is not null), 0) as cost_miles, {ranks}
from trip group by month_, region_, type_ with cube
"""


def answered(query, intervals):
    hidden = ", ".join(f"{name}_all" for name in intervals)
    return str(chdb.query(f"select * except({hidden}) from ({query}) {settings}", "JSONEachRow")).splitlines()


if options.job == "minimal":
    # ClickHouse reads only the columns that the query needs.
    peer_cells.answer_minimal([
        row | {"month": row["month_"], "region": row["region_"], "type": row["type_"], "cents": row["cents_"], "loaded": row["loaded_"]}
        for row in map(json.loads, answered(minimal, ["response"]))])
    raise SystemExit
lines = answered(query, peer_cells.INTERVALS)
rows = []
for line in lines:
    cell = json.loads(line)
    cell |= {"cents": cell["cents_"], "loaded": cell["loaded_"], "unloaded": cell["unloaded_"]}
    # grouping() is 0 for a key that the row is grouped by, as in the SQL standard.
    rows.append((cell["month_"] if cell["gm"] == 0 else "All", cell["region_"] if cell["gr"] == 0 else "All",
                 cell["type_"] if cell["gt"] == 0 else "All", cell))
peer_cells.answer(rows)
