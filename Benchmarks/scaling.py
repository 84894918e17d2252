#!/usr/bin/env python3
"""Whether time grows with the records and memory does not: `tripkpi scan --unique` of files of several lengths.

    Benchmarks/scaling.py [--tripkpi PATH] [--rows 10000,100000,1000000,10000000,40000000] [--runs 3] [--threads 2]

Files are made by `tripkpi sample` in .build/bench and stay (40 million records: 10.6 GB). Prints the medians, the least-squares line
through them, and how far each lies from it.
"""

import argparse
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "Tests/Tools"))
from run import measure, sample  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tripkpi", default=str(HERE.parent / ".build/release/tripkpi"))
    parser.add_argument("--rows", default="10000,100000,1000000,10000000,40000000")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=pathlib.Path, default=HERE.parent / ".build/bench")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    points = []
    for rows in [int(word) for word in options.rows.split(",")]:
        options.rows = rows
        file, _ = sample(options, "csv-unique", options.folder)
        command = [options.tripkpi, "scan", str(file), "--unique", "--internal", "--format", "json", "--quiet", "--jobs", str(options.threads)]
        results = [measure(command, "/dev/null") for _ in range(options.runs + 1)][1:]
        points.append((rows, *(statistics.median(column) for column in zip(*results))))
    # Relative errors count: the smallest file matters as much as the largest.
    weights = [1 / point[1] ** 2 for point in points]
    total = sum(weights)
    mean_x = sum(w * p[0] for w, p in zip(weights, points)) / total
    mean_y = sum(w * p[1] for w, p in zip(weights, points)) / total
    slope = (sum(w * (p[0] - mean_x) * (p[1] - mean_y) for w, p in zip(weights, points))
             / sum(w * (p[0] - mean_x) ** 2 for w, p in zip(weights, points)))
    start = mean_y - slope * mean_x
    print("| records | wall s | CPU s | peak MiB | from the line |\n|---|---|---|---|---|")
    for rows, wall, cpu, memory in points:
        print(f"| {rows:,} | {wall:.3f} | {cpu:.3f} | {memory:.0f} | {(wall / (start + slope * rows) - 1) * 100:+.1f} % |")
    print(f"\n{start:.3f} s and {slope * 1e9:.0f} ns a record, {options.threads} threads")


if __name__ == "__main__":
    main()
