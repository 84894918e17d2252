#!/usr/bin/env python3
"""Random histories through the job in spark/ and through one scan: the same bytes, the same newest rows, the same rows of `trips`.

Each history is one to three nights of exports in all formats, with corrections, ties, voids, copies within and across files, and text
with line ends, quotes and characters of several bytes; files are divided anywhere, into one to eight partitions. Each night has trips of
a new month, and trips that move between months. The release has the figures of `tripkpi run` night after night, and of
`tripkpi publish --revise`, which comes after half of the nights. Before them, four cases: an export that is refused one night and accepted
the next, one that changes while it is read, trips of another source, and a site that releases nothing at first.

    .build/spark-venv/bin/python Tests/Tools/spark_histories.py --histories 200 [--seed 1]

All run in one Spark session of this process. TRIPKPI names the program. Prints what fails, then "N passed, N failed".
"""
import argparse
import csv
import datetime
import gzip
import hashlib
import io
import json
import os
import pathlib
import random
import sys
import tempfile
import unittest.mock
from functools import partial

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "spark"))
import exports  # noqa: E402
import job_run  # noqa: E402
import local_cluster  # noqa: E402
import tripkpi_spark  # noqa: E402

TRIPKPI = str(pathlib.Path(os.environ.get("TRIPKPI", ROOT / ".build/release/tripkpi")).resolve())
FIELDS = ["trip_id", "leg_id", "patient_id", "unit_notified_at", "on_scene_at", "completed_at", "status", "cost", "notes", "updated_at", "sequence"]
# The last one is JSON whose name says lines.
FORMATS = ["csv", "csv", "tsv", "ndjson", "json", "csv.gz", "ndjson.gz", "utf-16.csv", "json.txt"]


def record(pick, trips, months=3):
    # Some trips are of the night's own month.
    night = pick.choice((0, 0, 0, months - 3))
    trip = 10_000 * night + pick.randint(1, trips)
    updated, sequence = pick.choice(("", "2026-01-01 00:00:00", "2026-01-02 00:00:00", "2026-01-03 00:00:00")), pick.choice(("", "", "1", "2"))
    # On other days it would be another trip (`reused_ids`): few versions move it, and only if they say which is newer.
    day = f"2025-{3 + night if night else 1 + trip % 3:02}-{1 + trip % 28:02}"
    if (updated or sequence) and pick.randrange(20) == 0:
        day = f"2025-{pick.randint(1, months):02}-{pick.randint(1, 28):02}"
    # Versions that differ in every time would be other trips, too.
    hour, start = trip % 23, trip % 21
    lookalike = f"a\nT{pick.randint(1, trips)},,P1,{day} 07:00:00,,,completed,1.00,x,2026-01-01 00:00:00,1\nb"
    return {
        "trip_id": f"T{trip}", "leg_id": pick.choice(("", "", "2")), "patient_id": f"P{pick.randint(1, trips)}",
        "unit_notified_at": f"{day} {hour:02}:{start:02}:00",
        # A later version lacks no figure (`reused_ids`).
        "on_scene_at": f"{day} {hour:02}:{start + trip % 31:02}:00" if trip % 4 else "",
        "completed_at": f"{day} {hour + 1:02}:{pick.randint(0, 59):02}:00",
        "status": pick.choice(("completed",) * 6 + ("cancelled", "no_show", "void", "unheard of")),
        "cost": f"{pick.randint(1, 90000) / 100:.2f}" if trip % 6 else "",
        "notes": pick.choice(("", "ok", "né 東京 🚑", "\n\n", 'said "no"\nand left', lookalike, "é" * pick.randint(1, 60))),
        "updated_at": updated, "sequence": sequence}


