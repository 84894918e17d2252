#!/usr/bin/env python3
"""The release against a second implementation, cell by cell and number by number.

Random populations of many months (each month is divided by itself) are scanned by the program and by
`release_partition.py`: every number and flag of every cell, the merged groups, the months and the CSV must be the same. The
groups are disjoint and large enough, and the document is the same under any order of the rows, division into files and number
of threads; reports of parts agree with the reference, and with the whole. One population in three is released with the setting
`missing_counts: omit`.

TRIPKPI_POPULATIONS says how many months (400; 10000 by hand), TRIPKPI_SEED which ones.
"""
import csv
import io
import itertools
import os
import pathlib
import random
import sys
import tempfile

from nightly_site import Checks
from release_data import INTERVALS, document, key_of, numbers, population, run
from release_partition import Release

COUNT = int(os.environ.get("TRIPKPI_POPULATIONS", "400"))
SEED = int(os.environ.get("TRIPKPI_SEED", "7"))
MONTHS = 20
FLAGS = ("suppressed", "complete", "revisionPending", "sourcingSuppressed")


def expected_numbers(cell):
    found = {}
    for name, value in cell.items():
        if name in INTERVALS:
            found |= {f"{name}.{part}": number for part, number in value.items() if number is not None}
        elif value is not None and name != "patients":
            found[name] = value
    return found


def differences(text, table):
    """What the document has other than the reference."""
    summary, names = document(text), table.release.names
    lines = []

    def same(what, ours, theirs):
        if ours != theirs:
            lines.append(f"{what}: reference {ours}, document {theirs}")

    shown = [month for month in table.months if not table.cells[month, "All", "All"]["suppressed"]]
    same("months", shown, summary["months"])
    same("withheldMonths", sorted({*table.withheld, *table.months} - {*shown}), summary["withheldMonths"])
    same("regions", ["All"] + [names[0][r] for r in table.region_codes], summary["filters"]["regions"])
    same("types", ["All"] + [names[1][t] for t in table.type_codes], summary["filters"]["tripTypes"])
    same("order of cells", list(table.cells), [key_of(cell) for cell in summary["cells"]])
    for theirs in summary["cells"]:
        ours = expected_numbers(table.cells.get(key_of(theirs), {}))
        found = numbers(theirs)
        if ours.get("suppressed"):
            found = {name: value for name, value in found.items() if name not in ("sourcingBasis", "incompleteMeasures")}
        for name in ours.keys() | found.keys():
            if ours.get(name) != found.get(name):
                same(f"{key_of(theirs)} {name}", ours.get(name), found.get(name))
    same("mergedGroups", sorted(map(str, table.merged)), sorted(str(
        (group["month"], list(zip(group["regions"], group["tripTypes"])), group["trips"]))
        for group in summary["mergedGroups"]))
    omits = table.release.missing == "omit"
    same("missingCounts", "omitted" if omits else None, summary["privacy"].get("missingCounts"))
    same("withheldHeadlines", omits, {"avgDuration", "cost"} <= {*summary["withheldHeadlines"]} if omits else False)
    same("tripsWithCost", None, (summary["qualityShares"] or {}).get("tripsWithCost") if omits else None)
    overall, whole = table.cells["All", "All", "All"], numbers(summary["cells"][0])
    same("totalTrips", overall["trips"], summary["totalTrips"])
    same("chartData", [table.cells[m, "All", "All"]["trips"] for m in shown], summary["chartData"])
    same("avgDuration", whole.get("duration.mean", 0), int(summary["avgDuration"] * 10))
    same("inHousePercent", whole.get("inHousePercent", 0), summary["inHousePercent"])
    same("cost", whole.get("costPerTrip", 0), int(summary["cost"] * 100))
    same("suppressedCells", sum(cell["suppressed"] for cell in table.cells.values()),
         summary["privacy"]["suppressedCells"])
    quality = {name: value for name, value in summary["quality"].items() if name not in ("warnings", "freshness")}
    same("counts of records", [], [name for name, value in quality.items() if value is not None])
    same("warnings", [], [name for name, value in summary["quality"]["warnings"].items() if value is not None])
    return lines


