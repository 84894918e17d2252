#!/usr/bin/env python3
"""Races tripkpi against its peers on the same files.

    Benchmarks/run [--rows 1000000] [--runs 5] [--threads 2] [--jobs csv-unique,…] [--peers duckdb,chdb,polars] [--before PATH]

Files are made first, by `tripkpi sample` with a stated seed. Each round runs every contestant once, one after the other, so
that a slow minute of the machine hits all. Wall time is measured around the process; CPU and peak memory come from wait4.
Before any time counts, the answers must be equal: peers to each other in whole numbers, tripkpi to them in every number
that it publishes. The tables are appended to Benchmarks/Runs/<date>-<machine>.md.

tripkpi does its whole job always. Peers do one of two:
  minimal  counts, sums of cents and miles, mean duration, p50 and p90 of response, by month × region × type × sourcing
  whole    the whole KPI table: every measure, six intervals with p50 and p90, all combinations with "All"
--before is another build of tripkpi, measured in the same rounds.

Times are taken as they stand by all (no zone), so no peer pays for zone arithmetic that it does differently. Faults of
form are left out of the files, since the peers' readers disagree about them.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/Tools"))
import duckdb_kpis  # noqa: E402
import peer_cells  # noqa: E402
from synthetic import UNIQUE, sample_command  # noqa: E402

# Name: ending, corrections per million (None: the standard), options of `tripkpi scan`, kinds of peers.
JOBS = {
    "csv-unique": ("csv", 0, ["--unique"], ["minimal", "whole"]),
    "csv-versions": ("csv", None, [], ["minimal", "whole"]),
    "ndjson-unique": ("ndjson", 0, ["--unique"], ["minimal", "whole"]),
    "json-unique": ("json", 0, ["--unique"], ["minimal"]),
    "gz-unique": ("csv.gz", 0, ["--unique"], ["minimal"]),
    "small": ("csv", None, [], ["minimal"]),
}
SMALL_ROWS = 12_000
# Polars has no minimal form: it was never the fastest.
MINIMAL_PEERS = ("duckdb", "chdb")


def measure(command, output):
    """Wall seconds, CPU seconds, peak MiB."""
    with open(output, "wb") as out:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE)
        # Little is ever written to stderr; it is read after the end.
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    process.returncode = code
    if code != 0:
        sys.exit(f"{command[0]} {command[1]} failed with {code}: {process.stderr.read()[-2000:].decode()}")
    process.stderr.close()
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def sample(options, job, folder):
    """The job's file, and the command that made it."""
    ending, corrections, *_ = JOBS[job]
    rows = SMALL_ROWS if job == "small" else options.rows
    file = folder / f"{rows}{'' if corrections is None else '-unique'}.{ending}"
    command = sample_command(options.tripkpi, rows, ending, () if corrections is None else UNIQUE)
    if not file.exists():
        subprocess.run([*command, "--output", str(file)], check=True)
    # Written back now, not during the measurement.
    os.sync()
    return file, "tripkpi " + " ".join(command[1:])


def contestants(options, job, file):
    """Name → command. The first is tripkpi."""
    _, corrections, words, kinds = JOBS[job]
    scan = ["scan", str(file), "--internal", "--format", "json", "--quiet", "--rules", "sample", "--jobs", str(options.threads), *words]
    table = {"tripkpi": [options.tripkpi, *scan]}
    if options.before:
        table["before"] = [options.before, *scan]
    for kind in kinds:
        for peer in options.peers.split(","):
            if kind == "minimal" and peer not in MINIMAL_PEERS or kind == "whole" and options.minimal_only:
                continue
            table[f"{peer} {kind}"] = [
                sys.executable, str(HERE / f"{peer}_peer.py"), str(file), "--job", kind, "--threads", str(options.threads),
                "--roster", options.roster, *(["--versions"] if corrections is None else [])]
    return table


def check_whole(answers, document):
    """What differs between the peers' whole tables and the document."""
    first, *others = answers
    for other in others:
        if answers[other] != answers[first]:
            wrong = sum(a != b for a, b in zip(answers[first], answers[other]))
            sys.exit(f"{first} and {other} differ in {wrong} of {len(answers[first])} cells")
    cells = {tuple(c[:3]): dict(zip(peer_cells.COLUMNS, c[3:])) for c in answers[first]}
    checked, differences = duckdb_kpis.compare(cells, document)
    if differences:
        sys.exit("tripkpi differs:\n" + "\n".join(differences[:20]))
    return f"{checked} numbers of {len(cells)} cells"