def write(path, records):
    kind = path.name.split(".", 1)[1]
    if "json" in kind:
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        text = "[" + ",\n".join(lines) + "]" if kind in ("json", "json.txt") else "".join(line + "\n" for line in lines)
    else:
        out = io.StringIO()
        rows = csv.DictWriter(out, FIELDS, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n")
        rows.writeheader()
        rows.writerows(records)
        text = out.getvalue()
    content = text.encode("utf-16") if kind == "utf-16.csv" else text.encode()
    path.write_bytes(gzip.compress(content, mtime=0) if kind.endswith("gz") else content)


def newest_of_facts(site):
    """The newest row of each trip, in plain Python."""
    schema = json.loads(site.run("facts", "--schema").stdout)
    names = [column["name"] for column in schema["columns"]]
    newest = {}
    for place, export in enumerate(site.exports()):
        for line in site.run("facts", export, "--key-file", site.key).stdout.decode().splitlines():
            if line.startswith("#"):
                continue
            row = dict(zip(names, (int(value) if value else None for value in line.split("\t"))))
            lowest = -(1 << 80)
            rank = (row["updated_at"] if row["updated_at"] is not None else lowest,
                    row["sequence"] if row["sequence"] is not None else lowest, place, row["record_offset"])
            key = row["trip_key_high"], row["trip_key_low"]
            if key not in newest or newest[key][0] < rank:
                newest[key] = rank, tuple(row[name] for name in names)
    return names, sorted(str(row) for _, row in newest.values())


INTERVALS = ("duration", "response", "turnout", "scene", "transport", "turnaround")
SOURCINGS = ("inHouse", "contracted", "unclassified")


def digest(rows):
    return hashlib.sha256("\n".join(sorted(",".join(row) for row in rows)).encode()).hexdigest()


def trips_of_store(site):
    """What `trips` writes of a store that has loaded the exports one after another, without the random ids."""
    store, wrong = site.folder / "store.sqlite", []
    for export in site.exports():
        done = site.run("load", export, "--store", store, "--key-file", site.key, "--config", site.config, "--quiet")
        if done.returncode != 0:
            wrong.append(f"load ended with {done.returncode}: {done.stderr.decode()[-300:]}")
    done = site.run(
        "trips", "--store", store, "--key-file", site.key, "--config", site.config, "--privacy", "limited-data-set", "--format", "csv")
    if done.returncode != 0:
        wrong.append(f"trips ended with {done.returncode}: {done.stderr.decode()[-300:]}")
    names = ("date", "region", "tripType", "sourcing", "cost", "distance", "unloadedDistance", *INTERVALS)
    return wrong, [[row[name] for name in names] for row in csv.DictReader(io.StringIO(done.stdout.decode()))]


def trips_of_lake(newest, basis):
    """The same rows, of the completed trips among the newest facts."""
    def hundredths(value):
        return "" if value is None else f"{value // 100}.{value % 100:02}"

    rows = []
    for row in newest:
        if row["status"] == 0:
            rows.append([
                str(datetime.date(1970, 1, 1) + datetime.timedelta(days=row["day"])), basis["regions"][row["region"]],
                basis["tripTypes"][row["trip_type"]], SOURCINGS[row["sourcing"]], hundredths(row["cost_cents"]),
                hundredths(row["loaded_hundredths"] or 0), hundredths(row["unloaded_hundredths"]),
                *("" if row[f"{name}_seconds"] is None else str(row[f"{name}_seconds"]) for name in INTERVALS)])
    return rows


def history(spark, seed, folder):
    """What is wrong with one history; None if all its exports were refused."""
    pick = random.Random(seed)
    site = job_run.Site(folder, TRIPKPI)
    trips = pick.choice((20, 200, 2000))
    pool = [record(pick, trips) for _ in range(trips)]
    wrong = []
    for night in range(pick.randint(1, 3)):
        for number in range(pick.randint(1, 3)):
            records = [record(pick, trips, 3 + night) for _ in range(pick.randint(0, trips))]
            records += [pick.choice(pool) for _ in range(pick.randint(0, trips // 2))]
            pool += records[:20]
            pick.shuffle(records)
            write(site.inbox / f"{night}-{number}.{pick.choice(FORMATS)}", records)
        if pick.random() < 0.3:
            copied = pick.choice(sorted(site.inbox.iterdir()))
            (site.inbox / f"{night}-copy.{copied.name.split('.', 1)[1]}").write_bytes(copied.read_bytes())
        partitions = pick.randint(1, 8)
        spark.conf.set("spark.sql.shuffle.partitions", partitions)
        largest = max(file.stat().st_size for file in site.inbox.iterdir())
        options = tripkpi_spark.arguments(
            [*site.options, "--part-bytes", str(max(64, pick.randint(largest // 9, largest + 1)))])
        pathlib.Path(options.work).mkdir(exist_ok=True)
        try:
            code = tripkpi_spark.Job(spark, options).go()
        except tripkpi_spark.Failure as failure:
            # All exports were refused so far.
            if failure.code != tripkpi_spark.DATA or (site.lake / "state").exists():
                raise
            continue
        wrong += [f"seed {seed}, night {night}: {name}" for name in site.differing()]
        if code == 0 and pick.random() < 0.5:
            options.revise = True
            code = tripkpi_spark.Job(spark, options).go()
            wrong += [f"seed {seed}, night {night}, revised: {name}" for name in site.differing(revise=True)]
        if code != site.refusal:
            wrong.append(f"seed {seed}, night {night}: the job ended with {code} instead of {site.refusal}")
    if not (site.lake / "state").exists():
        return None
    names, expected = newest_of_facts(site)
    state = site.state()
    found = []
    for month, value in state["months"].items():
        rows = spark.read.parquet(str(site.lake / f"newest/run={value['run']}/month={month}"))
        found += [{**row.asDict(), "month": int(month)} for row in rows.collect()]
    if sorted(str(tuple(row[name] for name in names)) for row in found) != expected:
        wrong.append(f"seed {seed}: {len(found)} newest rows, {len(expected)} expected")
    of_lake = trips_of_lake(found, state["basis"])
    faults, of_store = trips_of_store(site)
    wrong += [f"seed {seed}: {fault}" for fault in faults]
    if digest(of_lake) != digest(of_store):
        wrong.append(f"seed {seed}: {len(of_lake)} trips of the lake are not the {len(of_store)} of the store")
    return wrong


def refused_then_accepted(spark, folder):
    """An export that is refused beside another that is accepted, and accepted the next night: its rows, written twice, count once."""
    pick = random.Random(1)
    site = job_run.Site(folder, TRIPKPI)
    write(site.inbox / "good.csv", [record(pick, 200) | {"status": "completed"} for _ in range(200)])
    write(site.inbox / "bad.csv", [
        record(pick, 200) | {"status": pick.choice(("completed", "completed", "unheard of"))} for _ in range(200)])
    options = tripkpi_spark.arguments([*site.options, "--part-bytes", "4000"])
    pathlib.Path(options.work).mkdir(exist_ok=True)
    codes, counts, wrong = [], [], []
    for limit in ("1%", "100%"):
        site.config.write_text(f"max_reject: {limit}\n")
        codes.append(tripkpi_spark.Job(spark, options).go())
        counts.append(len(site.state()["exports"]))
        if exports_with_facts(site) != counts[-1]:
            wrong.append(f"refused, then accepted: the lake has facts of {exports_with_facts(site)} exports")
        wrong += [f"refused, then accepted: {name}" for name in site.differing()]
    if (codes, counts) != ([65, site.refusal], [1, 2]):
        wrong.append(f"refused, then accepted: exit codes {codes}, {counts} exports")
    return wrong


def exports_with_facts(site):
    return len({path.name for path in site.lake.glob("facts/run=*/export=*")})


def for_staff_only(spark, folder):
    """Nothing is released for staff alone; later the release is that of all nights."""
    pick = random.Random(2)
    site = job_run.Site(folder, TRIPKPI)
    write(site.inbox / "trips.csv", [record(pick, 2000) | {"status": "completed"} for _ in range(2000)])
    options = tripkpi_spark.arguments([*site.options, "--audience", "staff"])
    pathlib.Path(options.work).mkdir(exist_ok=True)
    code = tripkpi_spark.Job(spark, options).go()
    wrong = [f"for staff only: {name}" for name in site.differing_from_scan(("staff",))]
    if code != 0 or (site.out / "release").exists() or (site.lake / "releases").exists():
        wrong.append(f"for staff only: exit code {code}, or something was released")
    options.audiences = tripkpi_spark.AUDIENCES
    code = tripkpi_spark.Job(spark, options).go()
    wrong += [f"for staff first: {name}" for name in site.differing()]
    return wrong + ([] if code == site.refusal == 0 else [f"for staff first: exit code {code}"])


def still_written(spark, folder):
    """An export that changes while it is read is left for the next night, whether it can be read or not; one beside it is counted."""
    pick, wrong = random.Random(3), []
    for number, fault in enumerate((None, exports.Refused("damaged"))):
        site = job_run.Site(folder / str(number), TRIPKPI)
        for name in ("good.csv", "late.csv"):
            write(site.inbox / name, [record(pick, 2000) | {"status": "completed"} for _ in range(2000)])
        options = tripkpi_spark.arguments(site.options)
        pathlib.Path(options.work).mkdir(exist_ok=True)
        check_whole = exports.ExportParts.check_whole

        def check_while_written(export, unchanged):
            late = pathlib.Path(export.file.path)
            if late.name == "late.csv":
                late.write_bytes(late.read_bytes() + b"\n")
                if fault:
                    raise fault
                unchanged = set(exports.Inbox.at(options.inbox).exports)
            check_whole(export, unchanged)

        with unittest.mock.patch.object(exports.ExportParts, "check_whole", check_while_written):
            code = tripkpi_spark.Job(spark, options).go()
        wrong += [f"still written, {fault}: {name}" for name in site.differing_from_scan()]
        if (code, len(site.state()["exports"]), exports_with_facts(site)) != (0, 1, 1):
            wrong.append(f"still written, {fault}: exit code {code}, {len(site.state()['exports'])} exports, facts of {exports_with_facts(site)}")
        code = tripkpi_spark.Job(spark, options).go()
        wrong += [f"written, {fault}: {name}" for name in site.differing_from_scan(("staff",))]
        if code != 0 or len(site.state()["exports"]) != 2:
            wrong.append(f"written, {fault}: exit code {code}")
    return wrong


def repeated_trips(spark, folder):
    """Trips that come again under another source are refused, on the same night or later, unless they are accepted."""
    wrong, small = [], ("--rows", "3000", "--months", "2")

    def begin(name):
        site = job_run.Site(folder / name, TRIPKPI)
        (site.inbox / "canonical").mkdir()
        site.sample("trips.csv", *small, "--seed", "5")
        options = tripkpi_spark.arguments(site.options)
        pathlib.Path(options.work).mkdir(exist_ok=True)
        return site, options

    def go(site, options, code, exports, what):
        found = tripkpi_spark.Job(spark, options).go(), len(site.state()["exports"])
        if found != (code, exports):
            wrong.append(f"{what}: exit code and exports {found} instead of {(code, exports)}")

    # On one night. The other source has each trip twice, so it has more records, and is the later of two of the same age.
    site, options = begin("together")
    header, *records = (site.inbox / "trips.csv").read_text().splitlines(keepends=True)
    (site.inbox / "canonical/again.csv").write_text(header + "".join(records) + "".join(records))
    go(site, options, 65, 1, "on one night")
    wrong += [f"repeated trips: {name}" for name in site.differing()]
    # A few trips of a source do not make it known; its next export is compared.
    (site.inbox / "canonical/again.csv").unlink()
    (site.inbox / "canonical/few.csv").write_text(header + "".join(records[:15] * 2))
    go(site, options, 0, 2, "a few")
    (site.inbox / "canonical/again.csv").write_text(header + "".join(records) + "\n")
    go(site, options, 65, 2, "after a few")
    # Accepted, and other trips of the source, which is known by then.
    options.accept = [hashlib.sha256((site.inbox / "canonical/again.csv").read_bytes()).hexdigest()[:12]]
    go(site, options, 0, 3, "accepted")
    # Other trips of a new source.
    site, options = begin("others")
    site.sample("canonical/others.csv", *small, "--seed", "6")
    go(site, options, 0, 2, "others")
    return wrong


CASES = {case.__name__: case for case in (refused_then_accepted, for_staff_only, still_written, repeated_trips)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--histories", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", nargs="*", choices=list(CASES), default=list(CASES))
    options = parser.parse_args()
    passed, failed, empty = 0, 0, 0
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "PYSPARK_SUBMIT_ARGS": f"--master local[2] --driver-memory 1g --driver-java-options '{local_cluster.JAVA_OPTIONS}' --conf spark.ui.showConsoleProgress=false pyspark-shell"}
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        environment = job_run.environment(pathlib.Path(name))
        os.environ |= environment
        spark = tripkpi_spark.session()
        spark.sparkContext.setLogLevel("ERROR")
        spark.conf.set("spark.sql.shuffle.partitions", 4)
        runs = [partial(CASES[case], spark, pathlib.Path(name) / case) for case in options.cases]
        for seed in range(options.seed, options.seed + options.histories):
            runs.append(partial(history, spark, seed, pathlib.Path(name) / f"h{seed}"))
        for run in runs:
            wrong = run()
            if wrong is None:
                empty += 1
            elif wrong:
                failed += 1
                print("\n".join(f"FAILED: {what}" for what in wrong), flush=True)
            else:
                passed += 1
        spark.stop()
    print(f"{empty} histories had no accepted export and showed nothing")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
