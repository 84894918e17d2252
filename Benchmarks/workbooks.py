#!/usr/bin/env python3
"""Races tripkpi against readers of workbooks (.xlsx) on the same sheet of 12 columns.

    .build/bench-venv/bin/python Benchmarks/workbooks.py [--rows 1000000] [--runs 3] [--writer openpyxl|xlsxwriter] [--before PATH]

The sheet is written by openpyxl, with its texts in the cells, or by XlsxWriter, with shared texts as Excel writes them. tripkpi does
its whole job; a peer only reads the sheet into memory, counts its rows and adds up the cost. Before any time counts these must be
equal to the cent. Each round runs every contestant once. DuckDB's reader is an extension that is fetched when it is first used: it
is left out, and that is said, where it cannot be.
"""
import argparse
import datetime
import importlib.metadata
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from run import machine, measure  # noqa: E402

COLUMNS = ["trip_id", "trip_type", "region", "unit_notified_at", "en_route_at", "on_scene_at", "left_scene_at", "arrived_at",
           "completed_at", "contract_number", "loaded_miles", "cost"]
PEERS = ("calamine", "polars", "openpyxl", "duckdb")


def records(count):
    pick = random.Random(1)
    for number in range(count):
        times = [datetime.datetime(2025, 1, 1) + datetime.timedelta(seconds=pick.randrange(86_400 * 90))]
        for seconds in (90, 600, 900, 1200, 1500):
            times.append(times[-1] + datetime.timedelta(seconds=round(pick.uniform(.5, 1.5) * seconds)))
        yield [f"T{number:07}", pick.choice(("Emergency", "Routine")), pick.choice(("North", "South", "East", "West")), *times,
               pick.choice((None, "C1")), round(pick.uniform(1, 30), 1), round(pick.uniform(100, 900), 2)]


def write(path, rows, writer):
    if writer == "openpyxl":
        import openpyxl
        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet("Trips")
        sheet.append(COLUMNS)
        for row in records(rows):
            sheet.append(row)
        book.save(path)
        return
    import xlsxwriter
    # Not in constant memory: that mode writes texts into the cells.
    book = xlsxwriter.Workbook(path, {"default_date_format": "yyyy-mm-dd hh:mm:ss", "tmpdir": str(path.parent)})
    sheet = book.add_worksheet("Trips")
    sheet.write_row(0, 0, COLUMNS)
    for number, row in enumerate(records(rows), 1):
        sheet.write_row(number, 0, row)
    book.close()


def peer(name, path):
    """Rows and cents of the sheet, as a peer reads it."""
    if name == "calamine":
        import python_calamine
        rows = python_calamine.CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()
        return len(rows) - 1, sum(round(row[-1] * 100) for row in rows[1:])
    if name == "polars":
        import polars
        frame = polars.read_excel(path)
        return frame.height, int((frame["cost"] * 100).round().sum())
    if name == "openpyxl":
        import openpyxl
        rows, cents = -1, 0
        for row in openpyxl.load_workbook(path, read_only=True).active.iter_rows(values_only=True):
            rows += 1
            cents += round(row[-1] * 100) if rows else 0
        return rows, cents
    import duckdb
    database = duckdb.connect()
    database.execute("install excel; load excel")
    return database.execute(f"select count(*), sum(round(cost * 100))::bigint from read_xlsx('{path}')").fetchone()


def has_duckdb_reader():
    # In another process: what is loaded here would count as memory of those that are measured.
    script = "import duckdb; duckdb.connect().execute('install excel; load excel')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print("left out: DuckDB's reader of workbooks, which cannot be fetched here")
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tripkpi", default=str(HERE.parent / ".build/release/tripkpi"))
    parser.add_argument("--before", help="another build of tripkpi")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--writer", choices=("openpyxl", "xlsxwriter"), default="openpyxl")
    parser.add_argument("--folder", type=pathlib.Path, default=HERE.parent / ".build/bench")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    options = parser.parse_args()
    path = options.folder / f"{options.rows}-{options.writer}.xlsx"
    if options.peer:
        print(json.dumps(peer(options.peer, str(path))))
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        write(path, options.rows, options.writer)
    # Written back now, not during the measurement.
    os.sync()
    scan = ["scan", str(path), "--unique", "--internal", "--format", "json", "--quiet"]
    table = {"tripkpi": [options.tripkpi, *scan]}
    if options.before:
        table["before"] = [options.before, *scan]
    for name in PEERS:
        if name != "duckdb" or has_duckdb_reader():
            table[name] = [sys.executable, __file__, "--rows", str(options.rows), "--writer", options.writer,
                           "--folder", str(options.folder), "--peer", name]
    rounds = {name: [] for name in table}
    wanted = [options.rows, sum(round(row[-1] * 100) for row in records(options.rows))]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRIPKPI_AUDIT_LOG"] = f"{folder}/audit.jsonl"
        for round_number in range(options.runs + 1):
            for name, command in table.items():
                # Slower by ten times: one round shows it.
                if name == "openpyxl" and round_number > 1:
                    continue
                output = pathlib.Path(folder) / name
                result = measure(command, output)
                if round_number:  # the first round warms the page cache
                    rounds[name].append(result)
                else:
                    answer = json.loads(output.read_text())
                    if isinstance(answer, dict):
                        cell = answer["cells"][0]
                        answer = [cell["trips"], round(cell["totalCost"] * 100)]
                    print(f"{name}: {answer[0]} rows, {answer[1]} cents")
                    if list(answer) != wanted:
                        sys.exit(f"{name} differs from what was written: {wanted}")
    name, cores = machine()
    versions = ", ".join(f"{package} {importlib.metadata.version(package)}" for package in ("python-calamine", "polars", "openpyxl", "duckdb"))
    print(f"\n{path.name}: {path.stat().st_size / 1e6:.0f} MB; {name}, {cores} cores; {versions}\n")
    print("| contestant | wall s | CPU s | peak MiB | times the wall of tripkpi, paired (least–most) |\n|---|---|---|---|---|")
    for name, results in rounds.items():
        wall, cpu, memory = (statistics.median(column) for column in zip(*results))
        ratios = [a[0] / b[0] for a, b in zip(results, rounds["tripkpi"])]
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {memory:.0f} | {statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}) |")


if __name__ == "__main__":
    main()
