#!/usr/bin/env python3
"""The job in spark/, on a master and two workers on this machine: its files have the bytes of local runs, night after night. The nights
between the first and the kill run in one process.

Exports of several formats, divided inside quoted fields and characters of several bytes, with corrections, voids, copies and faults;
a night with nothing new; a damaged export; a job beside another; a job whose driver was killed. At the end: identifiers are in no file of
the job or of Spark (Parquet, shuffle files, event logs, logs of driver and executors), and the newest rows are those that DuckDB finds in
the facts of each export. Then two of the cases and one of the random histories of spark_histories.py; run that by hand for the others.
mypy checks the types of the job.

TRIPKPI names the program. Prints what fails, then "N passed, N failed". A part of it needs .build/spark-venv (scripts/bootstrap.sh test).
"""
import csv
import gzip
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from array import array
from hashlib import sha256

ROOT = pathlib.Path(__file__).resolve().parents[2]
VENV = ROOT / ".build/spark-venv/bin/python"
if not VENV.exists():
    print("skipped: the Spark job: there is no .build/spark-venv (scripts/bootstrap.sh spark)")
    print("0 passed, 0 failed")
    sys.exit(0)
if pathlib.Path(sys.prefix).resolve() != VENV.parents[1].resolve():
    # Spark's Python runs the rest; what it lacks is asked of this one.
    os.environ["CHECKS_PYTHON"] = sys.executable
    os.execv(VENV, [str(VENV), __file__])

sys.path.insert(0, str(ROOT / "spark"))
import job_run  # noqa: E402
import pyarrow  # noqa: E402
import pyarrow.parquet  # noqa: E402
from local_cluster import cluster  # noqa: E402

TRIPKPI = str(pathlib.Path(os.environ.get("TRIPKPI", ROOT / ".build/release/tripkpi")).resolve())
CANARY = "CANARY"
# Numbers of patients: more digits than any other number in the files has, except times and pseudonyms, which have more.
PATIENTS = set(range(700_000_000_000, 700_000_000_000 + 4000 * 137, 137))
SAMPLE = ("--rows", "2000", "--seed", "5", "--from", "2024-01", "--months", "6")
# So that the search can read what Spark writes.
PLAIN_FILES = {"spark.shuffle.compress": "false", "spark.shuffle.spill.compress": "false", "spark.broadcast.compress": "false"}
passed, failed = 0, 0


def check(right, what):
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}")


