#!/usr/bin/env python3
"""What the job in spark/ costs beside one `scan` of the same file, and beside a plain Spark SQL job that parses the CSV itself.

    .build/spark-venv/bin/python Benchmarks/spark.py [--millions 1 5 10 20] [--peer 10] > Benchmarks/Runs/….md

A master and two workers of one core on this machine. CPU seconds are those of the whole machine (/proc/stat), since they are of Java, Python
and tripkpi: nothing else may run. The job's files must be those of the scan.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "spark"))
import job_run  # noqa: E402
import synthetic  # noqa: E402
from local_cluster import cluster  # noqa: E402

TRIPKPI = os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi"))
STEPS = ("hash exports", "read exports", "find the newest records", "add up months")


def machine_seconds():
    """CPU seconds of all processes since the machine started, without what waits."""
    user, nice, system, *_ = map(int, pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def measured(words, **options):
    """Wall and CPU seconds of a command."""
    wall, cpu = time.monotonic(), machine_seconds()
    done = subprocess.run(words, capture_output=True, check=False, **options)
    wall, cpu = time.monotonic() - wall, machine_seconds() - cpu
    if done.returncode != 0:
        raise RuntimeError((done.stderr or b"").decode(errors="replace")[-3000:] + (done.stdout or b"").decode(errors="replace")[-3000:])
    return wall, cpu


def event_log(folder):
    """Of each step: seconds from its first job to the end of its last, core-seconds of tasks, and bytes shuffled."""
    steps = {step: {"wall": 0.0, "task": 0.0, "shuffle": 0} for step in STEPS}
    logs = [path for path in folder.rglob("*") if path.is_file() and path.name.startswith(("events_", "app-"))]
    by_stage, spans, by_job = {}, {}, {}
    for line in (line for path in logs for line in path.read_text(encoding="utf-8").splitlines()):
        event = json.loads(line)
        kind = event["Event"]
        if kind == "SparkListenerJobStart":
            step = (event.get("Properties") or {}).get("spark.job.description")
            by_job[event["Job ID"]] = step
            by_stage |= {stage: step for stage in event["Stage IDs"]}
            begin, end = spans.get(step, (event["Submission Time"], 0))
            spans[step] = min(begin, event["Submission Time"]), end
        elif kind == "SparkListenerJobEnd":
            step = by_job[event["Job ID"]]
            spans[step] = spans[step][0], max(spans[step][1], event["Completion Time"])
        elif kind == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            step = by_stage.get(event["Stage ID"])
            if step in steps:
                metrics = event["Task Metrics"]
                steps[step]["task"] += metrics["Executor Run Time"] / 1000
                steps[step]["shuffle"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
    for step, (begin, end) in spans.items():
        if step in steps:
            steps[step]["wall"] = (end - begin) / 1000
    return steps


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def one_size(millions, folder, with_peer):
    rows = millions * 1_000_000
    site = job_run.Site(folder / f"{millions}M", TRIPKPI)
    export = site.inbox / "trips.csv"
    with open(export, "wb") as out:
        subprocess.run(synthetic.sample_command(TRIPKPI, rows, "csv"), stdout=out, check=True, env={**os.environ, **site.environment})
    read = export.stat().st_size
    with open(export, "rb") as file:  # In the page cache, as far as it fits, for all contestants.
        while file.read(1 << 24):
            pass
    environment = {**os.environ, **site.environment}
    found = {"rows": rows, "bytes": read}
    for jobs in ("1", "2"):
        found[f"scan{jobs}"] = measured(
            [TRIPKPI, "scan", export, "--jobs", jobs, "--quiet", "--internal", "--output", site.folder / "scan.json"], env=environment, cwd=site.folder)
    words = f"{TRIPKPI} facts {export} --jobs 1 --quiet --key-file {site.key} --config {site.config} > /dev/null"
    found["facts"] = measured(["sh", "-c", words], env=environment, cwd=site.folder)
    with cluster(site.folder / "cluster") as spark:
        settings = {"spark.executor.memory": "900m", "spark.driver.memory": "1g", "spark.sql.shuffle.partitions": "16"}
        options = [word for word in site.options if word not in ("--part-bytes", "300000")]
        words = spark.submission(*options, "--part-bytes", str(64 << 20), settings=settings)
        found["job"] = measured(words, env={**spark.environment, **site.environment})
        found["steps"] = event_log(spark.folder / "logs")
        facts = sum(export["facts"] for export in site.state()["exports"])
        found |= {"facts_rows": facts, "lake_facts": size_of(site.lake / "facts"), "lake_newest": size_of(site.lake / "newest")}
        if with_peer:
            own = spark.submission(settings=settings)
            own[-1] = str(pathlib.Path(__file__).with_name("spark_csv_peer.py"))
            answer = site.folder / "peer.json"
            found["peer"] = measured([*own, str(export), str(answer)], env=spark.environment)
            found["peer_answer"] = json.loads(answer.read_text())
            found["trips"] = json.loads((site.folder / "scan.json").read_text())["totalTrips"]
    differing = site.differing_from_scan()
    if differing:
        raise RuntimeError(f"{millions}M: the job's files are not those of the scan: {differing}")
    shutil.rmtree(site.folder)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--millions", type=int, nargs="+", default=[1, 5, 10, 20])
    parser.add_argument("--peer", type=int, default=10, help="millions of rows at which the plain Spark job runs too")
    parser.add_argument("--folder", default=None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        results = []
        for millions in options.millions:
            results.append(one_size(millions, pathlib.Path(name), millions == options.peer))
            print(json.dumps(results[-1]), file=sys.stderr, flush=True)
    print("| rows | scan, 1 thread: CPU s | facts, 1 thread: CPU s | job: wall s | job: CPU s | M rows a CPU-s: scan, facts, job | shuffled B a row | lake B a row: facts, newest |")
    print("|---|---|---|---|---|---|---|---|")
    for found in results:
        rows, steps = found["rows"], found["steps"]
        shuffled = sum(step["shuffle"] for step in steps.values()) / rows
        speeds = ", ".join(f"{rows / found[name][1] / 1e6:.2f}" for name in ("scan1", "facts", "job"))
        print(f"| {rows:,} | {found['scan1'][1]:.1f} | {found['facts'][1]:.1f} | {found['job'][0]:.0f} | {found['job'][1]:.0f} | {speeds} | "
              f"{shuffled:.1f} | {found['lake_facts'] / rows:.1f}, {found['lake_newest'] / rows:.1f} |")
    print("\n| rows | " + " | ".join(f"{step}: wall s, task s, shuffled B a row" for step in STEPS) + " |")
    print("|---|" + "---|" * len(STEPS))
    for found in results:
        cells = [f"{step['wall']:.1f}, {step['task']:.1f}, {step['shuffle'] / found['rows']:.1f}" for step in found["steps"].values()]
        print(f"| {found['rows']:,} | " + " | ".join(cells) + " |")
    for found in results:
        if "peer" in found:
            print(f"\nPlain Spark SQL, {found['rows']:,} rows: wall {found['peer'][0]:.0f} s, CPU {found['peer'][1]:.0f} s; the job: "
                  f"{found['job'][0]:.0f} s, {found['job'][1]:.0f} s. Its answer: {found['peer_answer']}; the scan: "
                  f"{found['trips']} completed trips.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
