#!/usr/bin/env python3
"""How much of the figures the release shows, at three volumes and two sizes of the lists; before and after, as a table.

    python3 Benchmarks/release_utility.py [--before OLD/tripkpi] [--tripkpi NEW/tripkpi] [--months 12]
        [--per-month 500 5000 50000]

The exports are `tripkpi sample`'s: 4 regions × 2 types as they are; for 20 × 6 each region is divided into five of unequal
size, and each type into three. All shares are of what the document for staff holds. A leaf (month × region × type,
Unassigned included) counts if it has trips; months with fewer than 11 trips, of trips that came too late for the last
one, do not. `--before` is the last version with complementary suppression.
"""
import argparse
import csv
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
SHARES = (0.36, 0.27, 0.19, 0.12, 0.06)
KINDS = (0.6, 0.3, 0.1)
REGIONS, TYPES = ("North", "South", "East", "West"), ("Emergency", "Routine")
COLUMNS = (("leaves", "leaves"), ("trips in them", "trips"), ("month totals", "month"), ("month × region", "region"),
           ("complete", "region_complete"), ("month × type", "type"), ("complete", "type_complete"),
           ("in-house split, trips in leaves", "split"), ("trips in the split of month totals", "split_all"),
           ("cost, trips in leaves", "cost"), ("cost by sourcing", "cost_split"))


def divided(source, target, seed):
    """The export with finer regions and types."""
    rng = random.Random(seed)
    finer = lambda name, known, shares: (
        f"{name}{rng.choices(range(1, len(shares) + 1), shares)[0]}" if name in known else name)
    with open(source, newline="", encoding="utf-8") as old, open(target, "w", newline="", encoding="utf-8") as new:
        lines, out = csv.reader(old), csv.writer(new, lineterminator="\n")
        header = next(lines)
        out.writerow(header)
        region, kind = header.index("region"), header.index("trip_type")
        places = {}
        for line in lines:
            trip = line[0]
            if trip not in places:
                places[trip] = finer(line[region], REGIONS, SHARES), finer(line[kind], TYPES, KINDS)
            line[region], line[kind] = places[trip]
            out.writerow(line)


def cells(program, folder, path, *words):
    began = time.monotonic()
    done = subprocess.run([program, "scan", path, "--release", "--format", "json", "--quiet", *words], cwd=folder, capture_output=True,
                          env={**os.environ, "TRIPKPI_DATA": str(ROOT / "data")}, timeout=1800)
    if done.returncode:
        return None, done.stderr.decode()[-200:]
    summary = json.loads(done.stdout)
    return {(c["month"], c["region"], c["tripType"]): c for c in summary["cells"]}, time.monotonic() - began


def shares(shown, true):
    """Name → share, of one document against that for staff."""
    months = {key[0] for key, cell in true.items() if key[1:] == ("All", "All") and cell["trips"] >= 11} - {"All"}
    of = lambda test: {key: cell for key, cell in true.items() if key[0] in months and test(key) and cell["trips"]}
    leaves = of(lambda key: "All" not in key[1:])
    all_trips = sum(cell["trips"] for cell in leaves.values())
    has = lambda key, name: (shown.get(key) or {}).get(name) is not None
    trips = lambda name: sum(cell["trips"] for key, cell in leaves.items() if has(key, name)) / all_trips
    count = lambda keys, test: sum(map(test, keys)) / max(1, len(keys))
    is_whole = lambda key: (has(key, "trips") and shown[key].get("complete", True)
                            and shown[key]["trips"] == true[key]["trips"])
    regions, types = (of(lambda key: key[3 - axis] == "All" and key[axis] not in ("All", "Unassigned")) for axis in (1, 2))
    parts = [(shown.get((month, "All", "All")) or {}).get(name) or 0 for month in months
             for name in ("inHouse", "contracted", "unclassified")]
    return {"leaves": count(leaves, lambda key: has(key, "trips")), "trips": trips("trips"),
            "month": count(of(lambda key: key[1:] == ("All", "All")), is_whole),
            "region": count(regions, lambda key: has(key, "trips")), "region_complete": count(regions, is_whole),
            "type": count(types, lambda key: has(key, "trips")), "type_complete": count(types, is_whole),
            "split": trips("inHouse"), "split_all": sum(parts) / all_trips, "cost": trips("totalCost"),
            "cost_split": trips("inHouseCost")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tripkpi", default=os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi")))
    parser.add_argument("--before")
    parser.add_argument("--months", type=int, default=12)
    parser.add_argument("--per-month", type=int, nargs="+", default=[500, 5000, 50000])
    options = parser.parse_args()
    print("| trips a month | lists | | " + " | ".join(name for name, _ in COLUMNS) + " |")
    print("|---:|---|---|" + "---:|" * len(COLUMNS))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for volume in options.per_month:
            plain, fine = folder / "plain.csv", folder / "fine.csv"
            subprocess.run(
                [options.tripkpi, "sample", "--messy", "--rows", str(volume * options.months), "--months", str(options.months),
                 "--seed", "11", "--fields", "kpi", "--output", str(plain)], check=True, capture_output=True, cwd=folder)
            divided(plain, fine, 11)
            for lists, path, regions, types in (
                    ("4 × 2", plain, REGIONS, TYPES),
                    ("20 × 6", fine, [f"{r}{n}" for r in REGIONS for n in range(1, 6)],
                     [f"{t}{n}" for t in TYPES for n in range(1, 4)])):
                (folder / "tripkpi.yaml").write_text(f"regions: [{', '.join(regions)}]\ntrip_types: [{', '.join(types)}]\n")
                true, seconds = cells(options.tripkpi, folder, path, "--internal")
                if true is None:
                    sys.exit(seconds)
                for label, program in (("before", options.before), ("after", options.tripkpi)):
                    if not program:
                        continue
                    shown, seconds = cells(program, folder, path)
                    if shown is None:
                        print(f"| {volume:,} | {lists} | {label} | {seconds} |", flush=True)
                        continue
                    found = shares(shown, true)
                    print(f"| {volume:,} | {lists} | {label} | " + " | ".join(
                        f"{100 * found[key]:.1f} %" for _, key in COLUMNS) + f" | <!-- {seconds:.1f} s -->", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