def check_minimal(answers, document):
    """The same for counts, sums and two intervals. The document has no percentiles by sourcing: those are compared between peers."""
    first, *others = answers
    for other in others:
        if answers[other] != answers[first]:
            sys.exit(f"{first} and {other} differ")
    sums, checked = {}, 0
    for month, region, kind, sourcing, *values in answers[first]:
        group = dict(zip(peer_cells.MINIMAL, values))
        cell = sums.setdefault((month, region, kind), {})
        for name in ("trips", "cents", "loaded", "duration_used", "response_used"):
            cell[name] = cell.get(name, 0) + group[name]
        cell[sourcing] = cell.get(sourcing, 0) + group["trips"]
    for cell in json.loads(pathlib.Path(document).read_text())["cells"]:
        key = cell["month"], cell["region"], cell["tripType"]
        if "All" in key:
            continue
        wanted = sums.get(key, {})
        pairs = [(cell["trips"], wanted.get("trips", 0)), (round(cell["totalCost"] * 100), wanted.get("cents", 0)),
                 (cell["response"]["used"], wanted.get("response_used", 0)), (cell["duration"]["used"], wanted.get("duration_used", 0)),
                 *((cell[name], wanted.get(name, 0)) for name in ("inHouse", "contracted", "unclassified"))]
        checked += len(pairs)
        if any(a != b for a, b in pairs):
            sys.exit(f"tripkpi differs at {key}: {pairs}")
    return f"{checked} numbers of {len(sums)} cells"


def check(outputs):
    """Exits unless all say the same."""
    for name in ("before",):
        if name in outputs and strip(outputs[name]) != strip(outputs["tripkpi"]):
            sys.exit(f"{name} differs from tripkpi")
    said = []
    for kind, compare in (("minimal", check_minimal), ("whole", check_whole)):
        answers = {name: json.loads(path.read_text()) for name, path in outputs.items() if name.endswith(kind)}
        if answers:
            said.append(f"{', '.join(answers)} and tripkpi agree in {compare(answers, outputs['tripkpi'])}")
    return "; ".join(said)


def strip(path):
    """The figures, without the run and the program."""
    document = json.loads(path.read_text())
    return [document["cells"], document["filters"]]


def race(options, job, file, folder):
    table = contestants(options, job, file)
    outputs = {name: pathlib.Path(folder) / f"{name.replace(' ', '-')}.json" for name in table}
    rounds = {name: [] for name in table}
    for round_number in range(options.runs + 1):
        for name, command in table.items():
            result = measure(command, outputs[name])
            if round_number:  # the first round warms the page cache
                rounds[name].append(result)
        if round_number == 0:
            print(f"{job}: {check(outputs)}", file=sys.stderr)
    return rounds


def markdown(job, file, made, rounds, options):
    size = os.path.getsize(file)
    lines = [f"## {job}: {size / 1e9:.2f} GB, {options.threads} threads", "", f"`{made}`", "",
             "| contestant | wall s | CPU s | peak MiB | times the wall of tripkpi, paired (least–most) |", "|---|---|---|---|---|"]
    for name, results in rounds.items():
        wall, cpu, memory = (statistics.median(column) for column in zip(*results))
        ratios = [a[0] / b[0] for a, b in zip(results, rounds["tripkpi"])]
        lines.append(f"| {name} | {wall:.3f} | {cpu:.3f} | {memory:.0f} | "
                     f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}) |")
    return "\n".join(lines) + "\n"


def machine():
    names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return (names[0] if names else platform.processor()), os.cpu_count()


def commit():
    result = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False, cwd=HERE)
    return result.stdout.strip() or "no commit"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tripkpi", default=str(HERE.parent / ".build/release/tripkpi"))
    parser.add_argument("--before", help="another build of tripkpi")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--jobs", default=",".join(JOBS))
    parser.add_argument("--peers", default="duckdb,chdb,polars")
    parser.add_argument("--minimal-only", action="store_true", help="no peer computes the whole table")
    parser.add_argument("--roster", default=str(HERE.parent / "data/rules/sample-providers.csv"))
    parser.add_argument("--folder", type=pathlib.Path, default=HERE.parent / ".build/bench", help="where the files are made, and stay")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    name, cores = machine()
    parts = [f"# {datetime.date.today()}, {name}, {cores} cores, {commit()}", "",
             f"`Benchmarks/run {' '.join(sys.argv[3:])}`: medians of {options.runs} interleaved runs after one to warm up; all answers equal.", ""]
    with tempfile.TemporaryDirectory() as folder:
        for job in options.jobs.split(","):
            file, made = sample(options, job, options.folder)
            parts.append(markdown(job, file, made.replace(str(options.folder), "."), race(options, job, file, folder), options))
            print(parts[-1])
    report = "\n".join(parts)
    machine_name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    target = HERE / "Runs" / f"{datetime.date.today()}-{machine_name}-{cores}-cores.md"
    with open(target, "a") as file:
        file.write(report + "\n")
    print(f"appended to {target}")


if __name__ == "__main__":
    main()