def csv_differences(text, table):
    """Flags, counts and patients of the CSV; that its other numbers are the JSON's, check_reports.py says."""
    rows = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
    lines = [] if len(rows) == len(table.cells) else [f"{len(rows)} lines of {len(table.cells)} cells"]
    for line in rows:
        lines += [f"CSV has {column}" for column, value in line.items() if value and table.release.missing == "omit" and (
            column.endswith(("_used", "_excluded", "_mean_seconds")) or column in ("costed_trips", "cost_per_trip_dollars"))]
        ours = table.cells.get((line["month"], line["region"], line["trip_type"]), {})
        for column, name in (("trips", "trips"), ("cancelled", "cancelled"), ("no_show", "noShow"), ("in_house", "inHouse"),
                             ("costed_trips", "costedTrips"), ("suppressed", "suppressed"), ("complete", "complete")):
            value = ours.get(name)
            shown = "" if value is None else str(value).lower()
            if line[column] != shown:
                lines.append(f"CSV {line['month']} {line['region']} {line['trip_type']} {column}: {line[column]!r}, not {shown!r}")
        patients = {None: "", 0: "0"}.get(ours.get("patients"), "11+")
        if line["patients"] != patients:
            lines.append(f"CSV {line['month']} {line['region']} {line['trip_type']} patients {line['patients']!r}")
    return lines


def group_faults(release, minimum=11):
    """Groups that are too small or overlap, and trips that are in none although their population is shown."""
    lines = []
    for month, populations in release.groups.items():
        for status, groups in populations.items():
            for one, other in itertools.combinations(groups or (), 2):
                if one.scope & other.scope:
                    lines.append(f"{month} {status}: two groups share a leaf")
            for group in groups or ():
                patients = {trip.patient for trip in group.trips if trip.patient}
                if len(group.trips) < minimum or 0 < len(patients) < minimum:
                    lines.append(f"{month} {status}: a group of {len(group.trips)} trips, {len(patients)} patients")
    return lines


def check(checks, seed, folder):
    rng = random.Random(f"{SEED} {seed}")
    data = population(f"{SEED} {seed}", MONTHS)
    data.missing = "omit" if seed % 3 == 1 else "publish"
    release = Release(data.trips, data.regions, data.types, keep=data.keep, missing=data.missing)
    path = data.write(folder)
    what = f"seed {SEED} {seed}, {len(data.regions)} x {len(data.types)}, {data.keep}, {data.missing}, {len(data.rows)} rows"
    checks.hold(f"{what}, groups", *group_faults(release))
    table = release.select()
    text = run(folder, "scan", path, "--format", "json", expect=65)
    if table is None or text is None:
        return checks.hold(what, (table is None) != (text is None) and "shown by one of the two alone")
    checks.hold(what, *differences(text, table)[:8])
    checks.hold(f"{what}, CSV", *csv_differences(run(folder, "scan", path, "--format", "csv"), table)[:8])
    if seed % 4 == 0:
        rows = data.rows[:]
        rng.shuffle(rows)
        cut = sorted(rng.randrange(len(rows) + 1) for _ in range(2))
        parts = [data.write(folder, f"part{n}.csv", part) for n, part in
                 enumerate((rows[:cut[0]], rows[cut[0]:cut[1]], rows[cut[1]:]))]
        again = run(folder, "scan", *rng.sample(parts, 3), "--format", "json", "--jobs", rng.choice((1, 2, 5)))
        checks.hold(f"{what}, other order, files and threads", again != text and "another document")
    for _ in range(2):
        select(checks, rng, what, data, release, folder, path)


def select(checks, rng, what, data, release, folder, path):
    """A report of a part: the same groups, those that lie inside it."""
    words, codes = [], {}
    for option, names in (("--region", data.regions), ("--type", data.types)):
        codes[option] = None
        if rng.random() < 0.6:
            chosen = rng.sample(names, rng.randint(1, len(names)))
            words += [word for name in chosen for word in (option, name)]
            codes[option] = {names.index(name) + 1 for name in chosen}
    months = None
    if rng.random() < 0.6:
        first, last = sorted(rng.choices(release.met, k=2))
        words += ["--from", first, "--to", last]
        months = {month for month in release.met if first <= month <= last}
    table = release.select(codes["--region"], codes["--type"], months)
    text = run(folder, "report", path, "--format", "json", *words, expect=65)
    what = f"{what}, report {' '.join(words)}"
    if table is None or text is None:
        checks.hold(what, (table is None) != (text is None) and f"shown by {'the program' if text else 'the reference'} alone")
    else:
        checks.hold(what, *differences(text, table)[:8])


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(max(1, COUNT // MONTHS)):
            check(checks, seed, pathlib.Path(folder))
    print(f"{COUNT} months of made-up trips")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
