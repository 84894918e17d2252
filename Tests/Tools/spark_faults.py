#!/usr/bin/env python3
"""Faults while the job in spark/ runs: afterwards its files have the bytes of local runs, or it ended with a clear error and changed
nothing. Nothing is counted twice.

Workers and executors are killed in each stage, the program is killed, disks are full, an export is damaged, rules differ between machines,
the driver is killed before and after the commit. Needs root, for the small disks. By hand, since it takes half an hour:

    .build/spark-venv/bin/python Tests/Tools/spark_faults.py [NAME …]

TRIPKPI names the program. Prints each fault with what came of it, then "N passed, N failed".
"""
import gzip
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "spark"))
sys.path.insert(0, str(ROOT / "Tests/Tools"))
import job_run  # noqa: E402
from local_cluster import cluster  # noqa: E402

TRIPKPI = str(pathlib.Path(os.environ.get("TRIPKPI", ROOT / ".build/release/tripkpi")).resolve())
HOURGLASS = 240
passed, failed = 0, 0


def check(right, what):
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}", flush=True)


# Processes


def processes():
    """Pid, parent and command line of every process."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text()
                found.append((int(entry.name), int(status.rsplit(")", 1)[1].split()[1]), (entry / "cmdline").read_bytes().decode(errors="replace")))
            except (FileNotFoundError, ProcessLookupError):
                pass
    return found


def below(ancestor):
    """Pids of the processes that descend from one."""
    parents, found = {pid: parent for pid, parent, _ in processes()}, []
    for pid in parents:
        above = pid
        while above in parents and above != ancestor:
            above = parents[above]
        if above == ancestor and pid != ancestor:
            found.append(pid)
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


# Places where a fault strikes


class Moment:
    """A job at work, and what can be seen of where it is."""

    def __init__(self, site, spark, log, known):
        self.site, self.spark, self.log, self.known = site, spark, log, known

    def has_new(self, pattern):
        """Whether the run has made a file of the lake that fits."""
        return any(str(path) not in self.known for path in self.site.lake.glob(pattern))

    def says(self, words):
        return words in self.log.read_text(errors="replace")

    def programs(self):
        """Runs of `tripkpi facts` or `tally` of tasks. The driver runs others: for the schema, and of an empty export."""
        return [(pid, words.split("\0")[1]) for pid, parent, words in processes()
                if words.startswith(self.site.tripkpi + "\0") and words.split("\0")[1:2] in (["facts"], ["tally"])
                and "--schema" not in words and "facts\0-\0" not in words]


def reading(moment):
    return any(word == "facts" for _, word in moment.programs())


def sorting(moment):
    return moment.has_new("newest/run=*/_temporary")


def adding_up(moment):
    return moment.says("months changed")


def before_commit(moment):
    return moment.has_new("tallies/run=*/*")


def after_commit(moment):
    return moment.has_new("state/*.json")


def after_record(moment):
    return moment.has_new("releases/*.sqlite")


# What strikes


def kill_worker(moment, driver):
    worker = next(worker for worker in moment.spark.workers if worker.poll() is None)
    for pid in [worker.pid, *below(worker.pid)]:
        kill(pid)


def kill_executor(moment, driver):
    """The executor whose task runs the program."""
    for executor in [pid for pid, _, words in processes() if "CoarseGrainedExecutorBackend" in words]:
        if {pid for pid, _ in moment.programs()} & set(below(executor)):
            kill(executor)
            return
    raise RuntimeError("no executor runs the program")


def kill_program(moment, driver):
    for pid, _ in moment.programs()[:1]:
        kill(pid)


def kill_driver(moment, driver):
    os.killpg(driver.pid, signal.SIGKILL)


class Faults:
    def __init__(self, folder):
        self.site = job_run.Site(folder / "site", TRIPKPI)
        self.folder = folder
        self.seed = 100

    def night(self):
        """New exports, some records of which correct earlier ones."""
        self.seed += 1
        before = {path.read_bytes() for path in self.site.inbox.iterdir()}
        for number, ending in enumerate(("csv", "ndjson", "csv", "csv")):
            self.site.sample(
                f"n{self.seed}-{number}.{ending}", "--rows", "9000", "--seed", str(self.seed % 3 + number), "--from", "2024-10", "--months",
                "6", "--format", ending, "--corrections-per-million", str(20000 + 2000 * (self.seed - 100)))
        check(before.isdisjoint(path.read_bytes() for path in self.site.inbox.glob(f"n{self.seed}-*")), "the exports of a night are not new")

    def submit(self, spark, *more, settings=None):
        """A job under way, and the file of what it says."""
        log = self.folder / f"driver{time.monotonic_ns()}.log"
        with open(log, "wb") as out:
            driver = subprocess.Popen(
                spark.submission(*self.site.options, *more, settings=settings), env={**spark.environment, **self.site.environment},
                stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        return driver, log

    def run(self, spark, *more, settings=None):
        driver, log = self.submit(spark, *more, settings=settings)
        return driver.wait(), log.read_text(errors="replace")

    def strike(self, spark, name, moment_of, act):
        """A job, a fault in it, and its exit code; None if the job ended before."""
        known = {str(path) for path in self.site.lake.rglob("*")}
        driver, log = self.submit(spark)
        moment, end = Moment(self.site, spark, log, known), time.monotonic() + HOURGLASS
        while not moment_of(moment):
            if driver.poll() is not None or time.monotonic() > end:
                check(False, f"{name}: the fault did not strike; the job ended with {driver.poll()}\n{log.read_text()[-1500:]}")
                os.killpg(driver.pid, signal.SIGKILL) if driver.poll() is None else None
                driver.wait()
                return None, ""
            time.sleep(0.01)
        act(moment, driver)
        try:
            code = driver.wait(HOURGLASS * 2)
        except subprocess.TimeoutExpired:
            os.killpg(driver.pid, signal.SIGKILL)
            code = f"nothing after {HOURGLASS * 2} s"
        return code, log.read_text(errors="replace")

    def number(self):
        return self.site.state()["number"]

    def expect_same(self, name):
        differing = self.site.differing()
        check(not differing, f"{name}: {differing}")
        state = self.site.state()
        read = sum(export["read"] for export in state["exports"])
        told = sum(export["skipped"] + export["rejected"] for export in state["exports"]) + sum(
            month[word] for month in state["months"].values() for word in ("trips", "void", "unchanged", "superseded"))
        check(read == told, f"{name}: {read} records were read, {told} have an outcome")

    def survive(self, spark, name, moment_of, act, replace_worker=False):
        """The job ends as if nothing had happened, or is run again."""
        self.night()
        before = self.number()
        code, log = self.strike(spark, name, moment_of, act)
        if code is None:
            return
        if replace_worker:
            spark.add_worker()
        print(f"{name}: the job ended with {code}", flush=True)
        committed = self.number() - before
        if code == 0:
            check(committed == 1, f"{name}: {committed} states")
        else:
            check(committed == (1 if moment_of in (after_commit, after_record) else 0), f"{name}: ended with {code}, {committed} states")
            again, log = self.run(spark)
            check(again == 0, f"{name}: run again, it ended with {again}\n{log[-1500:]}")
            check(self.number() == before + 1, f"{name}: {self.number() - before} states")
        self.expect_same(name)

    # The faults

    def workers(self, spark):
        for name, moment in (("reading", reading), ("sorting", sorting), ("adding up", adding_up)):
            self.survive(spark, f"a worker is killed while {name}", moment, kill_worker, replace_worker=True)

    def executors(self, spark):
        self.survive(spark, "an executor is killed while it pipes", reading, kill_executor)
        self.survive(spark, "tripkpi facts is killed", reading, kill_program)
        self.survive(spark, "tripkpi tally is killed", lambda moment: any(word == "tally" for _, word in moment.programs()), kill_program)

    def drivers(self, spark):
        self.survive(spark, "the driver is killed while sorting", sorting, kill_driver)
        self.survive(spark, "the driver is killed before the commit", before_commit, kill_driver)
        self.survive(spark, "the driver is killed after the commit", after_commit, kill_driver)
        self.survive(spark, "the driver is killed after the release was recorded", after_record, kill_driver)

    def disks(self, spark):
        """One worker's local disk is full, then that of the lake."""
        self.night()
        before = self.number()
        with small_disk(self.folder / "small", "400k") as small, cluster(self.folder / "full", 1) as other:
            other.add_worker({"SPARK_LOCAL_DIRS": str(small)})
            code, log = self.run(other)
        print(f"a worker's disk is full: the job ended with {code}", flush=True)
        check("No space left on device" in log or "No space left on device" in logs_of(self.folder / "full"), "the disk was not full")
        if code != 0:
            check(self.number() == before, "a full disk: a state was written")
            code, log = self.run(spark)
        check(code == 0 and self.number() == before + 1, f"after a full disk: {code}")
        self.expect_same("a worker's disk is full")

        whole = self.site.lake
        self.site.lake = self.folder / "lake"
        with small_disk(self.site.lake, "300k"):
            code, log = self.run(spark)
            print(f"the lake's disk is full: the job ended with {code}", flush=True)
            check(code == 70 and not list(self.site.lake.glob("state/*.json")), f"the lake's disk is full: {code}")
            check("nothing was committed" in log, log[-1000:])
        self.site.lake = whole
        self.expect_same("the lake's disk is full")

    def exports(self, spark):
        self.night()
        good = self.site.inbox / "good.csv"
        self.site.sample("good.csv", "--rows", "3000", "--seed", "77")
        packed = bytearray(gzip.compress(good.read_bytes()))
        packed[len(packed) // 2] ^= 0x40
        bad = self.site.inbox / "bad.csv.gz"
        bad.write_bytes(packed)
        before = self.number()
        code, log = self.run(spark)
        print(f"a damaged export: the job ended with {code}: {[line for line in log.splitlines() if 'refused' in line]}", flush=True)
        check(code == 65 and "an export is refused" in log, f"a damaged export: {code}")
        bad.rename(self.folder / "bad")
        check(self.number() == before + 1, "the good exports beside a damaged one were not committed")
        self.expect_same("a damaged export")
        bad.write_bytes(gzip.compress(good.read_bytes() + b"\n"))
        code, log = self.run(spark)
        check(code == 0, f"the mended export: {code}")
        self.expect_same("the mended export")

    def rules(self, spark):
        """The rules of one machine are others than those of the rest."""
        self.night()
        shutil.copytree(ROOT / "data/rules", self.folder / "rules")
        other = self.folder / "rules/other.yaml"
        text = (ROOT / "data/rules/sample.yaml").read_text()
        other.write_text(text.replace("name: sample", "name: other", 1))
        check(other.read_text() != text, "the rules were not changed")
        program = self.folder / "wrapper"
        program.write_text(f'#!/bin/sh\n[ "$1" = facts ] && [ -n "$OTHER_RULES" ] && exec {TRIPKPI} "$@" --rules "$OTHER_RULES"\nexec {TRIPKPI} "$@"\n')
        program.chmod(0o755)
        before = self.number()
        with cluster(self.folder / "mixed", 1) as mixed:
            mixed.add_worker({"OTHER_RULES": str(other)})
            code, log = self.run(mixed, "--program", str(program))
        print(f"rules differ: the job ended with {code}: {[line for line in log.splitlines() if line.startswith('tripkpi-spark')][-1:]}", flush=True)
        check(code == 78 and "rules" in log, f"rules differ: {code}\n{log[-1500:]}")
        check(self.number() == before, "facts of other rules were committed")
        other.unlink()
        with cluster(self.folder / "lacking", 1) as lacking:
            lacking.add_worker({"OTHER_RULES": str(other)})
            code, log = self.run(lacking, "--program", str(program))
        print(f"rules are missing: the job ended with {code}: {[line for line in log.splitlines() if line.startswith('tripkpi-spark')][-1:]}", flush=True)
        # Tasks of the machine without them go to the other one, unless all attempts were there.
        check((code, self.number()) in ((78, before), (0, before + 1)), f"rules are missing: {code}\n{log[-1500:]}")
        code, log = self.run(spark)
        check(code == 0 and self.number() == before + 1, f"after other rules: {code}")
        self.expect_same("after other rules")


def logs_of(folder):
    return "".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file() and path.name in ("stderr", "stdout"))


@contextmanager
def small_disk(place, size):
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def main():
    names = sys.argv[1:] or ["workers", "executors", "drivers", "disks", "exports", "rules"]
    with tempfile.TemporaryDirectory() as name:
        faults = Faults(pathlib.Path(name))
        with cluster(faults.site.folder / "cluster") as spark:
            faults.night()
            code, log = faults.run(spark)
            check(code == 0, f"the first night ended with {code}\n{log[-1500:]}")
            # The release of this machine alone begins with this night too.
            faults.expect_same("the first night")
            for fault in names:
                getattr(faults, fault)(spark)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
