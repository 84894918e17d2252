#!/usr/bin/env python3
"""The SQL of queries/ on other engines: DuckDB gives the same rows as SQLite, and Spark's grammar takes every query.

Makes a store of a synthetic export with the command named by TRIPKPI, takes the staging views out of it by
`tripkpi query`, runs the marts' and checks' SQL unmodified (but for the mark of parameters) in DuckDB, and compares
`kpi_cells` and `kpi_intervals` with `tripkpi scan` of the same export. The last line is `N passed, N failed`.
"""
import decimal
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import duckdb
import sqlglot

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUERIES = ROOT / "queries"
ZONE = "America/New_York"
PARAMETERS = {"month": None, "fiscal_year": None, "maximum_seconds": 86400}
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


def ask(tripkpi, store, *question):
    """Rows by `tripkpi query`."""
    command = [tripkpi, "query", *question, "--internal", "--format", "ndjson", "--store", str(store)]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    for row in rows:
        assert row.pop("release").startswith("INTERNAL")
    return rows


def load(connection, tripkpi, store, view):
    """A staging view as a table of DuckDB."""
    columns = described(view)
    connection.execute(f"CREATE TABLE {view.stem} ({', '.join(f'{name} {kind}' for name, kind in columns)})")
    rows = [[row[name] for name, _ in columns] for row in ask(tripkpi, store, "--sql", f"SELECT * FROM {view.stem}")]
    if rows:
        connection.executemany(f"INSERT INTO {view.stem} VALUES ({', '.join('?' * len(columns))})", rows)


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
    ours = [tuple(row[name] for name in names) for row in ask(tripkpi, store, path.stem)]
    if sorted(ours, key=repr) == sorted(theirs, key=repr):
        return True
    print(f"{path.name}: {len(ours)} rows of SQLite and {len(theirs)} of DuckDB differ")
    return False


def scan_agrees(tripkpi, store, summary):
    """Whether the marts hold the numbers of a scan of the same export."""
    def key(row):
        return row["month"], row["region"], row.get("trip_type", row.get("tripType"))
    cells = {key(row): row for row in ask(tripkpi, store, "kpi_cells")}
    intervals = {key(row) + (row["measure"],): row for row in ask(tripkpi, store, "kpi_intervals")}
    pairs = {"trips": "trips", "cancelled": "cancelled", "noShow": "no_show", "inHouse": "in_house_trips",
             "contracted": "contracted_trips", "unclassified": "unclassified_trips", "costedTrips": "costed_trips"}
    wrong = 0
    for theirs in json.loads(summary.read_text(), parse_float=decimal.Decimal)["cells"]:
        ours = cells.get(key(theirs), {})
        wrong += sum(theirs[name] != ours.get(column, 0) for name, column in pairs.items())
        wrong += theirs["totalCost"] * 100 != ours.get("cost_cents", 0)
        for name in INTERVALS:
            mart = intervals.get(key(theirs) + (name,), {})
            figures = [mart.get("used", 0), mart.get("excluded", 0), mart.get("p50_seconds"), mart.get("p90_seconds")]
            wrong += [theirs[name][column] for column in ("used", "excluded", "p50", "p90")] != figures
    print(f"{len(cells)} cells compared with scan, {wrong} figures differ")
    return wrong == 0 and len(cells) > 100


def main():
    tripkpi = os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi"))
    files = sorted(QUERIES.glob("*/*.sql"))
    results = [parses(path) for path in files]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        export, store, summary = folder / "made.csv", folder / "store.sqlite", folder / "summary.json"
        try:
            for command in (
                ["sample", "--rows", "20000", "--seed", "5", "--shuffled", "--output", str(export)],
                ["load", str(export), "--store", str(store), "--zone", ZONE],
                ["scan", str(export), "--zone", ZONE, "--internal", "--quiet", "--format", "json", "--output", str(summary)],
                ["query", "--check", "--store", str(store)],
            ):
                subprocess.run([tripkpi, *command], check=True, capture_output=True)
            connection = duckdb.connect()
            for view in sorted((QUERIES / "staging").glob("*.sql")):
                load(connection, tripkpi, store, view)
            results += [agrees(connection, tripkpi, store, path) for path in files if path.parent.name != "staging"]
            results.append(scan_agrees(tripkpi, store, summary))
        except (subprocess.CalledProcessError, duckdb.Error) as error:
            print(f"failed: {error} {getattr(error, 'stderr', b'') or ''}")
            results.append(False)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