def quoted_export(path, trips, seed, correction=0):
    """Notes with line ends that look like records, and characters of two to four bytes; ids are canaries."""
    pick = random.Random(seed + correction)
    with open(path, "w", encoding="utf-8", newline="") as file:
        write = csv.writer(file, lineterminator="\n")
        write.writerow(["trip_id", "leg_id", "patient_id", "patient_name", "unit_notified_at", "status", "cost", "notes", "updated_at"])
        for number in range(trips):
            trip = f"{CANARY}-T{seed}-{number % (trips * 9 // 10)}"
            # The versions of a trip are of one day: else they would be other trips (`reused_ids`).
            home = random.Random(trip)
            # Few months: each has files, tasks and reports of its own.
            day = f"2024-{home.randint(1, 6):02}-{home.randint(1, 28):02}"
            record = f"a\n{trip},,p,n,{day} 07:00:00,completed,1.00,b,2026-01-01 00:00:00\nc"
            note = pick.choice((
                "ok", "née Žižková 東京 🚑", "\n\n", 'said "no"\nand left', "é" * pick.randint(1, 90), *[record] * 5))
            write.writerow([
                trip, "", 700_000_000_000 + 137 * pick.randrange(min(4000, trips // 2)), f"{CANARY} Name{number}", f"{day} 07:{pick.randint(0, 59):02}:00",
                pick.choice(("completed", "completed", "completed", "cancelled", "void")), f"{pick.randint(1, 90000) / 100:.2f}", note,
                f"2026-01-{pick.randint(1, 9):02} 00:00:00"])


def job(spark, site, *more, check_code=0, is_in_one_process=False, without=()):
    environment = {name: value for name, value in {**spark.environment, **site.environment}.items() if name not in without}
    done = subprocess.run(
        spark.submission(*site.options, *more, settings=PLAIN_FILES, is_in_one_process=is_in_one_process), env=environment,
        capture_output=True, text=True, check=False)
    # Spark hands on what the driver says, wherever it says it, on standard output.
    done.stderr += done.stdout
    (site.folder / "cluster/logs" / f"driver{time.monotonic_ns()}.log").write_text(done.stderr)
    if done.returncode != check_code:
        print(done.stderr[-3000:])
    check(done.returncode == check_code, f"the job ended with {done.returncode} instead of {check_code}")
    return done


def expect_same(site, what, revise=False):
    differing = site.differing(revise)
    check(not differing, f"{what}: {differing}")


class KeptFiles:
    """Spark removes its shuffle files when a job ends. This thread gives each a second name, under which it stays."""

    def __init__(self, local, kept):
        self.local, self.kept, self.is_running = local, kept, True
        kept.mkdir()
        self.thread = threading.Thread(target=self.keep, daemon=True)
        self.thread.start()

    def keep(self):
        known = set()
        while self.is_running:
            for folder, _, names in os.walk(self.local):
                for name in names:
                    path = pathlib.Path(folder) / name
                    try:
                        number = path.stat().st_ino
                        if "blockmgr" in folder and number not in known:
                            os.link(path, self.kept / f"{len(known)}-{name}")
                            known.add(number)
                    except FileNotFoundError:
                        pass  # Removed meanwhile.
            time.sleep(0.02)

    def end(self):
        self.is_running = False
        self.thread.join()


def longs(data):
    """Every eight bytes of the data as a number, wherever they begin."""
    found = set()
    for start in range(8):
        words = array("q")
        words.frombytes(data[start:start + (len(data) - start) // 8 * 8])
        found.update(words)
    return found


def has_identifier(path):
    """Whether a file has an identifier of the exports, as text, as a number, or as a value of Parquet."""
    data = path.read_bytes()
    if CANARY.encode() in data or CANARY in path.name or not PATIENTS.isdisjoint(longs(data)):
        return True
    if any(int(number) in PATIENTS for number in re.findall(rb"(?<!\d)\d{12}(?!\d)", data)):
        return True
    if path.suffix != ".parquet":
        return False
    values = {value for column in pyarrow.parquet.read_table(path, partitioning=None).columns for value in column.unique().to_pylist()}
    return not PATIENTS.isdisjoint(values) or any(CANARY in value for value in values if isinstance(value, str))


def search_identifiers(folder, inbox):
    """Files of the job and of Spark that have an identifier, and how many files were searched."""
    files = [path for path in folder.rglob("*") if path.is_file() and inbox not in path.parents]
    return [str(path.relative_to(folder)) for path in files if has_identifier(path)], len(files)


def check_search(site):
    """The search finds what is there: identifiers in each form, and pseudonyms in the shuffle files."""
    folder = site.folder / "planted"
    folder.mkdir()
    (folder / "text.log").write_text(f"row of {min(PATIENTS)}, lost")
    (folder / "name.log").write_bytes(b"\x01\x02" + CANARY.encode())
    (folder / "shuffle.data").write_bytes(b"\x00" * 5 + max(PATIENTS).to_bytes(8, sys.byteorder) + b"\x07")
    for name, value in (("number", min(PATIENTS)), ("text", f"{CANARY}-1")):
        pyarrow.parquet.write_table(pyarrow.table({"value": [value, value]}), folder / f"{name}.parquet", compression="zstd")
    for path in sorted(folder.iterdir()):
        check(has_identifier(path), f"the search does not find what is in {path.name}")
        path.unlink()
    folder.rmdir()
    keys = set()
    for path in (site.lake / "newest").rglob("*.parquet"):
        keys.update(pyarrow.parquet.read_table(path, partitioning=None, columns=["trip_key_high"]).column(0).to_pylist())
    kept = list((site.folder / "kept").iterdir())
    seen = keys & set().union(*(longs(path.read_bytes()) for path in kept))
    check(len(seen) > len(keys) // 2, f"{len(kept)} shuffle files have {len(seen)} of {len(keys)} pseudonyms")


def newest_rows(site):
    """What DuckDB makes of the facts of each export, beside the rows of the lake."""
    facts = site.folder / "all.tsv"
    with open(facts, "wb") as out:
        for place, export in enumerate(site.exports()):
            for line in site.run("facts", export, "--key-file", site.key, "--max-reject", "100%").stdout.splitlines():
                if not line.startswith(b"#"):
                    out.write(line + f"\t{place}\n".encode())
    months = {name: month["run"] for name, month in site.state()["months"].items()}
    lake = [str(path) for name, run in months.items() for path in (site.lake / f"newest/run={run}/month={name}").glob("*.parquet")]
    schema = json.loads(site.run("facts", "--schema").stdout)
    columns = {column["name"]: column["type"] for column in schema["columns"]}
    names = ", ".join(name for name in columns if name != "month")
    script = f"""
import duckdb
columns = {columns | {"rank": "INT"}!r}
duckdb.sql(f"create table facts as select * from read_csv('{facts}', auto_detect = false, header = false, delim = '\\t', quote = '', "
           f"escape = '', columns = {{columns}})")
duckdb.sql("create table newest as select {names} from facts qualify row_number() over (partition by trip_key_high, trip_key_low "
           "order by updated_at desc nulls last, sequence desc nulls last, rank desc, record_offset desc) = 1")
duckdb.sql("create table lake as select {names} from read_parquet({lake!r})")
print(duckdb.sql("select count(*) from newest").fetchall()[0][0], duckdb.sql("select count(*) from lake").fetchall()[0][0],
      duckdb.sql("select count(*) from (from newest except all from lake)").fetchall()[0][0])
"""
    done = subprocess.run([os.environ.get("CHECKS_PYTHON", "python3"), "-c", script], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stderr[-2000:])
    return done.stdout.split()


def check_types():
    """The types that the job names are those that it uses."""
    files = sorted((ROOT / "spark").glob("*.py"))
    done = subprocess.run(
        [os.environ.get("CHECKS_PYTHON", "python3"), "-m", "mypy", "--check-untyped-defs", "--ignore-missing-imports", "--cache-dir", os.devnull,
         "--python-executable", VENV, *files], cwd=ROOT / "spark", capture_output=True, text=True, check=False)
    if "No module named mypy" in done.stderr:
        print("skipped: types of the Spark job: there is no mypy (scripts/bootstrap.sh test)")
    else:
        check(done.returncode == 0 and f"in {len(files)} source files" in done.stdout, f"mypy: {done.stdout[-2000:]}{done.stderr[-500:]}")


def main():
    started = time.monotonic()
    check_types()
    with tempfile.TemporaryDirectory() as name:
        site = job_run.Site(pathlib.Path(name) / "site", TRIPKPI)
        # One night runs by the real clock. In another quarter it would revise the release.
        site.environment["SOURCE_DATE_EPOCH"] = str(int(time.time()))
        quoted_export(site.inbox / f"{CANARY}.csv", 3000, 1)
        site.sample("a.ndjson", *SAMPLE, "--format", "ndjson")
        with cluster(site.folder / "cluster") as spark:
            kept = KeptFiles(site.folder / "cluster/local", site.folder / "kept")
            # The first night.
            # JSON whose name says lines: no part of it can be read, the whole can.
            (site.inbox / "array.txt").write_text(json.dumps([
                {"trip_id": f"{CANARY}-J{number}", "leg_id": "", "unit_notified_at": f"2024-03-{1 + number % 28:02} 07:00:00", "status": "completed"}
                for number in range(900)]))
            first = job(spark, site, "--part-bytes", "40000")
            check("1 exports cannot be read in parts" in first.stderr, first.stderr[-300:])
            check("guessed wrong" in first.stderr, "no part guessed wrong, so nothing was tested")
            expect_same(site, "first night")
            state = site.state()
            check(state["number"] == 1 and len(state["exports"]) == 3, f"state {state['number']}")

            # The nights up to the kill run in one process: starting executors takes most of the time of so small a job.
            # The second night: corrections, the same trips in another form, a copy, an empty export, gzip.
            quoted_export(site.inbox / "_b.csv", 2000, 1, correction=1)
            site.sample("c.csv", *SAMPLE)
            (site.inbox / "copy.csv").write_bytes((site.inbox / f"{CANARY}.csv").read_bytes())
            (site.inbox / "empty.csv").write_text("trip_id,leg_id,unit_notified_at,status\n")
            (site.inbox / "d.csv.gz").write_bytes(gzip.compress((site.inbox / "_b.csv").read_bytes() + b"\n"))
            job(spark, site, "--part-bytes", "40000", is_in_one_process=True)
            expect_same(site, "second night")
            state = site.state()
            check(len(state["exports"]) == 7, f"{len(state['exports'])} exports")
            late = {month["run"] for month in state["months"].values()}

            # A few trips of one month: the others stay.
            (site.inbox / "e.csv").write_text(
                "trip_id,leg_id,unit_notified_at,status,updated_at\n"
                + "".join(f"{CANARY}-L{number},,2024-02-03 07:00:00,completed,2026-02-01 00:00:00\n" for number in range(40)))
            # The release takes the corrections of the second night.
            before = (site.out / "release/kpi-cells.csv").read_bytes()
            third = job(spark, site, "--revise", is_in_one_process=True)
            check(": 1 months changed" in third.stderr, third.stderr[-300:])
            check("revision of the release: 20" in third.stderr, third.stderr[-300:])
            expect_same(site, "third night, with a revision", revise=True)
            now = site.state()["months"]
            check(sum(month["run"] in late for month in now.values()) == len(now) - 1, "months were made again that did not change")
            check((site.out / "release/kpi-cells.csv").read_bytes() != before, "the revision changed nothing")

            # Nothing new but what is no export, and exports that cannot be read: the figures stay.
            (site.inbox / "notes.pdf").write_text("no export")
            # Can be opened, but its beginning cannot be read.
            (site.inbox / "lost.csv").symlink_to("/proc/self/mem")
            (site.inbox / "no-profile").mkdir()
            (site.inbox / "no-profile/h.csv").write_text("trip_id,leg_id,unit_notified_at,status\n1,,2024-02-03 07:00:00,completed\n")
            (site.inbox / "events").mkdir()
            shutil.copy(site.inbox / "no-profile/h.csv", site.inbox / "events/i.csv")
            (site.inbox / "f.csv.gz").write_bytes((site.inbox / "d.csv.gz").read_bytes()[:-700])
            figures = [(site.out / audience / "kpi-cells.csv").read_bytes() for audience in job_run.AUDIENCES]
            refused = job(spark, site, check_code=65, is_in_one_process=True, without=("SOURCE_DATE_EPOCH",))
            # All files of a night have one time, and the modes of published sets.
            times = {json.loads((site.out / audience / "kpi-summary.json").read_text())["generatedAt"] for audience in job_run.AUDIENCES}
            check(len(times) == 1, f"times of the summaries: {times}")
            modes = {oct((site.out / name).stat().st_mode & 0o777) for name in site.outputs}
            modes |= {oct((site.out / audience).stat().st_mode & 0o777) for audience in job_run.AUDIENCES}
            check(modes == {"0o640", "0o750"}, f"modes of the published files: {modes}")
            digest = sha256((site.inbox / "f.csv.gz").read_bytes()).hexdigest()
            check(f"an export is refused, SHA-256 {digest[:12]}" in refused.stderr, refused.stderr[-300:])
            for line in ("files of the inbox skipped: 1;", "refused: 1 exports, which cannot be read", "refused: 1 exports, whose folder names no usable profile: "):
                check(f"tripkpi-spark: {line}" in refused.stderr, f"{line}: {refused.stderr[-600:]}")
            check(site.state()["number"] == 3, "a refused export was committed")
            (site.inbox / "lost.csv").unlink()
            check(figures == [(site.out / audience / "kpi-cells.csv").read_bytes() for audience in job_run.AUDIENCES], "a refused export changed figures")
            check("no-profile" not in refused.stderr, "the name of a folder is in the log")
            (site.inbox / "f.csv.gz").unlink()
            for name in ("no-profile", "events"):
                shutil.rmtree(site.inbox / name)

            # Killed while it reads, and another job beside it.
            quoted_export(site.inbox / "g.csv", 2500, 7)
            known = {path.name for path in (site.lake / "facts").iterdir()}
            killed = subprocess.Popen(
                spark.submission(*site.options), env={**spark.environment, **site.environment}, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, start_new_session=True)
            while killed.poll() is None and {path.name for path in (site.lake / "facts").iterdir()} <= known:
                time.sleep(0.05)
            for work in ([], ["--work", str(site.folder / "cluster/other-work")]):
                second = job(spark, site, *work, check_code=75)
                check("another job is running" in second.stderr, second.stderr[-300:])
            os.killpg(killed.pid, signal.SIGKILL)
            killed.wait()
            check(site.state()["number"] == 3, "a killed job committed")
            job(spark, site)
            expect_same(site, "after a kill")
            runs = {export["run"] for export in site.state()["exports"]} | {month["run"] for month in site.state()["months"].values()}
            runs = {f"run={run}" for run in runs}
            left = [path.name for folder in ("facts", "newest", "tallies", "findings") for path in (site.lake / folder).iterdir()
                    if path.name not in runs]
            check(not left, f"left over: {left}")
            ours, theirs, different = newest_rows(site)
            check(ours == theirs and int(ours) > 5000 and different == "0", f"newest rows: {ours}, {theirs}, {different}")
            kept.end()
        check_search(site)
        found, searched = search_identifiers(site.folder, site.inbox)
        check(not found and searched > 100, f"{searched} files, identifiers in {found[:5]}")
    histories = subprocess.run(
        [sys.executable, pathlib.Path(__file__).with_name("spark_histories.py"), "--histories", "1", "--cases", "refused_then_accepted", "repeated_trips"],
        capture_output=True, text=True, check=False)
    check(histories.returncode == 0 and histories.stdout.strip().endswith("3 passed, 0 failed"),
          f"the histories ended with {histories.returncode}: {histories.stdout[-2000:]}{histories.stderr[-3000:]}")
    print(f"{time.monotonic() - started:.0f} s")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
