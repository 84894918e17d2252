#!/usr/bin/env python3
"""The SQL of queries/ on real stores: DuckDB gives the same rows as SQLite, both give the numbers of `tripkpi scan`, and
Spark's grammar takes every query.

Loads the shipped sample, synthetic exports with corrections, voids and copies of each other, and San Francisco's public
file where ../shared is present, with the command named by TRIPKPI; takes the staging views out of each store by `tripkpi
query`, runs the marts' and checks' SQL unmodified (but for the mark of parameters) in DuckDB, and compares what the marts
say with a scan of the same exports. Also asks as a user who may only read. The last line is `N passed, N failed`.
"""
import collections
import csv
import decimal
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import duckdb
import sqlglot

from nightly_site import Checks, corrections, sample

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The rules and lists of the synthetic exports.
os.environ.setdefault("TRIPKPI_CONFIG", str(ROOT / "Tests/Tools/fixtures/sample-settings.yaml"))
QUERIES = ROOT / "queries"
FILES = sorted(QUERIES.glob("*/*.sql"))
SHARED = pathlib.Path(os.environ.get("CHECK_SHARED", ROOT.parent / "shared"))
SAN_FRANCISCO = SHARED / "data/sf_fire_calls_2020-04.csv.gz"
ZONE = ["--zone", "America/New_York"]
NOBODY = 65534
PARAMETERS = {"month": None, "without": None, "fiscal_year": None, "maximum_seconds": 86400}
INTERVALS = ["duration", "response", "turnout", "scene", "transport", "turnaround"]


def parses(path):
    """Whether both dialects take the query as one statement."""
    for dialect in ("sqlite", "spark"):
        try:
            statements = sqlglot.parse(path.read_text(), read=dialect)
        except sqlglot.errors.ParseError as error:
            print(f"{path.name}: {dialect} does not take it: {str(error).splitlines()[0]}")
            return False
        if len(statements) != 1 or not isinstance(statements[0], sqlglot.exp.Query):
            print(f"{path.name}: not one SELECT in {dialect}")
            return False
    return True


def described(path):
    """Columns and types of a query's description, which is YAML of our own plain form."""
    columns, within, name = [], False, None
    for line in path.with_suffix(".yml").read_text().splitlines():
        if re.match(r"\S", line):
            within = line.startswith("columns:")
        elif within and (match := re.match(r"  (\w+):$", line)):
            name = match[1]
        elif within and (match := re.match(r"    type: (\w+)$", line)):
            columns.append((name, {"integer": "BIGINT", "text": "VARCHAR", "real": "DOUBLE"}[match[1]]))
    return columns


@functools.cache
def asked(tripkpi, store, *question):
    """Rows by `tripkpi query`; of a store that nobody changes each question is asked once."""
    return ask(tripkpi, store, *question)


def ask(tripkpi, store, *question, **process):
    """Rows by `tripkpi query`."""
    command = [tripkpi, "query", *question, "--internal", "--format", "ndjson", "--store", str(store)]
    result = subprocess.run(command, check=True, capture_output=True, text=True, **process)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    for row in rows:
        assert row.pop("release").startswith("INTERNAL")
    return rows


def load(connection, tripkpi, store, view):
    """A staging view as a table of DuckDB."""
    columns = described(view)
    connection.execute(f"CREATE TABLE {view.stem} ({', '.join(f'{name} {kind}' for name, kind in columns)})")
    rows = ask(tripkpi, store, "--sql", f"SELECT * FROM {view.stem}")
    if not rows:
        return
    # One statement: DuckDB takes milliseconds for each row that is inserted by itself.
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
        file.flush()
        connection.execute(
            f"INSERT INTO {view.stem} SELECT {', '.join(name for name, _ in columns)} "
            "FROM read_json($file, format = 'newline_delimited', columns = $columns)",
            {"file": file.name, "columns": dict(columns)})
    loaded, = connection.execute(f"SELECT count(*) FROM {view.stem}").fetchone()
    assert loaded == len(rows), f"{view.stem}: {loaded} of {len(rows)} rows"


def plain(value):
    """DuckDB's sums are of 128 bits."""
    return int(value) if isinstance(value, (int, decimal.Decimal)) else value


