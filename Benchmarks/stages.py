#!/usr/bin/env python3
"""What a record costs, by stage: instructions and cache misses, and the limits they must keep.

    Benchmarks/stages.py                      # the table, and a failure if a stage is more than 5 % above its limit
    Benchmarks/stages.py --before PATH        # another build beside it
    Benchmarks/stages.py --store              # makes today's instructions the limits (Benchmarks/stage_limits.json)
    Benchmarks/stages.py --time               # also nanoseconds, sampled by perf: needs an idle machine

valgrind's callgrind counts instructions and simulates the caches, so the figures are the same on each run and need no counters of the
processor. Two files of different lengths are read on one thread; the difference over the difference in records is a record's
cost, without what each run costs once. Two months, so that the histograms have grown up, as in a large export. The copy from the page cache is the kernel's, and only in the times.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from synthetic import UNIQUE, sample_command  # noqa: E402

LIMITS = HERE / "stage_limits.json"
TOLERANCE = 1.05
SMALL, LARGE = 20_000, 60_000
TIMED = 2_000_000

# Stage: what its functions' names or libraries match. The first that matches counts.
STAGES = [
    ("inflate", r"libisal|libz\.so|Inflat"),
    ("scan: positions of separators", r"^(run_|index_|find_close|csv_|cjson_|masks_|write_entries)|memchr"),
    ("records and fields", r"\$s11ExportBytes"),
    ("times and intervals", r"\$s6Intake.*(decodeEvent|TimeReader|decodeIntervals|decodeTimes|ZoneTable|decodeDay)"),
    ("amounts", r"\$s6Intake.*([aA]mount)"),
    ("texts, codes, keys", r"\$s6Intake|\$s8Profiles"),
    ("versions", r"\$s8Versions|\$s4Keys"),
    ("in-house or contracted", r"\$s5Rules"),
    ("tally", r"\$s4KPIs"),
    ("copy from the page cache", r"\[kernel|rep_movs|copy_user|^\[k\]"),
    ("Swift and C libraries", r"libswift|libc\.so|ld-linux|libdispatch|libm\.so|libstdc|^\$s[sS]"),
]
JOBS = {
    "csv --unique": ("csv", UNIQUE, ["--unique"]),
    "csv, versions": ("csv", [], []),
    "ndjson --unique": ("ndjson", UNIQUE, ["--unique"]),
    "csv.gz --unique": ("csv.gz", UNIQUE, ["--unique"]),
}


def stage(name):
    for title, pattern in STAGES:
        if re.search(pattern, name):
            return title
    return "everything else"


def sample(program, job, rows, folder):
    ending, words, _ = JOBS[job]
    file = folder / f"{rows}-{len(words)}.{ending}"
    if not file.exists():
        subprocess.run([*sample_command(program, rows, ending, words, months=2), "--output", str(file)], check=True)
    return file


def scan(program, file, words):
    return [program, "scan", str(file), "--internal", "--format", "json", "--quiet", "--jobs", "1", *words]


def counted(program, job, rows, folder):
    """Stage → [instructions, first-level misses, last-level misses] of a run."""
    out = folder / "callgrind.out"
    subprocess.run(["valgrind", "--tool=callgrind", "--cache-sim=yes", f"--callgrind-out-file={out}",
                    *scan(program, sample(program, job, rows, folder), JOBS[job][2])],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", "--show=Ir,D1mr,D1mw,DLmr,DLmw", str(out)],
                          check=True, capture_output=True, text=True).stdout
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for line in text.splitlines():
        columns = re.match(r"\s*((?:(?:[\d,]+ \([\s\d.]+%\)|[\d,]+|\.)\s+){5})\S*?:(.+)$", line)
        if not columns or "PROGRAM TOTALS" in line:
            continue
        values = [0 if word == "." else int(word.replace(",", "")) for word in re.sub(r"\([^)]*\)", "", columns[1]).split()]
        own = sums[stage(columns[2])]
        own[0] += values[0]
        own[1] += values[1] + values[2]
        own[2] += values[3] + values[4]
    return sums


def per_record(program, job, folder):
    small, large = (counted(program, job, rows, folder) for rows in (SMALL, LARGE))
    return {name: [(large[name][index] - small[name][index]) / (LARGE - SMALL) for index in range(3)] for name in large}


def nanoseconds(program, job, folder):
    """Stage → nanoseconds a record, on one thread, sampled."""
    data = folder / "perf.data"
    file = sample(program, job, TIMED, folder)
    command = scan(program, file, JOBS[job][2])
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "5000", "-o", str(data), *command],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = subprocess.run(["perf", "report", "-i", str(data), "--stdio", "-g", "none", "--no-children", "-F", "sample,dso,symbol"],
                          check=True, capture_output=True, text=True).stdout
    sums = collections.defaultdict(float)
    for line in text.splitlines():
        columns = re.match(r"\s*(\d+)\s+(\S+)\s+\[(.)\]\s+(.+)$", line)
        if columns:
            name = "[kernel" if columns[3] == "k" else columns[4].strip() + " " + columns[2]
            sums[stage(name)] += int(columns[1]) / 5000 * 1e9 / TIMED
    return sums


def without_debug_information(program, folder):
    """valgrind cannot read Swift's."""
    stripped = folder / f"program-{abs(hash(program))}"
    subprocess.run(["strip", "-g", "-o", str(stripped), program], check=True)
    return str(stripped)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tripkpi", default=str(HERE.parent / ".build/release/tripkpi"))
    parser.add_argument("--before", help="another build")
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--time", action="store_true")
    options = parser.parse_args()
    missing = [tool for tool in ["valgrind", "callgrind_annotate", "strip", *(["perf"] if options.time else [])] if not shutil.which(tool)]
    if missing:
        sys.exit(f"stages: needs {', '.join(missing)} (Debian: valgrind, binutils, linux-perf)")
    limits = json.loads(LIMITS.read_text()) if LIMITS.exists() and not options.store else {}
    found, exceeded = {}, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        builds = {"now": without_debug_information(options.tripkpi, folder)}
        if options.before:
            builds["before"] = without_debug_information(options.before, folder)
        for job in JOBS:
            costs = {build: per_record(program, job, folder) for build, program in builds.items()}
            times = {build: nanoseconds(program, job, folder) if options.time else {} for build, program in builds.items()}
            found[job] = {name: round(cost[0], 1) for name, cost in costs["now"].items()}
            print(f"\n## {job}, of a record, one thread\n")
            head = [f"{what}{'' if build == 'now' else ' before'}" for build in costs
                    for what in ["instructions", "L1 misses", "last-level misses", *(["ns"] if options.time else [])]]
            print("| stage | " + " | ".join(head) + " |\n|---|" + "---|" * len(head))
            names = sorted({name for cost in [*costs.values(), *times.values()] for name in cost},
                           key=lambda name: -costs["now"].get(name, [0])[0])
            rows = [(name, [value for build in costs for value in [*costs[build].get(name, [0, 0, 0]),
                                                                   *([times[build].get(name, 0)] if options.time else [])]]) for name in names]
            rows.append(("**all**", [sum(column) for column in zip(*(values for _, values in rows))]))
            for name, values in rows:
                print(f"| {name} | " + " | ".join(f"{value:.1f}" for value in values) + " |")
            for name, limit in limits.get(job, {}).items():
                # A stage of a few instructions varies with the length of its tables.
                if found[job].get(name, 0) > max(limit * TOLERANCE, limit + 5):
                    exceeded.append(f"{job}, {name}: {found[job][name]} instructions a record, at most {limit} + 5 %")
    if options.store:
        LIMITS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        print(f"\nstored in {LIMITS}")
    elif not limits:
        sys.exit("stages: there are no limits; make them with --store")
    for line in exceeded:
        print(line, file=sys.stderr)
    print(f"\n{len(exceeded)} stages above their limits")
    sys.exit(1 if exceeded else 0)


if __name__ == "__main__":
    main()
