#!/usr/bin/env python3
"""Races tripkpi against its peers on the same files and the same KPI table.

    run.py --tripkpi .build/release/tripkpi FILE… [--versions] [--runs 5] [--peers duckdb,polars,chdb]

Each round runs every contestant once, one after the other, so that a slow minute of the machine hits all. Wall time is
measured around the process; CPU and peak memory come from wait4. Before any time counts, the answers must be equal:
peers to each other in whole numbers, tripkpi to them in every number it publishes. The table goes to
Benchmarks/Runs/<date>-<machine>.md.

Times are taken as they stand by all (no zone), so no peer pays for zone arithmetic that it does differently.
Without --versions every record counts (use a file made without corrections, or leave tripkpi out with --no-tripkpi).
Faults of form are left out of the files (the peers' readers disagree about them): `tripkpi sample --no-structural-faults`.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/Tools"))
import duckdb_kpis  # noqa: E402
import peer_cells  # noqa: E402


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


def contestants(options, file):
    table = {}
    if not options.no_tripkpi:
        table["tripkpi"] = [options.tripkpi, "scan", file, "--internal", "--format", "json", "--quiet",
                            "--jobs", str(options.threads)] + options.tripkpi_option
    for peer in options.peers.split(","):
        table[peer] = [sys.executable, str(HERE / f"{peer}_peer.py"), file, "--threads", str(options.threads),
                       "--roster", options.roster] + (["--versions"] if options.versions else [])
    return table


def check(outputs):
    """Exits unless all say the same."""
    peers = {name: json.loads(path.read_text()) for name, path in outputs.items() if name != "tripkpi"}
    first, *others = peers
    for other in others:
        if peers[other] != peers[first]:
            wrong = sum(a != b for a, b in zip(peers[first], peers[other]))
            sys.exit(f"{first} and {other} differ in {wrong} of {len(peers[first])} cells")
    if "tripkpi" not in outputs:
        return f"{', '.join(peers)} agree on {len(peers[first])} cells"
    cells = {tuple(c[:3]): dict(zip(peer_cells.COLUMNS, c[3:])) for c in peers[first]}
    checked, differences = duckdb_kpis.compare(cells, outputs["tripkpi"])
    if differences:
        sys.exit("tripkpi differs:\n" + "\n".join(differences[:20]))
    return f"all agree: {checked} numbers of {len(cells)} cells"


def race(options, file, folder):
    table = contestants(options, file)
    outputs = {name: pathlib.Path(folder) / f"{name}.json" for name in table}
    rounds = {name: [] for name in table}
    for round_number in range(options.runs + 1):
        for name, command in table.items():
            result = measure(command, outputs[name])
            if round_number:  # the first round warms the page cache
                rounds[name].append(result)
        if round_number == 0:
            print(f"{file}: {check(outputs)}", file=sys.stderr)
    return rounds


def markdown(file, rounds, options):
    size = os.path.getsize(file)
    reference = next(iter(rounds))
    title = "last versions only" if options.versions else "every record"
    lines = [f"## {pathlib.Path(file).name}, {size / 1e9:.2f} GB, {title}, {options.threads} threads", "",
             f"| contestant | wall s | CPU s | peak MiB | wall against {reference}, paired (least–most) |",
             "|---|---|---|---|---|"]
    for name, results in rounds.items():
        wall, cpu, memory = (statistics.median(column) for column in zip(*results))
        ratios = [a[0] / b[0] for a, b in zip(results, rounds[reference])]
        lines.append(f"| {name} | {wall:.2f} | {cpu:.2f} | {memory:.0f} | "
                     f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}) |")
    return "\n".join(lines) + "\n"


def machine():
    names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return (names[0] if names else platform.processor()), os.cpu_count()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--tripkpi", default=str(HERE.parent / ".build/release/tripkpi"))
    parser.add_argument("--tripkpi-option", action="append", default=[], help="one more word for `tripkpi scan`")
    parser.add_argument("--no-tripkpi", action="store_true")
    parser.add_argument("--peers", default="duckdb,polars,chdb")
    parser.add_argument("--roster", default=str(HERE.parent / "data/rules/providers.csv"))
    parser.add_argument("--versions", action="store_true")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    name, cores = machine()
    parts = [f"# {datetime.date.today()}, {name}, {cores} cores", "",
             f"Medians of {options.runs} interleaved runs after one to warm up; all answers equal.", ""]
    with tempfile.TemporaryDirectory() as folder:
        for file in options.files:
            parts.append(markdown(file, race(options, file, folder), options))
    report = "\n".join(parts)
    target = HERE / "Runs" / f"{datetime.date.today()}-{platform.node()}.md"
    target.parent.mkdir(exist_ok=True)
    with open(target, "a") as file:
        file.write(report + "\n")
    print(report)


if __name__ == "__main__":
    main()
