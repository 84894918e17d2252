#!/usr/bin/env python3
"""The release against a second implementation and against the staff figures, number by number.

Random populations of many months (each month is divided by itself) are scanned by the program and by
`release_partition.py`: every number and flag of every cell and group, the months, the headlines and the CSV must be the same. The
groups of a population are disjoint and large enough, and the document is the same under any order of the rows, division into files
and number of threads; reports of parts agree with the reference. One population in three is released with the setting
`missing_counts: omit`.

Each released share, mean, ratio, rate, percentile, cost and headline is the staff's of the same cell, but for the stated rounding
of percentiles to 10 seconds, or null and named; a count that is named is at most the staff's.

CHECK_POPULATIONS says how many months (400; 10000 by hand), CHECK_SEED which ones.
"""
import csv
import io
import itertools
import os
import pathlib
import random
import sys
import tempfile
from decimal import Decimal

from nightly_site import Checks
from release_data import INTERVALS, document, figures, key_of, population, run
from release_partition import CLASSES, NOT_RUN, PARTIAL, Release

COUNT = int(os.environ.get("CHECK_POPULATIONS", "400"))
SEED = int(os.environ.get("CHECK_SEED", "7"))
MONTHS = 20
# Columns of the CSV, and the figures that they are.
COLUMNS = {
    "trips": "trips", "cancelled": "cancelled", "no_show": "noShow", "in_house": "inHouse", "contracted": "contracted",
    "unclassified": "unclassified", "in_house_percent": "inHousePercent", "in_house_share": "inHouseShare",
    "total_cost_dollars": "totalCost", "in_house_cost_dollars": "inHouseCost", "contracted_cost_dollars": "contractedCost",
    "costed_trips": "costedTrips", "cost_per_trip_dollars": "costPerTrip", "cost_not_run_dollars": "costNotRun",
    "loaded_miles": "loadedMiles", "unloaded_miles": "unloadedMiles", "cost_per_loaded_mile_dollars": "costPerLoadedMile",
    "loaded_mile_ratio": "loadedMileRatio",
    **{f"{name}_{column}": f"{name}.{part}" for name in INTERVALS for column, part in (
        ("used", "used"), ("excluded", "excluded"), ("mean_seconds", "mean"), ("p50_seconds", "p50"), ("p90_seconds", "p90"))}}
# Figures that need every trip of the cell, and the entries of `incompleteMeasures` that explain a null.
WHOLE = {
    "inHousePercent": ("inHouse", "contracted"), "inHouseShare": ("inHouse", "contracted"), "totalCost": ("cost",),
    "inHouseCost": ("inHouseCost",), "contractedCost": ("contractedCost",), "costPerTrip": ("cost",),
    "costPerLoadedMile": ("cost", "loadedMiles", "costPerLoadedMile"), "loadedMileRatio": ("loadedMiles", "unloadedMiles"),
    **{f"{name}.{part}": (name,) for name in INTERVALS for part in ("mean", "p50", "p90")}}
# Counts and sums that may be "at least", and their entry.
AT_LEAST = {"trips": "trips", **{name: name for name in (*CLASSES, *NOT_RUN)}, "costedTrips": "cost",
            "loadedMiles": "loadedMiles", "unloadedMiles": "unloadedMiles",
            **{f"{name}.{part}": name for name in INTERVALS for part in ("used", "excluded")}}
OF_COUNTS = ("costedTrips", "costPerTrip", "costPerLoadedMile",
             *(f"{name}.{part}" for name in INTERVALS for part in ("used", "excluded", "mean")))


def differences(text, table):
    """What the document has other than the reference."""
    summary, expected = document(text), table.document()
    lines = []

    def same(what, ours, theirs):
        if ours != theirs:
            lines.append(f"{what}: reference {ours}, document {theirs}")

    def same_numbers(what, ours, theirs):
        same(f"{what}, keys", list(ours), list(theirs))
        for name in ours.keys() & theirs.keys():
            if isinstance(ours[name], dict) and isinstance(theirs[name], dict):
                same_numbers(f"{what} {name}", ours[name], theirs[name])
            else:
                same(f"{what} {name}", ours[name], theirs[name])

    for name, ours in expected.items():
        theirs = summary.get(name)
        if name == "privacy":
            for key in (*ours, "missingCounts"):
                same(f"privacy.{key}", ours.get(key), theirs.get(key))
        elif name in ("cells", "groups"):
            place = key_of if name == "cells" else lambda group: (
                group["month"], group["population"], *zip(group["regions"], group["tripTypes"]))
            same(f"places of {name}", list(map(place, ours)), list(map(place, theirs or ())))
            for own, their in zip(ours, theirs or ()):
                same_numbers(f"{name} {place(own)}", own, their)
        else:
            same(name, ours, theirs)
    omits = table.release.missing == "omit"
    same("tripsWithCost", None, (summary["qualityShares"] or {}).get("tripsWithCost") if omits else None)
    quality = {name: value for name, value in summary["quality"].items() if name not in ("warnings", "freshness")}
    same("counts of records", [], [name for name, value in quality.items() if value is not None])
    same("warnings", [], [name for name, value in summary["quality"]["warnings"].items() if value is not None])
    return lines


