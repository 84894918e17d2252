#!/usr/bin/env python3
"""How much of the figures the release shows: 24 months of sites of two sizes and several volumes, as a table.

    .build/venv/bin/python Benchmarks/release_utility.py [--months 24] [--sizes 4x2x500,…] [--tripkpi PROGRAM [--largest 5000]]

Trips of 4 regions × 2 types, 500 and 5,000 a month, and of 20 × 6, 5,000 and 50,000 a month, are simulated with 0, 0.5 and 1.5 %
of them unassigned and 0, 1 and 5 % unclassified, and divided by `Tests/Tools/release_partition.py`. With `--tripkpi` the same
trips, of sites of at most so many a month, are also written as an export and scanned for both audiences: a second line is of the
program's documents. Needs numpy. All shares are in per cent:

- rows: completed trips in groups, which are leaves and merged groups; leaves: in groups of one leaf;
- leaf totals, leaf shares: trips of leaves whose trips, and whose in-house share, are exact;
- months, regions: month totals, and totals of month × region, that are exact; then their in-house shares.
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Tools"))
from release_data import months_from  # noqa: E402
from release_partition import CLASSES, partition  # noqa: E402

THRESHOLD = 11
SIZES = ((4, 2, 500), (4, 2, 5_000), (20, 6, 5_000), (20, 6, 50_000))
COLUMNS = {"rows": "trips", "leaves": "trips", "leaf totals": "trips", "leaf shares": "trips", "months": "month",
           "month shares": "month", "regions": "region", "region shares": "region"}
# How often a completed trip has each of eight measures: the cost, both miles, five intervals.
VALUES = (0.97, 0.95, 0.9, 0.93, 0.96, 0.9, 0.94, 0.95)


class Site:
    """Simulated trips: of each month arrays of region, type, sourcing (a place in `CLASSES`), patient and what values they have."""

    def __init__(self, regions, types, per_month, unassigned, unclassified, months):
        self.regions, self.types = regions, types
        random = numpy.random.default_rng(1)
        region_weights, type_weights = (random.dirichlet(numpy.full(count, 3.0)) for count in (regions, types))
        in_house = numpy.clip(random.normal(0.6, 0.12, (regions, types)), 0.15, 0.9)
        self.months = []
        for _ in range(months):
            count = random.poisson(per_month)
            region, kind = 1 + random.choice(regions, count, p=region_weights), 1 + random.choice(types, count, p=type_weights)
            sourcing = numpy.where(random.random(count) < in_house[region - 1, kind - 1], 0, 1)
            sourcing[random.random(count) < unclassified] = 2
            is_unassigned, is_region = random.random(count) < unassigned, random.random(count) < 0.5
            region[is_unassigned & is_region] = 0
            kind[is_unassigned & ~is_region] = 0
            self.months.append((region, kind, sourcing, random.integers(0, max(20, int(per_month * 0.7)), count),
                                random.random((count, len(VALUES))) < numpy.array(VALUES)))

    def utility(self):
        found = dict.fromkeys((*COLUMNS, "trips", "month", "region"), 0)
        leaves = [(region, kind) for region in range(self.regions + 1) for kind in range(self.types + 1)]
        for month in self.months:
            parts = [divided(month, leaves, [place]) for place in range(len(CLASSES))]
            has_shares = parts[0][1] is not None and parts[1][1] is not None
            if not has_shares:
                parts = [divided(month, leaves, [0, 1, 2])]
            of_shares = parts[:2] if has_shares else []
            found["trips"] += len(month[0])
            found["month"] += 1
            found["months"] += all(groups is not None for _, groups in parts)
            found["month shares"] += has_shares
            for trips, groups in parts:
                found["rows"] += sum(trips[leaf] for group in groups or () for leaf in group)
                found["leaves"] += sum(trips[group[0]] for group in groups or () if len(group) == 1)

            def is_whole(some, inside):
                """Whether no group of these populations lies partly in the leaves."""
                return all(groups is not None and all(
                    inside >= set(group) or not inside & set(group) for group in groups) for _, groups in some)

            for leaf in leaves:
                own = sum(trips[leaf] for trips, _ in parts)
                found["leaf totals"] += own * is_whole(parts, {leaf})
                found["leaf shares"] += own * (has_shares and is_whole(of_shares, {leaf}))
            for region in range(1, self.regions + 1):
                inside = {leaf for leaf in leaves if leaf[0] == region}
                found["region"] += 1
                found["regions"] += is_whole(parts, inside)
                found["region shares"] += has_shares and is_whole(of_shares, inside)
        return found

    def write(self, folder):
        """An export and its settings."""
        names = [["?"] + [f"{letter}{place:02}" for place in range(1, count + 1)]
                 for letter, count in (("R", self.regions), ("T", self.types))]
        (folder / "tripkpi.yaml").write_text(
            f"regions: [{', '.join(names[0][1:])}]\ntrip_types: [{', '.join(names[1][1:])}]\n", encoding="utf-8")
        minutes = ("unit_notified_at", "en_route_at", "on_scene_at", "left_scene_at", "arrived_at", "completed_at")
        with open(folder / "trips.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("trip_id", "updated_at", "status", "trip_type", "region", "service_date", "hcpcs_modifiers",
                             "patient_id", "cost", "loaded_miles", "unloaded_miles", *minutes))
            for name, (regions, kinds, sourcings, patients, has) in zip(months_from("2023-10", len(self.months)), self.months):
                for place, (region, kind, sourcing, patient) in enumerate(zip(regions, kinds, sourcings, patients)):
                    day = f"{name}-{place % 28 + 1:02}"
                    own = has[place]
                    # Where an interval is missing, its second event is.
                    events = [f"{day} 08:{3 * minute:02}:00" if minute == 0 or own[2 + minute] else "" for minute in range(6)]
                    writer.writerow((f"{name}-{place}", "2023-01-01 00:00:00", "completed", names[1][kind], names[0][region], day,
                                     ("QN", "QM", "")[sourcing], f"P{patient}", "250.00" if own[0] else "", "9.0" if own[1] else "",
                                     "4.0" if own[2] else "", *events))


def divided(month, leaves, members):
    """Trips by leaf of some of the classes together, and their groups; None: not published."""
    region, kind, sourcing, patient, has_value = month
    code = region * 1000 + kind
    is_member = numpy.isin(sourcing, members)
    by_leaf = {leaf: numpy.flatnonzero(is_member & (code == leaf[0] * 1000 + leaf[1])) for leaf in leaves}
    trips = {leaf: len(found) for leaf, found in by_leaf.items()}
    total = sum(trips.values())
    if total == 0:
        return trips, []
    values = has_value[is_member].sum(0)
    published = (values == 0) | (values >= THRESHOLD) & (2 * values >= total)

    def is_large(some):
        found = numpy.concatenate([by_leaf[leaf] for leaf in some])
        if len(found) < THRESHOLD or len(numpy.unique(patient[found])) < THRESHOLD:
            return False
        own = has_value[found].sum(0)[published]
        return bool(numpy.all((own == 0) | (own >= THRESHOLD)))

    return trips, partition(trips, is_large, THRESHOLD)


def of_documents(release, staff):
    """The same of the program's documents."""
    found = dict.fromkeys((*COLUMNS, "trips", "month", "region"), 0)
    shown = {(cell["month"], cell["region"], cell["tripType"]): cell for cell in release["cells"]}
    has_share = lambda cell: not cell["suppressed"] and not {"inHouse", "contracted"} & {*cell["incompleteMeasures"]}
    for true in staff["cells"]:
        key = true["month"], true["region"], true["tripType"]
        cell = shown.get(key, {"suppressed": True, "complete": False})
        if key[0] == "All" or key[1:] != ("All", "All") and not true["trips"]:
            continue
        if "All" not in key:
            found["trips"] += true["trips"]
            found["leaf totals"] += true["trips"] * cell["complete"]
            found["leaf shares"] += true["trips"] * has_share(cell)
        elif key[1:] == ("All", "All"):
            found["month"], found["months"] = found["month"] + 1, found["months"] + cell["complete"]
            found["month shares"] += has_share(cell)
        elif key[2] == "All" and key[1] != "Unassigned":
            found["region"], found["regions"] = found["region"] + 1, found["regions"] + cell["complete"]
            found["region shares"] += has_share(cell)
    for group in release["groups"]:
        if group["population"] not in ("cancelled", "noShow"):
            found["rows"] += group["trips"]
            found["leaves"] += group["trips"] * (len(group["regions"]) == 1)
    return found