def agrees(connection, tripkpi, store, path):
    """Whether both engines give the same rows, in whatever order nulls come."""
    sql = path.read_text()
    used = set(re.findall(r":(\w+)", sql))
    cursor = connection.execute(re.sub(r":(\w+)", r"$\1", sql), {name: PARAMETERS[name] for name in used})
    names = [column[0] for column in cursor.description]
    theirs = [tuple(plain(value) for value in row) for row in cursor.fetchall()]
    ours = [tuple(row[name] for name in names) for row in asked(tripkpi, store, path.stem)]
    if sorted(ours, key=repr) == sorted(theirs, key=repr):
        return True
    print(f"{path.name}: {len(ours)} rows of SQLite and {len(theirs)} of DuckDB differ")
    return False


def of_one_month(tripkpi, store, name, month, whole):
    """Whether asking for one month gives that month's rows of the whole answer."""
    rows = ask(tripkpi, store, name, "--param", f"month={month}")
    return bool(rows) and rows == [row for row in whole if row["month"] == month]


def without_months(tripkpi, store, whole):
    """Whether leaving months out of `kpi_cells` takes their rows away, and their trips out of All."""
    months = sorted({row["month"] for row in whole} - {"All"})[:2]
    rows = ask(tripkpi, store, "kpi_cells", "--param", f"without={','.join(months)}")
    trips = lambda rows, month: sum(row["trips"] for row in rows if row["month"] == month
                                    and (row["region"], row["trip_type"]) == ("All", "All"))
    rest = trips(whole, "All") - sum(trips(whole, month) for month in months)
    return not any(row["month"] in months for row in rows) and trips(rows, "All") == rest


def scan_agrees(tripkpi, store, summary):
    """Faults: whether the marts hold the numbers of a scan of the same exports, and the same cells."""
    def key(row):
        return row["month"], row["region"], row.get("trip_type", row.get("tripType"))
    scan = json.loads(summary.read_text(), parse_float=decimal.Decimal)
    cell_rows, interval_rows = asked(tripkpi, store, "kpi_cells"), asked(tripkpi, store, "kpi_intervals")
    cells = {key(row): row for row in cell_rows}
    intervals = {key(row) + (row["measure"],): row for row in interval_rows}
    pairs = {"trips": "trips", "cancelled": "cancelled", "noShow": "no_show", "inHouse": "in_house_trips",
             "contracted": "contracted_trips", "unclassified": "unclassified_trips", "costedTrips": "costed_trips"}
    cents = {"totalCost": "cost_cents", "inHouseCost": "in_house_cost_cents", "contractedCost": "contracted_cost_cents",
             "costNotRun": "cost_not_run_cents"}
    quotients = {"costPerTrip": ("cost_cents", 1, "costed_trips", 100), "loadedMiles": ("loaded_hundredths", 1, 10, 10),
                 "unloadedMiles": ("unloaded_hundredths", 1, 10, 10),
                 "costPerLoadedMile": ("cost_cents_with_loaded_miles", 100, "loaded_hundredths_with_cost", 100)}
    wrong = len(cells.keys() - {key(cell) for cell in scan["cells"]})
    for theirs in scan["cells"]:
        ours = cells.get(key(theirs), {})
        wrong += sum(theirs[name] != ours.get(column, 0) for name, column in pairs.items())
        wrong += sum(theirs[name] * 100 != ours.get(column, 0) for name, column in cents.items())
        for name, (above, times, below, unit) in quotients.items():
            divisor = ours.get(below, 0) if isinstance(below, str) else below
            quotient = half_up(ours.get(above, 0) * times, divisor)
            wrong += theirs[name] != (None if quotient is None else decimal.Decimal(quotient) / unit)
        for name in INTERVALS:
            mart = intervals.get(key(theirs) + (name,), {})
            mean = half_up(mart.get("sum_seconds", 0) * 10, mart.get("used", 0))
            figures = [mart.get("used", 0), mart.get("excluded", 0), mart.get("p50_seconds"), mart.get("p90_seconds"),
                       None if mean is None else decimal.Decimal(mean) / 10]
            wrong += [theirs[name][column] for column in ("used", "excluded", "p50", "p90", "mean")] != figures
    faults = [] if wrong == 0 else [f"{wrong} figures of {len(cells)} cells differ from scan's"]
    faults += [f"{name} of {month} is not its part of the whole" for month in ("All", scan["months"][-1])
               for name, rows in (("kpi_cells", cell_rows), ("kpi_intervals", interval_rows))
               if not of_one_month(tripkpi, store, name, month, rows)]
    return faults + quality_faults(tripkpi, store, scan, cells)