def joined(names):
    return " or ".join(dict.fromkeys(names))


def types_text(leaves):
    """The trip types of (region, type) pairs; where the regions have different ones, these with their regions."""
    by_region = {}
    for region, kind in leaves:
        by_region.setdefault(region, []).append(kind)
    texts = {}
    for region, kinds in by_region.items():
        texts.setdefault(joined(kinds), []).append(region)
    if len(texts) == 1:
        return next(iter(texts))
    return "; ".join(f"{text} ({', '.join(regions)})" for text, regions in texts.items())


def csv_differences(text, table):
    """A row a cell, then a row a group of several leaves."""
    expected = [(cell["month"], cell["region"], cell["tripType"], "", figures(cell), table.patients[key])
                for key, cell in table.cells.items()]
    for group in table.groups:
        if len(group["regions"]) > 1:
            own = figures(group)
            if group["population"] in NOT_RUN:
                own = {group["population"]: own["trips"]}
            kinds = types_text(zip(group["regions"], group["tripTypes"]))
            expected.append((group["month"], joined(group["regions"]), kinds, group["population"], own, None))
    rows = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
    lines = [] if len(rows) == len(expected) else [f"{len(rows)} lines of {len(expected)} cells and groups"]
    for row, (month, region, kind, whose, ours, patients) in zip(rows, expected):
        what = f"CSV {month} {region} {kind} {whose}"
        if (row["month"], row["region"], row["trip_type"], row.get("population")) != (month, region, kind, whose):
            lines.append(f"{what}: another row is there, {row['month']} {row['region']} {row['trip_type']}")
            continue
        for column, name in COLUMNS.items():
            theirs = Decimal(row[column]) if row[column] else None
            if theirs != ours.get(name):
                lines.append(f"{what} {column}: {theirs}, not {ours.get(name)}")
        for column in ("suppressed", "complete") if patients is not None else ():
            if row[column] != str(ours[column]).lower():
                lines.append(f"{what} {column}: {row[column]!r}")
        if patients is not None and row["patients"] != patients:
            lines.append(f"{what} patients: {row['patients']!r}, not {patients!r}")
    return lines


def other_than_staff(release, staff):
    """Figures of the release that are not the staff's of the same months, and nulls that nothing names."""
    truth = {key_of(cell): figures(cell) for cell in staff["cells"]}
    omits = release["privacy"].get("missingCounts") == "omitted"
    without_mean = {name for name in INTERVALS if all(cell[name]["mean"] is None for cell in release["cells"])}
    for cell in release["cells"]:
        key, own, named = key_of(cell), figures(cell), {*cell["incompleteMeasures"]}
        # Staff have no cells of Unassigned where nothing is unassigned.
        if key not in truth:
            if own.get("trips"):
                yield f"{key}: staff have no such cell"
            continue
        true = truth[key]
        for name, entries in {**WHOLE, **{name: (entry,) for name, entry in AT_LEAST.items()}}.items():
            ours, theirs = own.get(name), true.get(name)
            is_named = cell["suppressed"] or bool(named & {*entries})
            if ours is None:
                is_left_out = name.partition(".")[0] in without_mean and name.endswith(".mean") or omits and name in OF_COUNTS
                if theirs is not None and not is_named and not is_left_out:
                    yield f"{key} {name} is null, and nothing names it"
            elif name in WHOLE and is_named:
                yield f"{key} {name} is shown, although {sorted(named & {*entries})} are not whole"
            elif name.endswith((".p50", ".p90")):
                if theirs is None or abs(ours - theirs) > 5:
                    yield f"{key} {name}: {ours}, but staff have {theirs}"
            elif is_named and (theirs is None or ours > theirs):
                yield f"{key} {name}: at least {ours}, but staff have {theirs}"
            elif not is_named and ours != theirs:
                yield f"{key} {name}: {ours}, but staff have {theirs}"
        if named - {*PARTIAL}:
            yield f"{key}: incompleteMeasures names {sorted(named - {*PARTIAL})}"
    overall, withheld = release["cells"][0], release["withheldHeadlines"]
    for name, figure in (("avgDuration", overall["duration"]["mean"]), ("inHousePercent", overall["inHousePercent"]),
                         ("cost", overall["costPerTrip"])):
        if release[name] != (figure or 0):
            yield f"{name} is not the overall cell's"
        if name not in withheld and release[name] != staff[name]:
            yield f"{name}: {release[name]}, but staff have {staff[name]}"
        if name in withheld and release[name] != 0:
            yield f"{name} is withheld, but not 0"


