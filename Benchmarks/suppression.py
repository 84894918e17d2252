#!/usr/bin/env python3
"""What complementary suppression costs and hides on a table of the size that finance asks for.

    suppression.py [--means 5,20,60] [--months 24] [--regions 20] [--types 6]

For each mean (trips in a leaf; regions weigh 1/rank, types 1/rank², so most leaves have few) an export is made up and
scanned twice, with `--internal` (nothing is hidden) and without. The difference in CPU time is what suppression and its
audit cost. Printed: trips, cells that are not 0, how many hide their trips, the share of the trips in hidden leaves,
CPU seconds of both and their difference, peak MiB of both. The program is TRIPKPI, else .build/release/tripkpi.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/Tools"))
from attack import ALL  # noqa: E402
from disclosure_data import Population, poisson, trip, write_export  # noqa: E402
from nightly_site import TRIPKPI  # noqa: E402

FIRST_MONTH = 2023 * 12 + 9


def export(mean, options):
    generator = random.Random(42)
    regions = [f"R{n:02}" for n in range(1, options.regions + 1)]
    types = [f"T{n}" for n in range(1, options.types + 1)]
    weights = {name: 1 / rank for rank, name in enumerate(regions, 1)}
    weights.update({name: 1 / rank ** 2 for rank, name in enumerate(types, 1)})
    scale = mean * len(regions) * len(types) / (sum(weights[r] for r in regions) * sum(weights[t] for t in types))
    data = Population(regions, types, f"about {mean} in a leaf")
    for month in range(FIRST_MONTH, FIRST_MONTH + options.months):
        for region in regions:
            for kind in types:
                for _ in range(poisson(generator, scale * weights[region] * weights[kind])):
                    data.rows.append(trip(generator, len(data.rows), month, region, kind, missing=0.02, other=0.08,
                                          in_house=0.55, unclassified=0.05, unassigned=0, patients=5000))
    return data


def measure(command, output):
    """CPU seconds and peak MiB."""
    with open(output, "wb") as out:
        process = subprocess.Popen(command, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} {command[1]} failed with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--means", default="5,20,60")
    for name, default in (("months", 24), ("regions", 20), ("types", 6)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    print("mean    trips cells hidden in leaves  CPU s: open, hidden, more   MiB: open, hidden")
    for mean in map(float, options.means.split(",")):
        with tempfile.TemporaryDirectory(prefix="tripkpi-suppression-") as folder:
            folder = pathlib.Path(folder)
            write_export(folder, export(mean, options))
            scan = [TRIPKPI, "scan", str(folder / "trips.csv"), "--config", str(folder / "tripkpi.yaml"),
                    "--format", "json", "--quiet", "--jobs", "1"]
            open_cpu, open_peak = measure(scan + ["--internal"], folder / "internal.json")
            cpu, peak = measure(scan, folder / "hidden.json")
            truth, shown = (json.loads((folder / name).read_text())["cells"] for name in ("internal.json", "hidden.json"))
            shown = {key(cell): cell for cell in shown}
        full = [cell for cell in truth if cell["trips"]]
        hidden = [cell for cell in full if shown.get(key(cell), {}).get("trips") is None]
        total = next(cell["trips"] for cell in truth if key(cell) == (ALL, ALL, ALL))
        lost = sum(cell["trips"] for cell in hidden if ALL not in key(cell))
        print(f"{mean:4g} {total:8} {len(full):5} {len(hidden):6} {100 * lost / total:7.1f} %  "
              f"{open_cpu:12.2f} {cpu:7.2f} {cpu - open_cpu:5.2f} {open_peak:11.0f} {peak:7.0f}")


def key(cell):
    return cell["month"], cell["region"], cell["tripType"]


if __name__ == "__main__":
    main()
