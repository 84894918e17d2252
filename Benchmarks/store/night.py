#!/usr/bin/env python3
"""A night on top of ten million trips: an export of 5,000 records, 1,000 of them corrections of the last three months.

    night.py [--rows 10000000] [--nights 5] [--folder /tmp/tripkpi-night] [--tripkpi .build/release/tripkpi]

Measured, each with all that it publishes: `tripkpi run` over the night's export; a run that tallies every month again
from the store's rows; a run that builds the store anew from all exports; and DuckDB's upsert of the same export into a
table with a unique key, with exact cells of the touched months, and of all months. The contestants take turns.
Afterwards the cells of all three must be equal: tripkpi's to its own full rebuild byte for byte, DuckDB's to tripkpi's
in every number. Prints a table in Markdown. Needs 10 GB for the default size.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from run import machine  # noqa: E402
import duckdb_kpis  # noqa: E402
import peer_cells  # noqa: E402
from timed import timed  # noqa: E402

LAST_MONTHS = (b",2025-07-", b",2025-08-", b",2025-09-")
FIRST_NIGHT = 1_759_900_000  # 2025-10-08


def sampled(options, rows, seed, *words):
    """Lines of a synthetic export, header first."""
    made = subprocess.run([options.tripkpi, "sample", "--messy", "--rows", str(rows), "--seed", str(seed), "--fields", "kpi",
                           "--no-structural-faults", *words], check=True, capture_output=True)
    return made.stdout.splitlines(keepends=True)


def reservoir(base, count, chance):
    """So many plain records of the last three months, any of them as likely as another."""
    kept, seen = [], 0
    with open(base, "rb") as file:
        for line in file:
            if b'"' in line or b",completed," not in line or not any(month in line for month in LAST_MONTHS):
                continue
            seen += 1
            if len(kept) < count:
                kept.append(line)
            elif (place := chance.randrange(seen)) < count:
                kept[place] = line
    return kept


def make_exports(options, folder):
    """The base and the nights, once."""
    base = folder / "base.csv"
    if not base.exists():
        part = folder / "base.part"
        subprocess.run([options.tripkpi, "sample", "--rows", str(options.rows), "--seed", "42", "--months", "24",
                        "--from", "2023-10", "--fields", "kpi", "--no-structural-faults", "--output", str(part)],
                       check=True)
        part.rename(base)
    nights = [folder / f"night-{number}.csv" for number in range(options.nights)]
    if all(night.exists() for night in nights):
        return base, nights
    chance = random.Random(5)
    corrected = reservoir(base, 1000 * len(nights), chance)
    chance.shuffle(corrected)
    for number, night in enumerate(nights):
        header, *new = sampled(options, 6000, 1000 + number, "--from", "2025-07", "--months", "3",
                               "--faulty-per-million", "0", "--corrections-per-million", "0")
        # Plain lines only, with ids that the base does not have.
        lines = [b"%d%s" % (number + 1, line) for line in new
                 if b'"' not in line and line.count(b",") == header.count(b",")]
        for line in corrected[number * 1000:(number + 1) * 1000]:
            fields = line.split(b",")
            fields[2], fields[3] = b"2025-10-%02d 03:00:00" % (number + 2), b"9"
            fields[-3] = b"%d.%02d" % (chance.randrange(200, 900), chance.randrange(100))
            lines.append(b",".join(fields))
        lines = lines[:4000] + lines[-1000:]
        chance.shuffle(lines)
        night.write_bytes(header + b"".join(lines))
    return base, nights


class Site:
    """A folder with inbox, store, key and reports for `tripkpi run`."""
    def __init__(self, folder, tripkpi):
        self.folder, self.tripkpi, self.night = folder, tripkpi, 0
        shutil.rmtree(folder, ignore_errors=True)
        for part in ("inbox", "store", "reports/published"):
            (folder / part).mkdir(parents=True)

    def receive(self, export):
        os.link(export, self.folder / "inbox" / export.name)

    def words(self, verb, *more):
        return [self.tripkpi, verb, "--store", "store/tripkpi.sqlite", "--key-file", "store/trips.key", *more]

    def environment(self):
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
                "SOURCE_DATE_EPOCH": str(FIRST_NIGHT + 86_400 * self.night),
                **({"TRIPKPI_DATA": os.environ["TRIPKPI_DATA"]} if "TRIPKPI_DATA" in os.environ else {})}

    def run(self):
        os.sync()
        return timed(self.words("run", "--inbox", "inbox", "--reports", "reports/published", "--quiet"),
                     cwd=self.folder, env=self.environment())

    def forget_tallies(self):
        """As after a kill between loading and tallying, in every month."""
        with sqlite3.connect(self.folder / "store/tripkpi.sqlite") as store:
            store.execute("UPDATE month_tallies SET is_stale = 1")

    def cells(self):
        # Of staff: the release keeps the figures of the night that released a month, so a rebuilt store's has others.
        return (self.folder / "reports/published/staff/current/kpi-cells.csv").read_bytes()

    def report(self, path):
        words = [self.words("report")[0], "report", "--store", "store/tripkpi.sqlite", "--internal", "--quiet",
                 "--format", "json", "--output", str(path)]
        subprocess.run(words, cwd=self.folder, env=self.environment(), check=True)


def duckdb(store, export, months, output=subprocess.DEVNULL):
    os.sync()
    return timed([sys.executable, HERE / "duckdb_night.py", store, export, "--months", months], output)


def check(site, rebuilt, cells, summary):
    """Exits unless all came to the same figures."""
    if site.cells() != rebuilt.cells():
        sys.exit("the cells after the nights are not those of the rebuilt store")
    rows = {tuple(c[:3]): dict(zip(peer_cells.COLUMNS, c[3:])) for c in json.loads(cells.read_text())}
    site.report(summary)
    checked, differences = duckdb_kpis.compare(rows, summary)
    if differences:
        sys.exit("DuckDB and tripkpi differ:\n" + "\n".join(differences[:20]))
    print(f"all agree: {checked} numbers of {len(rows)} cells", file=sys.stderr)


def prepared(description, *required):
    """The options, the folder, and the exports in it."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in required:
        parser.add_argument(name, required=True)
    parser.add_argument("--tripkpi", default=str(HERE.parents[1] / ".build/release/tripkpi"))
    parser.add_argument("--folder", default="/tmp/tripkpi-night")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--nights", type=int, default=5)
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    return options, folder, *make_exports(options, folder)