def group_faults(release, minimum=11):
    """Groups that are too small or overlap, trips that are in none although their population is shown, and counts of values of
    1 to 10 that are shown."""
    for month, populations in release.months.items():
        for name, own in populations.items():
            for one, other in itertools.combinations(own.groups or (), 2):
                if one.leaves & other.leaves:
                    yield f"{month} {name}: two groups share a leaf"
            for group in own.groups or ():
                patients = {trip.patient for trip in group.trips if trip.patient}
                if len(group.trips) < minimum or 0 < len(patients) < minimum:
                    yield f"{month} {name}: a group of {len(group.trips)} trips, {len(patients)} patients"
                if group.measures != {*own.published}:
                    yield f"{month} {name}: a group does not show each measure of its population"


def check(checks, seed, folder):
    rng = random.Random(f"{SEED} {seed}")
    data = population(f"{SEED} {seed}", MONTHS)
    data.missing = "omit" if seed % 3 == 1 else "publish"
    release = Release(data.trips, data.regions, data.types, keep=data.keep, missing=data.missing)
    path = data.write(folder)
    what = f"seed {SEED} {seed}, {len(data.regions)} x {len(data.types)}, {data.keep}, {data.missing}, {len(data.rows)} rows"
    checks.hold(f"{what}, groups", *group_faults(release))
    table = release.select()
    text = run(folder, "scan", path, "--audience", "release", "--format", "json", expect=65)
    if table is None or text is None:
        return checks.hold(what, (table is None) != (text is None) and "shown by one of the two alone")
    checks.hold(what, *differences(text, table)[:8])
    checks.hold(f"{what}, CSV", *csv_differences(
        run(folder, "scan", path, "--audience", "release", "--format", "csv"), table)[:8])
    # Of the released months alone, since All is of them.
    own = data.write(folder, "released.csv", [row for row, trip in zip(data.rows, data.trips) if trip.month in table.months])
    staff = document(run(folder, "scan", own, "--audience", "staff", "--format", "json"))
    checks.hold(f"{what}, staff", *list(other_than_staff(document(text), staff))[:8])
    if seed % 4 == 0:
        rows = data.rows[:]
        rng.shuffle(rows)
        cut = sorted(rng.randrange(len(rows) + 1) for _ in range(2))
        parts = [data.write(folder, f"part{n}.csv", part) for n, part in
                 enumerate((rows[:cut[0]], rows[cut[0]:cut[1]], rows[cut[1]:]))]
        again = run(folder, "scan", *rng.sample(parts, 3), "--audience", "release", "--format", "json",
                    "--jobs", rng.choice((1, 2, 5)))
        checks.hold(f"{what}, other order, files and threads", again != text and "another document")
    for _ in range(2):
        select(checks, rng, what, data, release, folder, path, own)


def select(checks, rng, what, data, release, folder, path, own):
    """A report of a part: the same groups, those that lie inside it; and the staff's report of the same part."""
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
    text = run(folder, "report", path, "--audience", "release", "--format", "json", *words, expect=65)
    what = f"{what}, report {' '.join(words)}"
    if table is None or text is None:
        return checks.hold(what, (table is None) != (text is None) and f"shown by the {'program' if text else 'reference'} alone")
    checks.hold(what, *differences(text, table)[:8])
    staff = document(run(folder, "report", own, "--audience", "staff", "--format", "json", *words))
    checks.hold(f"{what}, staff", *list(other_than_staff(document(text), staff))[:8])


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(max(1, COUNT // MONTHS)):
            check(checks, seed, pathlib.Path(folder))
    print(f"{COUNT} months of made-up trips")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
