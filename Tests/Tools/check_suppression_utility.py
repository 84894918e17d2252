#!/usr/bin/env python3
"""How much more tripkpi hides than must be hidden: small tables against the optimum of an integer program.

Each table has one to three months, two to four regions and one to three types, and trips that differ in nothing else;
so only counts of trips decide. The program (scipy's HiGHS) hides the fewest cells such that each count from 1 to 10
could as well be 11 or more, in a table of counts that agrees with all that is shown. Zeros and the total of all are
never hidden; hidden counts are at least 1. The bound is on cells, whole tables are solved at once.

    check_suppression_utility.py           # TRIPKPI_TABLES=200 before a release, TRIPKPI_SEED=1
    TRIPKPI_TABLES=5 TRIPKPI_ATTACK_LIST=1 check_suppression_utility.py     # a line for each table

A table fails that shows more than is possible, or breaks; all fail together if the ratio is over TRIPKPI_RATIO (2.0).
The last line is `N passed, N failed`.
"""
import collections
import concurrent.futures
import datetime
import itertools
import json
import os
import pathlib
import random
import sys
import tempfile
import time

import numpy
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import lil_matrix

from attack import ALL, PublishedSet, attack
from check_disclosure import run
from disclosure_data import Population, write_export
from nightly_site import TRIPKPI, Checks

TABLES = int(os.environ.get("TRIPKPI_TABLES", 16))
SEED = int(os.environ.get("TRIPKPI_SEED", 1))
RATIO = float(os.environ.get("TRIPKPI_RATIO", 2.0))
LIST = bool(os.environ.get("TRIPKPI_ATTACK_LIST"))
MINIMUM = 11
SECONDS_A_PROGRAM = 20


def table(generator):
    """Leaf → trips; flat or in three dimensions, with some zeros and a share of small counts."""
    months, regions, types = generator.choice(((1, 3, 3), (1, 4, 3), (1, 4, 2), (3, 3, 1), (2, 2, 2), (2, 3, 2)))
    small = generator.choice((0.1, 0.2, 0.4))
    return {leaf: 0 if generator.random() < 0.08 else generator.randint(1, 10) if generator.random() < small
            else generator.randint(11, 90)
            for leaf in itertools.product(range(months), range(regions), range(types))}


def export(values):
    """Trips whose other measures are all alike: in-house, timed, costed."""
    data = Population(sorted({f"R{leaf[1]}" for leaf in values}), sorted({f"T{leaf[2]}" for leaf in values}), "table")
    for (month, region, kind), count in values.items():
        for number in range(count):
            start = datetime.datetime(2025, 1 + month, 1 + number % 28, 8)
            times = {name: str(start + datetime.timedelta(minutes=10 * step)) for step, name in enumerate(
                ("unit_notified_at", "en_route_at", "on_scene_at", "left_scene_at", "arrived_at", "completed_at"))}
            data.rows.append({"trip_id": str(len(data.rows)), "status": "completed", "region": f"R{region}",
                              "trip_type": f"T{kind}", "service_date": start.date().isoformat(), "cost": "100.00",
                              "loaded_miles": "5", "unloaded_miles": "5", "hcpcs_modifiers": "QN", **times})
    return data


def least_hidden(counts, children):
    """The fewest cells that must be hidden, or nothing if no pattern is safe; and whether that is proven.

    - counts: cell → trips; children: (cell, its parts) for each sum.
    """
    cells = [key for key, count in counts.items() if count > 0]
    place = {key: n for n, key in enumerate(cells)}
    sums = [(place[parent], [place[part] for part in parts if part in place])
            for parent, parts in children if parent in place]
    small = [n for n, key in enumerate(cells) if counts[key] < MINIMUM]
    size = len(cells)
    if not small:
        return [], True
    # Columns: hidden or not, then for each small count the change of every cell in a table where it is 11.
    changes = [size * (1 + n) for n in range(len(small))]
    width, most = size * (1 + len(small)), 10.0 * 12
    low, high = numpy.concatenate([numpy.zeros(size), numpy.full(width - size, -most)]), numpy.full(width, most)
    high[:size] = 1.0
    low[small] = 1.0
    if (ALL, ALL, ALL) in place:
        high[place[(ALL, ALL, ALL)]] = 0.0
    rows = len(small) * (len(sums) + 2 * size)
    matrix, least, greatest = lil_matrix((rows, width)), numpy.zeros(rows), numpy.zeros(rows)
    row = 0
    for first, one in zip(changes, small):
        low[first + one] = MINIMUM - counts[cells[one]]
        for parent, parts in sums:
            matrix[row, first + parent] = -1.0
            for part in parts:
                matrix[row, first + part] = 1.0
            row += 1
        for n, key in enumerate(cells):
            matrix[row, first + n], matrix[row, n] = 1.0, -most  # change ≤ most × hidden
            least[row] = -numpy.inf
            matrix[row + 1, first + n], matrix[row + 1, n] = 1.0, min(most, counts[key] - 1.0)  # and leaves 1 at least
            greatest[row + 1] = numpy.inf
            row += 2
    costs = numpy.concatenate([numpy.ones(size), numpy.zeros(width - size)])
    whole = numpy.concatenate([numpy.ones(size), numpy.zeros(width - size)])
    found = milp(costs, constraints=LinearConstraint(matrix.tocsr(), least, greatest), bounds=Bounds(low, high),
                 integrality=whole, options={"time_limit": SECONDS_A_PROGRAM})
    if found.x is None:
        return None, found.status == 2
    return [key for n, key in enumerate(cells) if found.x[n] > 0.5], found.status == 0