def half_up(above, below):
    """As the program rounds, halves away from zero; None over nothing."""
    if below == 0:
        return None
    size = (2 * abs(above) + abs(below)) // (2 * abs(below))
    return size if (above < 0) == (below < 0) else -size


def quality_faults(tripkpi, store, scan, cells):
    """The marts besides the KPIs: they add up to the same totals and to what the scan says of its records."""
    total = cells["All", "All", "All"]
    by_rule = asked(tripkpi, store, "sourcing_by_rule")
    months = asked(tripkpi, store, "months")
    ledger = collections.Counter()
    for row in asked(tripkpi, store, "export_ledger"):
        ledger.update({"read": row["records_read"], "added": row["trips_that_count"], "skipped": row["records_skipped"],
                       "rejected": row["records_rejected"], "unchanged": row["copies_inside"] + row["copies_of_others"],
                       "superseded": row["superseded_inside"] + row["superseded_by_others"]})
    warnings = collections.Counter()
    for row in asked(tripkpi, store, "data_quality"):
        warnings[row["code"]] += row["trips"]
    sums = {
        "sourcing_by_rule": [sum(row[name] for row in by_rule) for name in ("trips", "cost_cents")],
        "cost_by_provider": [sum(row[name] for row in asked(tripkpi, store, "cost_by_provider"))
                             for name in ("trips", "cost_cents")],
        "cost_by_fiscal_year": [sum(row[name] for row in asked(tripkpi, store, "cost_by_fiscal_year"))
                                for name in ("trips", "cost_cents")],
    }
    faults = [f"{name} does not add up to all trips" for name, found in sums.items()
              if found != [total["trips"], total["cost_cents"]]]
    if [(row["month"], row["trips"]) for row in months if row["trips"]] \
            != [(key[0], row["trips"]) for key, row in sorted(cells.items())
                if key[0] != "All" and key[1:] == ("All", "All") and row["trips"]]:
        faults.append("months has other trips than kpi_cells")
    # Of older versions that repeat each other a scan says superseded, the ledger within one export unchanged.
    for counts in (ledger, scan["quality"]):
        counts["older"] = counts["unchanged"] + counts["superseded"]
    faults += [f"export_ledger: {name} {ledger[name]} and scan {scan['quality'][name]}"
               for name in ("read", "skipped", "rejected", "added", "older") if ledger[name] != scan["quality"][name]]
    faults += [f"data_quality: {code} {warnings[code]} and scan {count}"
               for code, count in scan["quality"]["warnings"].items() if warnings[code] != count]
    return faults


def store_faults(tripkpi, folder, exports, meaning):
    """Loads exports into a new store and holds every query to DuckDB and to a scan."""
    folder.mkdir(exist_ok=True)
    store, summary = folder / "store.sqlite", folder / "summary.json"
    exports = [str(path) for path in exports]
    for command in (
        ["load", *exports, "--store", str(store), "--quiet", *meaning],
        ["scan", *exports, "--internal", "--quiet", "--format", "json", "--output", str(summary), *meaning],
        ["query", "--check", "--store", str(store)],
    ):
        subprocess.run([tripkpi, *command], check=True, capture_output=True)
    connection = duckdb.connect()
    for view in FILES:
        if view.parent.name == "staging":
            load(connection, tripkpi, store, view)
    faults = [f"{path.name} differs" for path in FILES
              if path.parent.name != "staging" and not agrees(connection, tripkpi, store, path)]
    if not without_months(tripkpi, store, asked(tripkpi, store, "kpi_cells")):
        faults.append("kpi_cells without two months is not the rest")
    faults += scan_agrees(tripkpi, store, summary)
    # The audit log lies beside the store, unless the environment puts it elsewhere.
    left = sorted(path.name for path in folder.iterdir() if ".audit.jsonl" not in path.name)
    if left != ["store.sqlite", "store.sqlite.key", "store.sqlite.lock", "summary.json"]:
        faults.append(f"left behind: {left}")
    return faults


