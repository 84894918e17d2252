#!/usr/bin/env python3
"""Backfill: a million trips into an empty store, against the sqlite3 shell and a C program.

    backfill.py [--rows 1000000] [--runs 5] [--folder /tmp/tripkpi-backfill] [--tripkpi .build/release/tripkpi]

Each round runs every contestant once into a store of its own that is not there before. All are durable when they end.
Before any time counts, all must hold the same trips; the C program's rows and tripkpi's must agree month by month in
trips, cents and seconds. Prints a table in Markdown.
"""
import argparse
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from run import machine  # noqa: E402
from timed import timed  # noqa: E402

KINDS = {"sequence": "INTEGER", "loaded_miles": "REAL", "unloaded_miles": "REAL", "cost": "REAL"}
TUNED = ("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -262144;"
         "PRAGMA locking_mode = EXCLUSIVE;\n")
# Cost and month of the few bad values are left out: the C program reads what it can of them, tripkpi warns of them.
TOTALS = """SELECT COUNT(*), SUM(status = 0), SUM(CASE WHEN status = 0 AND duration >= 0 THEN duration END) FROM trips"""
C_WAYS = ["text", "row", "row hmac", "sorted", "sorted hmac"]


def compiled(folder):
    """The C program; without OpenSSL's headers, without the ways that need it."""
    target = folder / "backfill"
    build = ["cc", "-O2", "-march=native", "-D_GNU_SOURCE", str(HERE / "backfill.c"), "-o", str(target), "-lsqlite3"]
    if subprocess.run([*build, "-DHMAC", "-lcrypto"], check=False, stderr=subprocess.DEVNULL).returncode == 0:
        return target, C_WAYS
    subprocess.run(build, check=True)
    return target, [way for way in C_WAYS if "hmac" not in way]


def shell_script(path, export, tuned):
    """What the sqlite3 shell reads: typed columns, the same unique key, a later record in the place of an earlier."""
    with open(export, encoding="utf-8") as file:
        names = file.readline().rstrip().split(",")
    columns = ", ".join(f"{name} {KINDS.get(name, 'TEXT')}" for name in names)
    path.write_text(f"{TUNED if tuned else ''}CREATE TABLE trips ({columns}, PRIMARY KEY (trip_id, leg_id) "
                    f"ON CONFLICT REPLACE);\n.import --csv --skip 1 {export} trips\n", encoding="utf-8")
    return path


def contestants(options, folder, export):
    """Name → command; `{store}` stands for its store."""
    program, ways = compiled(folder)
    plain, tuned = (shell_script(folder / f"shell-{tuned}.sql", export, tuned) for tuned in (False, True))
    table = {"sqlite3 .import": ["sqlite3", "{store}", f".read {plain}"],
             "sqlite3 .import, tuned": ["sqlite3", "{store}", f".read {tuned}"]}
    for way in ways:
        table[f"C, {way}"] = [str(program), *way.split(), str(export), "{store}"]
    table["tripkpi load"] = [options.tripkpi, "load", str(export), "--store", "{store}", "--key-file",
                             str(folder / "trips.key"), "--quiet"]
    return {name: command for name, command in table.items() if not options.only or options.only in name}


def emptied(store):
    for path in store.parent.glob(store.name + "*"):
        path.unlink()


def check(stores):
    """Exits unless all stores hold the same trips."""
    totals, counts = {}, {}
    for name, store in stores.items():
        with sqlite3.connect(store) as database:
            counts[name] = database.execute("SELECT COUNT(*) FROM trips").fetchone()[0]
            if name.startswith(("C, row", "C, sorted", "tripkpi")):
                totals[name] = database.execute(TOTALS).fetchone()
    if len(set(counts.values())) != 1:
        sys.exit(f"the stores hold different numbers of trips: {counts}")
    if len(set(totals.values())) != 1:
        sys.exit(f"trips, completed trips or their durations differ: {totals}")
    print(f"all hold {next(iter(counts.values()))} trips; {', '.join(totals)} agree in completed trips and durations",
          file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tripkpi", default=str(HERE.parents[1] / ".build/release/tripkpi"))
    parser.add_argument("--folder", default="/tmp/tripkpi-backfill")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", help="contestants whose name holds this")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    export = folder / f"trips-{options.rows}.csv"
    if not export.exists():
        subprocess.run([options.tripkpi, "sample", "--messy", "--rows", str(options.rows), "--seed", "42", "--fields", "kpi",
                        "--no-structural-faults", "--faulty-per-million", "0", "--shuffled", "--output", str(export)],
                       check=True)
    table = contestants(options, folder, export)
    stores = {name: folder / f"{number}.sqlite" for number, name in enumerate(table)}
    rounds = {name: [] for name in table}
    for round_number in range(options.runs + 1):
        for name, command in table.items():
            emptied(stores[name])
            os.sync()  # nobody pays for what another one wrote
            result = timed([word.replace("{store}", str(stores[name])) for word in command])
            if round_number:  # the first round warms the page cache
                rounds[name].append(result)
        if round_number == 0:
            check(stores)
    name, cores = machine()
    print(f"Backfill of {options.rows:,} records, {export.stat().st_size / 1e6:.0f} MB, {name}, {cores} cores, "
          f"medians of {options.runs} interleaved runs\n\n"
          "| contestant | wall s | CPU s | peak MiB | store MB | wall against tripkpi (least–most) |\n"
          "|---|---|---|---|---|---|")
    reference = rounds.get("tripkpi load") or next(iter(rounds.values()))
    for name, results in rounds.items():
        wall, cpu, memory = (statistics.median(column) for column in zip(*results))
        ratios = [a[0] / b[0] for a, b in zip(results, reference)]
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {memory:.0f} | {stores[name].stat().st_size / 1e6:.0f} | "
              f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}) |")
    for store in stores.values():
        emptied(store)


if __name__ == "__main__":
    main()