def one(seed):
    """(hidden small counts, hidden by tripkpi, least, is proven, broken counts, dimensions); None: nothing published."""
    values = table(random.Random(seed))
    with tempfile.TemporaryDirectory(prefix="tripkpi-utility-") as folder:
        write_export(pathlib.Path(folder), export(values))
        summary = run(folder, [TRIPKPI], "scan", "trips.csv", "--format", "json", "--quiet", allowed=(0, 65))
        if summary is None:
            return None
        internal = run(folder, [TRIPKPI], "scan", "trips.csv", "--format", "json", "--quiet", "--internal")
    found, truth = PublishedSet(summary, name=f"table {seed}"), PublishedSet(internal)
    counts = {key: cell["trips"] for key, cell in truth.cells.items()}
    children = [(key, parts) for key in counts for parts in truth.children(key)]
    hidden = [key for key, cell in found.cells.items() if "trips" not in cell and counts[key]]
    report = attack([found], ["status"])
    broken = [finding for finding in report.of("determined", "inside") if finding.figure == "trips"]
    pattern, is_proven = least_hidden(counts, children)
    least = None if pattern is None else len(pattern)
    is_safe = pattern is None or not breaks(internal, pattern)
    small = sum(0 < count < MINIMUM for count in counts.values())
    trips_hidden = sum(counts[key] for key in hidden if ALL not in key)
    return {"small": small, "hidden": len(hidden), "least": least, "proven": is_proven, "broken": len(broken), "safe": is_safe,
            "audited": json.loads(summary)["privacy"]["auditPassed"] is True,
            "cells": sum(count > 0 for count in counts.values()), "trips": trips_hidden, "of": sum(values.values()),
            "axes": sum(len(axis) > 1 for axis in (truth.months, truth.regions, truth.types))}


def breaks(internal, pattern):
    """What the attack finds in the table if the cells of the pattern are hidden and nothing else."""
    summary = json.loads(internal)
    for cell in summary["cells"]:
        if PublishedSet.key(cell) in pattern:
            cell["trips"] = None
    shown = {c["month"]: c["trips"] for c in summary["cells"] if c["region"] == c["tripType"] == ALL and c["trips"]}
    summary["months"] = [month for month in shown if month != ALL]
    summary["chartData"] = [shown[month] for month in summary["months"]]
    summary["comparisons"] = []
    return [f for f in attack([PublishedSet(json.dumps(summary))], ["status"]).of("determined", "inside")
            if f.figure == "trips"]


def main():
    checks, began, total = Checks(), time.monotonic(), collections.defaultdict(collections.Counter)
    seeds = range(SEED, SEED + TABLES)
    extras = []
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for seed, result in zip(seeds, pool.map(one, seeds)):
            if LIST:
                print(seed, json.dumps(result))
            if result is None:
                total[0]["unpublished"] += 1
                continue
            sums = total[result["axes"]]
            sums["tables"] += 1
            if result["least"] is None:
                # Some tables cannot be made safe without hiding their total; tripkpi should then publish nothing.
                sums["impossible" if result["proven"] else "unsolved"] += 1
                checks.hold(f"table {seed}", "no pattern is safe, and yet it was published"
                            if result["proven"] and result["audited"] else None)
                continue
            for name in ("small", "hidden", "least", "cells", "trips", "of", "proven"):
                sums[name] += result[name]
            extras.append(result["hidden"] - result["least"])
            if not result["audited"]:
                # It hides small counts alone, and says so: only the optimum is tried.
                checks.hold(f"table {seed}", None if result["safe"] else "the optimum itself can be broken")
                continue
            checks.hold(f"table {seed}", None if result["safe"] else "the optimum itself can be broken",
                        f"{result['hidden']} cells are hidden, at least {result['least']} must be"
                        if result["hidden"] < result["least"] and result["proven"] else None,
                        f"{result['broken']} hidden counts can be worked out" if result["broken"] else None)
    whole = collections.Counter()
    for axes, sums in sorted(total.items()):
        whole += sums
        if axes:
            print(f"{axes} dimensions: {words(sums)}")
    print(f"all: {words(whole)}; {whole['unpublished']} not published; cells beyond the least: "
          + ", ".join(f"{extra} in {n}" for extra, n in sorted(collections.Counter(extras).items())))
    ratio = whole["hidden"] / max(1, whole["least"])
    checks.hold("ratio", f"{ratio:.2f} times the least is hidden, more than {RATIO}" if ratio > RATIO else None)
    print(f"{time.monotonic() - began:.0f} s")
    return checks.end()


def words(sums):
    return (f"{sums['tables']} tables, {sums['cells']} cells that are not 0, {sums['small']} small; hidden "
            f"{sums['hidden']} ({100 * sums['hidden'] / max(1, sums['cells']):.0f} %), least {sums['least']} (proven in "
            f"{sums['proven']}), {sums['hidden'] / max(1, sums['least']):.2f} times; trips hidden in leaves "
            f"{100 * sums['trips'] / max(1, sums['of']):.0f} %; impossible {sums['impossible']}, "
            f"unsolved {sums['unsolved']}")


if __name__ == "__main__":
    sys.exit(main())