def reader_faults(tripkpi, store):
    """What a user who may only read is answered, and leaves; nothing to look at where nobody can be another user."""
    if os.geteuid() != 0:
        print("not root: nobody who may only read was asked")
        return []
    # Where nobody can get at it, besides the store.
    shop = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
    try:
        shop.chmod(0o755)
        program, data, copy = shop / "tripkpi", shop / "data", shop / "store.sqlite"
        shutil.copy(tripkpi, program)
        shutil.copytree(ROOT / "data", data)
        shutil.copytree(QUERIES, shop / "queries")
        shutil.copy(store, copy)
        copy.chmod(0o644)
        before = sorted(path.name for path in shop.iterdir())
        whole = asked(tripkpi, store, "kpi_cells")
        # Internal answers are on record: who may not write beside the store has an audit log elsewhere.
        log = shop / "logs"
        log.mkdir()
        os.chown(log, NOBODY, NOBODY)
        log.chmod(0o700)
        reader = {"user": NOBODY, "group": NOBODY, "extra_groups": [], "cwd": "/",
                  "env": {**os.environ, "TRIPKPI_DATA": str(data), "HOME": "/nonexistent"}}
        refused = subprocess.run([str(program), "query", "kpi_cells", "--internal", "--store", str(copy)],
                                 capture_output=True, text=True, **reader)
        faults = [] if refused.returncode == 77 and not refused.stdout and "audit_log" in refused.stderr else [
            "nobody is answered without a record"]
        reader["env"]["TRIPKPI_AUDIT_LOG"] = str(log / "audit.jsonl")
        rows = ask(str(program), copy, "kpi_cells", **reader)
        faults += [] if rows == whole else ["nobody is answered otherwise"]
        if '"event":"query","user":"nobody"' not in (log / "audit.jsonl").read_text():
            faults.append("nobody's question is not on record")
        if sorted(path.name for path in shop.iterdir() if path != log) != before:
            faults.append("nobody left something behind")
        return faults
    finally:
        shutil.rmtree(shop)


def overlap(sources, target, every):
    """An export that repeats every n-th record of others."""
    with open(target, "w", newline="", encoding="utf-8") as out:
        writer = None
        for source in sources:
            with open(source, newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                if writer is None:
                    writer = csv.DictWriter(out, reader.fieldnames, lineterminator="\n")
                    writer.writeheader()
                writer.writerows(row for number, row in enumerate(reader)
                                 if number % every == 0 and None not in row and None not in row.values())


def generated(folder):
    """Exports of three months that correct, void and repeat each other. Their names say which is later: a scan goes by
    the order in which they are given."""
    folder.mkdir()
    paths = [folder / f"trips-2026-04-0{day}.csv" for day in range(1, 7)]
    for number in range(3):
        sample(paths[number], 2000, number + 1, "--shuffled", "--no-structural-faults")
    corrections(paths[0], paths[3], every=5)
    corrections(paths[1], paths[4], every=40, status="void", updated="2026-04-01 12:00:00")
    overlap(paths[:3], paths[5], every=7)
    return paths


def main():
    tripkpi = os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi"))
    results = [parses(path) for path in FILES]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = folder / "made.csv"
        subprocess.run([tripkpi, "sample", "--messy", "--rows", "6000", "--seed", "5", "--shuffled", "--output", str(made)],
                       check=True, capture_output=True)
        stores = {"sample": ([ROOT / "data/samples/sample.csv.gz"], ZONE), "two years": ([made], ZONE),
                  "six exports": (generated(folder / "exports"), ZONE)}
        if SAN_FRANCISCO.exists():
            stores["San Francisco"] = ([SAN_FRANCISCO], ["--profile", "sf-fire-calls", "--rules", "sf-fire-calls"])
        else:
            Checks.skip("San Francisco", f"{SAN_FRANCISCO} is not there")
        for number, (label, (exports, meaning)) in enumerate(stores.items()):
            try:
                faults = store_faults(tripkpi, folder / str(number), exports, meaning)
                if label == "six exports":
                    faults += reader_faults(tripkpi, folder / str(number) / "store.sqlite")
            except (subprocess.CalledProcessError, duckdb.Error) as error:
                faults = [f"{error} {getattr(error, 'stderr', b'') or ''}"]
            for fault in faults:
                print(f"{label}: {fault}")
            results.append(not faults)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