def main():
    options, folder, base, nights = prepared(__doc__)
    results = {name: [] for name in (
        "tripkpi run, the night", "tripkpi run, all months from rows", "tripkpi run, full rebuild",
        "DuckDB, upsert and touched months", "DuckDB, upsert and all months")}
    night, rows, rebuild, touched, everything = results.values()

    site = Site(folder / "site", options.tripkpi)
    site.receive(base)
    first = site.run()
    stores = {months: folder / f"{months}.duckdb" for months in ("touched", "all")}
    for path in [*folder.glob("*.duckdb*")]:
        path.unlink()
    duckdb_first = duckdb(stores["touched"], base, "none")
    shutil.copyfile(stores["touched"], stores["all"])
    cells = folder / "cells.json"
    for site.night, export in enumerate(nights, 1):
        site.receive(export)
        night.append(site.run())
        site.forget_tallies()
        rows.append(site.run())
        touched.append(duckdb(stores["touched"], export, "touched"))
        with open(cells, "wb") as output:
            everything.append(duckdb(stores["all"], export, "all", output))
    for _ in range(2):
        rebuilt = Site(folder / "rebuilt", options.tripkpi)
        for export in [base, *nights]:
            rebuilt.receive(export)
        rebuilt.night = site.night
        rebuild.append(rebuilt.run())
    check(site, rebuilt, cells, folder / "summary.json")

    name, cores = machine()
    print(f"{options.nights} nights of 5,000 records on {options.rows:,}, {name}, {cores} cores; medians\n\n"
          "| contestant | wall s | CPU s | peak MiB | wall against the night | CPU against the night |\n"
          "|---|---|---|---|---|---|")
    medians = {name: [statistics.median(column) for column in zip(*runs)] for name, runs in results.items()}
    own = next(iter(medians.values()))
    for name, (wall, cpu, memory) in medians.items():
        print(f"| {name} | {wall:.3f} | {cpu:.3f} | {memory:.0f} | {wall / own[0]:.1f} | {cpu / own[1]:.1f} |")
    size = (site.folder / "store/tripkpi.sqlite").stat().st_size
    print(f"\nFirst load of the base: tripkpi {first[0]:.1f} s, {first[2]:.0f} MiB, store {size / 1e9:.2f} GB; "
          f"DuckDB with its key {duckdb_first[0]:.1f} s, {duckdb_first[2]:.0f} MiB, "
          f"{stores['all'].stat().st_size / 1e9:.2f} GB.")


if __name__ == "__main__":
    main()