def scanned(program, folder):
    documents = []
    for audience in ("release", "staff"):
        done = subprocess.run([program, "scan", "trips.csv", "--audience", audience, "--format", "json", "--quiet"], cwd=folder,
                              capture_output=True, env={**os.environ, "TRIPKPI_DATA": str(ROOT / "data")}, timeout=1800)
        if done.returncode:
            sys.exit(done.stderr.decode()[-500:])
        documents.append(json.loads(done.stdout))
    return of_documents(*documents)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--months", type=int, default=24)
    parser.add_argument("--sizes", default=",".join("x".join(map(str, size)) for size in SIZES))
    parser.add_argument("--tripkpi")
    parser.add_argument("--largest", type=int, default=5_000)
    options = parser.parse_args()
    print("| lists, trips a month | unassigned | unclassified | of | " + " | ".join(COLUMNS) + " |")
    print("|---|---:|---:|---|" + "---:|" * len(COLUMNS))
    for size in (tuple(map(int, size.split("x"))) for size in options.sizes.split(",")):
        for unassigned in (0, 0.005, 0.015):
            for unclassified in (0, 0.01, 0.05):
                site = Site(*size, unassigned, unclassified, options.months)
                results = {"rule": site.utility()}
                if options.tripkpi and size[2] <= options.largest:
                    with tempfile.TemporaryDirectory() as folder:
                        site.write(pathlib.Path(folder))
                        results["program"] = scanned(str(pathlib.Path(options.tripkpi).resolve()), folder)
                for of, found in results.items():
                    shares = (f"{100 * found[name] / max(1, found[total]):.0f}" for name, total in COLUMNS.items())
                    print(f"| {size[0]} × {size[1]}, {size[2]:,} | {unassigned:.1%} | {unclassified:.0%} | {of} | "
                          + " | ".join(shares) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
