#!/usr/bin/env python3
"""What the release shows of tables of several sizes, and what it costs.

    release.py [--trips 500,5000,50000] [--shapes 4x2,20x6] [--months 24]

For each number of trips a month and each shape (regions x trip types; regions weigh 1/rank, types 1/rank, 1.5 % of the
trips are Unassigned, 5 % unclassified) an export is made and scanned for staff and for release. Printed: what `release_utility.py`
prints of the two documents, in per cent, CPU seconds of both scans, peak MiB of both. Needs numpy. The
program is TRIPKPI, else .build/release/tripkpi.
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

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/Tools"))
from nightly_site import TRIPKPI  # noqa: E402
from release_data import COLUMNS as FIELDS, Habits, months_from, poisson, row  # noqa: E402
from release_utility import COLUMNS, of_documents  # noqa: E402


def write_export(folder, trips, regions, types, months):
    rng = random.Random(42)
    names = [[f"{letter}{n:02}" for n in range(1, count + 1)] for letter, count in (("R", regions), ("T", types))]
    weights = [{name: 1 / rank for rank, name in enumerate(each, 1)} for each in names]
    scale = trips / (sum(weights[0].values()) * sum(weights[1].values()))
    habits = Habits(no_cost=0.04, no_miles=0.02, no_event=0.005, unassigned=0.0075, other_status=0.08, in_house=0.62,
                    unclassified=0.05, patients=trips * 8)
    (folder / "tripkpi.yaml").write_text(
        f"regions: [{', '.join(names[0])}]\ntrip_types: [{', '.join(names[1])}]\n", encoding="utf-8")
    with open(folder / "trips.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, restval="", lineterminator="\n")
        writer.writeheader()
        number = 0
        for month in months:
            for region, heavy in weights[0].items():
                for kind, often in weights[1].items():
                    for _ in range(poisson(rng, scale * heavy * often)):
                        writer.writerow(row(rng, number, month, region, kind, habits))
                        number += 1


def measure(folder, audience):
    """CPU seconds, peak MiB, and the document."""
    output = folder / f"{audience}.json"
    process = subprocess.Popen([TRIPKPI, "scan", str(folder / "trips.csv"), "--config", str(folder / "tripkpi.yaml"),
                                "--audience", audience, "--quiet", "--jobs", "1", "--output", str(output)],
                               env={**os.environ, "TRIPKPI_AUDIT_LOG": str(folder / "audit.jsonl")})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"the scan for {audience} failed with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, json.loads(output.read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trips", default="500,5000,50000")
    parser.add_argument("--shapes", default="4x2,20x6")
    parser.add_argument("--months", type=int, default=24)
    options = parser.parse_args()
    print("| trips a month | shape | " + " | ".join(COLUMNS) + " | CPU s staff, release | MiB staff, release |")
    print("|---" * (len(COLUMNS) + 4) + "|")
    for shape in options.shapes.split(","):
        regions, types = map(int, shape.split("x"))
        for trips in map(int, options.trips.split(",")):
            with tempfile.TemporaryDirectory(prefix="tripkpi-release-") as folder:
                folder = pathlib.Path(folder)
                write_export(folder, trips, regions, types, months_from("2023-10", options.months))
                staff, release = (measure(folder, audience) for audience in ("staff", "release"))
            found = of_documents(release[2], staff[2])
            shares = (f"{100 * found[name] / max(1, found[total]):.0f}" for name, total in COLUMNS.items())
            print("| " + " | ".join([f"{trips:,}", shape, *shares, f"{staff[0]:.2f}, {release[0]:.2f}",
                                     f"{staff[1]:.0f}, {release[1]:.0f}"]) + " |", flush=True)


if __name__ == "__main__":
    main()
