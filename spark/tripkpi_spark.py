"""The figures of exports that one machine cannot read in time, with Apache Spark. See docs/spark.md.

    spark-submit spark/tripkpi_spark.py \\
        --inbox hdfs:///exports --lake hdfs:///tripkpi --work /var/lib/tripkpi --out /srv/tripkpi/reports \\
        --program /usr/local/bin/tripkpi --config /etc/tripkpi/tripkpi.yaml --key-file /etc/tripkpi/tripkpi.key

The program `tripkpi` reads exports and adds up trips; Spark moves and sorts their rows; `tripkpi merge` publishes.
"""
from __future__ import annotations

import argparse
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time
import traceback
import uuid
from collections.abc import Callable, Iterable
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import pyarrow as pa
import pyarrow.fs
from pyspark.errors import PythonException
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import IntegerType, LongType, StringType, StructField, StructType

import tasks
from exports import BASIS, Differs, ExportParts, File, Refused, inbox_files
from lake import Lake, Month, OtherVersion, State
from releases import CURRENT, KEYS, VOID, Register, changes, lines, write_changes
from tasks import ProgramFile, Reading, is_local, spark_uri

# Exit codes, those of tripkpi.
DATA, INPUT_MISSING, INTERNAL, LOCKED, CONFIGURATION = 65, 66, 70, 75, 78
# Keys of fewer new facts than this are sent to all executors, instead of sorting all facts by key.
MOST_BROADCAST = 5_000_000
AUDIENCES = ("staff", "release")
SUMMARY = "kpi-summary.json"
OUTPUTS = (SUMMARY, "kpi-cells.csv", "dashboard.html", "kpi.xlsx")
# Columns of facts that a tally does not need.
UNTALLIED = (*KEYS, "updated_at", "sequence", "record_offset", "content")
# How lines of `tripkpi merge` begin that tell what is released.
OF_RELEASES = ("released:", "withheld from the release:", "revision of the release:", "cannot be revised")


def log(message: str) -> None:
    print(f"tripkpi-spark: {message}", file=sys.stderr, flush=True)


class Failure(Exception):
    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = code


class Job:
    def __init__(self, spark: SparkSession, options: argparse.Namespace):
        self.spark = spark
        self.options = options
        self.lake = Lake(options.lake)
        self.work = Path(options.work)
        self.run = time.strftime("%Y%m%dT%H%M%S-", time.gmtime()) + uuid.uuid4().hex[:8]
        program = shutil.which(options.program)
        if program is None:
            raise Failure(CONFIGURATION, "--program: there is no such program")
        self.program = ProgramFile.of(os.path.abspath(program))
        # One time in all files of a night.
        self.environment = {"SOURCE_DATE_EPOCH": str(int(time.time())), **os.environ}
        files, inbox = tasks.file_system(options.inbox)
        if files.get_file_info(inbox).type != pyarrow.fs.FileType.Directory:
            raise Failure(INPUT_MISSING, "--inbox: there is no such folder")
        schema = json.loads(self.run_program("facts", "--schema").stdout)
        self.columns = tuple((column["name"], column["type"] == "BIGINT") for column in schema["columns"])
        self.refused = 0

    def run_program(self, *words: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run([self.program.path, *words], env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if line.startswith("tripkpi:")]
            raise Failure(done.returncode, "\n".join(errors) or done.stderr.strip())
        return done

    def describe(self, step: str) -> None:
        """Names the jobs that follow, in Spark's pages and event logs."""
        self.spark.sparkContext.setJobDescription(step)

    # What the rows are

    def schema(self, *added: StructField) -> StructType:
        facts = [StructField(name, LongType() if is_long else IntegerType()) for name, is_long in self.columns]
        return StructType([*facts, *added])

    @property
    def fact_schema(self) -> StructType:
        return self.schema(
            StructField("export", StringType()), StructField("part", IntegerType()))

    @property
    def newest_schema(self) -> StructType:
        return self.schema(StructField("unchanged", LongType()), StructField("superseded", LongType()))

    def parquet(self, schema: StructType, name: str, runs: Iterable[str]) -> DataFrame:
        """The rows of some runs, in the columns of the schema and `run`."""
        places = [spark_uri(self.lake.of_run(name, run)) for run in sorted(runs)]
        schema = StructType([*schema, StructField("run", StringType())])
        if not places:
            return self.spark.createDataFrame([], schema)
        rows = self.spark.read.schema(schema).option("basePath", spark_uri(self.lake.folder(name))).parquet(*places)
        return rows.select(schema.names)

    # Exports

    def new_exports(self, state: State) -> list[tuple[File, str]]:
        """Files whose content no export of the lake has, each content once."""
        known = {export.sha256 for export in state.exports}
        digests = self.digests(inbox_files(self.options.inbox))
        found = {}
        for file, digest in digests.items():
            if digest not in known:
                found.setdefault(digest, file)
        return [(file, digest) for digest, file in found.items()]

    def digests(self, files: list[File]) -> dict[File, str]:
        """The SHA-256 of each file. One that looks as it did when it was hashed is not hashed again."""
        memory = self.work / "digests.json"
        known = json.loads(memory.read_text()) if memory.exists() else {}

        def name(file: File) -> str:
            return tasks.sha256(f"{self.options.inbox}\n{file.path}\n{file.bytes}\n{file.modified}".encode()).hexdigest()

        missing = [file for file in files if name(file) not in known]
        self.describe("hash exports")
        if missing:
            rows = self.spark.createDataFrame(
                self.spark.sparkContext.parallelize([(file.path,) for file in missing], len(missing)), "path string")
            found = rows.mapInArrow(partial(tasks.hash_exports, self.options.inbox), sql_fields(tasks.HASHES)).collect()
            by_path = {row.path: row.sha256 for row in found}
            known |= {name(file): by_path[file.path] for file in missing}
            known = {name(file): known[name(file)] for file in files}
            draft = self.work / "digests.json.part"
            with private_file(draft) as text:
                text.write(json.dumps(known).encode())
            os.replace(draft, memory)
        return {file: known[name(file)] for file in files}

    def read(self, work: list[dict]) -> None:
        """Writes the facts of parts of exports as Parquet, and what was found in them."""
        self.describe("read exports")
        options = ["--key-file", self.options.key_file]
        for word in ("config", "data_dir"):
            if value := getattr(self.options, word):
                options += [f"--{word.replace('_', '-')}", value]
        reading = Reading(
            self.program, tuple(options), self.columns, self.options.inbox,
            self.lake.of_run("findings", self.run))
        fields = "path string, sha256 string, profile string, part int, options array<string>"
        rows = self.spark.sparkContext.parallelize(
            [tuple(task[name] for name in ("path", "sha256", "profile", "part", "options")) for task in work], len(work))
        (self.spark.createDataFrame(rows, fields)
            .mapInArrow(partial(tasks.read_facts, reading), self.fact_schema)
            .write.partitionBy("export", "part", "month").mode("append")
            .parquet(spark_uri(self.lake.of_run("facts", self.run))))

    def read_all(self, new: list[tuple[File, str]]) -> list[ExportParts]:
        """Reads new exports in parts that meet; those that are refused are left out."""
        has_paths = is_local(self.options.inbox)
        exports = [
            ExportParts.divided(file, digest, self.options.part_bytes, has_paths)
            for file, digest in sorted(new, key=lambda item: -item[0].bytes)]
        self.read([task for export in exports for task in export.tasks()])
        parts = {export.sha256: list(export.parts) for export in exports}
        while parts:
            exports = [
                export for export in exports
                if self.accepts(export, ExportParts.take_findings, self.lake, self.run, parts.get(export.sha256, []))]
            unread = [(export, part, before) for export in exports for part, before in export.unread_parts()]
            parts = {}
            for export, part, before in unread:
                parts.setdefault(export.sha256, []).append(part)
                facts = ("facts", f"run={self.run}", f"export={export.sha256}")
                self.lake.remove(*facts, *([f"part={part}"] if before else []))
            wrong = sum(1 for _, _, before in unread if before)
            if wrong:
                log(f"{wrong} parts guessed wrong where their first record starts; they are read again")
            if len(unread) > wrong:
                log(f"{len(unread) - wrong} exports cannot be read in parts; they are read again as a whole")
            if unread:
                self.read([export.task(part, before) for export, part, before in unread])
        # What was hashed is what was read.
        unchanged = set(inbox_files(self.options.inbox))
        return [export for export in exports if self.accepts(export, ExportParts.finish, self.run, unchanged)]

    def accepts(self, export: ExportParts, step: Callable[..., object], *words: object) -> bool:
        """Whether a step does not refuse the export. A refused export is left out, and the job goes on."""
        try:
            step(export, *words)
            return True
        except Refused as error:
            self.refused += 1
            # Its name may be that of a person.
            log(f"an export is refused, SHA-256 {export.sha256[:12]}…: {error}")
            return False

    def agree(self, state: State, exports: list[ExportParts]) -> dict:
        """What all facts have in common."""
        basis, profiles = dict(state.basis), dict(state.basis.get("profiles", {}))
        for export in exports:
            summary = export.summaries[0]
            basis = basis or export.basis
            for name in BASIS:
                if basis[name] != summary[name]:
                    where = "the lake's" if state.basis else "another machine's"
                    raise Differs(f"{name} of new facts is not {where}; begin a new lake to change it")
            version = profiles.setdefault(export.file.profile, summary["profileVersion"])
            if version != summary["profileVersion"]:
                raise Differs("a profile or the zone is not the same on all machines and nights; begin a new lake to change it")
        return basis | {"profiles": profiles} if basis else basis

    # Trips

    def newest(self, facts: DataFrame, state: State) -> DataFrame:
        order = sorted(state.exports, key=lambda export: export.rank)
        ranks = self.spark.createDataFrame(
            [(export.sha256, export.run, place) for place, export in enumerate(order)], "export string, run string, rank int")
        facts.createOrReplaceTempView("facts")
        F.broadcast(ranks).createOrReplaceTempView("ranks")
        query = Path(__file__).with_name("newest.sql").read_text(encoding="utf-8")
        return self.spark.sql(query).select(self.newest_schema.names)

    def update_months(self, state: State, new: State) -> set[int]:
        """Writes the newest facts of the months that the new exports change.

        A month changes if a trip of a new export was or is in it. The other trips of the month stay as they are.
        """
        self.describe("find the newest records")
        facts = self.parquet(self.fact_schema, "facts", {export.run for export in new.exports})
        place = spark_uri(self.lake.of_run("newest", self.run))
        if not state.months:
            self.newest(facts, new).write.partitionBy("month").parquet(place)
            return self.months_written()
        added = {export.sha256 for export in new.exports} - {export.sha256 for export in state.exports}
        keys = facts.where(F.col("export").isin(list(added))).select(KEYS).distinct()
        if sum(export.facts for export in new.exports if export.sha256 in added) <= MOST_BROADCAST:
            keys = F.broadcast(keys)
        fresh = self.newest(facts.join(keys, KEYS, "left_semi"), new).persist()
        before = self.current(state)
        touched = {row.month for row in before.join(keys, KEYS, "left_semi").select("month").distinct().collect()}
        touched |= {row.month for row in fresh.select("month").distinct().collect()}
        if touched:
            kept = before.where(F.col("month").isin(list(touched))).join(keys, KEYS, "left_anti")
            kept.unionByName(fresh).write.partitionBy("month").parquet(place)
        fresh.unpersist()
        return touched

    def current(self, state: State) -> DataFrame:
        """The newest facts of all months: of each month, those that the last run wrote that changed it."""
        runs: dict[str, list[int]] = {}
        for name, month in state.months.items():
            runs.setdefault(month.run, []).append(name)
        rows = self.parquet(self.newest_schema, "newest", runs)
        is_current = F.lit(False)
        for run, months in runs.items():
            is_current |= (F.col("run") == run) & F.col("month").isin(months)
        return rows.where(is_current).drop("run")

    def months_written(self) -> set[int]:
        files, folder = tasks.file_system(self.lake.of_run("newest", self.run))
        found = files.get_file_info(pyarrow.fs.FileSelector(folder, allow_not_found=True))
        return {int(entry.base_name.split("=")[1]) for entry in found if entry.base_name.startswith("month=")}

    # Tallies

    def tally(self, new: State, touched: set[int]) -> None:
        """Adds up the touched months, and checks the sums against those of SQL."""
        self.describe("add up months")
        for name in touched:
            new.months.pop(name, None)
        written = self.months_written()
        if not written:
            return
        rows = self.parquet(self.newest_schema, "newest", [self.run])
        counts = rows.groupBy("month").agg(
            F.count_if(F.col("status") != VOID).alias("trips"), F.count_if(F.col("status") == VOID).alias("void"),
            F.sum("unchanged").alias("unchanged"), F.sum("superseded").alias("superseded")).collect()
        sums, months = self.add_up(rows, new, len(written))
        trips, void = sum(row.trips for row in counts), sum(row.void for row in counts)
        if (sums.trips, sums.void, sum(row.trips or 0 for row in months)) != (trips, void, trips):
            raise Failure(INTERNAL, "the tallies do not have as many trips as the lake; nothing was published")
        for row in (row for row in months if row.month):
            tasks.write_file(self.lake.of_run("tallies", self.run), str(row.month), row.tally.encode())
        for row in counts:
            new.months[row.month] = Month(self.run, row.trips, row.void, row.unchanged, row.superseded)

    def add_up(self, rows: DataFrame, state: State, months: int) -> tuple[Row, list[Row]]:
        """The numbers of trips and void trips, and the rows of the months' tallies. A row without a month has numbers only."""
        intervals = [reading["maximumIntervalSeconds"] for reading in self.readings(state)]
        options = [
            "--regions", str(len(state.basis["regions"])), "--trip-types", str(len(state.basis["tripTypes"])),
            "--longest-interval", str(max(intervals))]
        names = [name for name, _ in self.columns]
        needed = rows.select([name for name in names if name not in UNTALLIED])
        found = needed.mapInArrow(partial(tasks.tally, self.program, options, names), sql_fields(tasks.TALLIES)).persist()
        sums = found.agg(F.sum("trips").alias("trips"), F.sum("void").alias("void")).first()
        tallies = (found.where("month IS NOT NULL").select("month", "tally").repartition(max(1, min(months, 64)), "month")
            .mapInArrow(partial(tasks.tally, self.program, options, ["month", "tally"]), sql_fields(tasks.TALLIES)).collect())
        found.unpersist()
        return sums, tallies

    @staticmethod
    def readings(state: State) -> list[dict]:
        found: list[dict] = []
        for export in state.exports:
            if export.reading not in found:
                found.append(export.reading)
        return found

    def summary(self, state: State) -> dict:
        """The last line of the file of tallies. Each record of the exports is in one of its counts."""
        months, exports = state.months.values(), state.exports
        outcomes = {
            "added": sum(month.trips + month.void for month in months), "updated": 0,
            "unchanged": sum(month.unchanged for month in months), "superseded": sum(month.superseded for month in months),
            "skipped": sum(export.skipped for export in exports), "rejected": sum(export.rejected for export in exports)}
        read = sum(export.read for export in exports)
        if read != sum(outcomes.values()):
            equation = " + ".join(f"{name} {count}" for name, count in outcomes.items())
            raise Failure(INTERNAL, f"records were lost or counted twice: read {read}, but {equation}; nothing was published")
        return {
            "format": "tripkpi-tally", "version": 1, "tool": self.run_program("--version").stdout.strip(),
            **{name: state.basis[name] for name in BASIS if name != "version"},
            "readings": self.readings(state), "exports": sorted(export.sha256 for export in exports),
            "counts": {"read": read, **outcomes}, "void": sum(month.void for month in months)}

    # Publication

    def write_tallies(self, state: State) -> Path:
        """The file of tallies of all months, which `tripkpi merge` reads; it stays for other reports."""
        path, draft = self.work / "figures.tally", self.work / "figures.tally.part"
        summary = self.summary(state)
        with private_file(draft) as file:
            for name, month in sorted(state.months.items()):
                if month.trips:
                    body = tasks.read_file(self.lake.of_run("tallies", month.run), str(name))
                    file.write(f"{name}\t".encode() + body + b"\n")
            file.write(b"#" + json.dumps(summary).encode() + b"\n")
        os.replace(draft, path)
        return path

    def find_changes(self, path: Path, state: State, register: Register, released: State) -> None:
        """The trips that changed in released months since the register was written, and all changed trips as they are now."""
        self.describe("find the changed trips")
        names = [name for name, _ in self.columns]
        values = [name for name in names if name not in (*UNTALLIED, "month")]

        def run(of: State, name: int) -> str | None:
            return of.months[name].run if name in of.months else None

        months = {name for name in register.months() if run(released, name) != run(state, name)}
        known = register.changed_trips()
        if not months and not known.num_rows:
            write_changes(path, [])
            return
        rows = changes(
            *(self.current(State(months={name: of.months[name] for name in months if name in of.months})) for of in (released, state)),
            values).persist()
        keys = rows.select(KEYS).union(self.spark.createDataFrame(known)).distinct()
        months = {row.month for row in self.current(state).join(keys, KEYS, "left_semi").select("month").distinct().collect()}
        # Only these months are read with all their columns.
        now = self.current(State(months={name: state.months[name] for name in months})).join(keys, KEYS, "left_semi").select(
            *KEYS, "month", F.lit(CURRENT).alias("kind"), *values).persist()
        known_months = register.tallied_months()
        # The other trips of a month are the same as long as its rows are: a trip that changes does so in a month that is written again.
        months = {name for name in months if name not in known_months or run(released, name) != run(state, name)}
        others = self.current(State(months={name: state.months[name] for name in months})).join(keys, KEYS, "left_anti")
        tallies = self.add_up(others, state, len(months))[1] if months else []
        tallied = (f"{row.month}\t{row.tally}" for row in tallies if row.month)
        write_changes(path, [lines(rows, names), lines(now, names), tallied], months)
        rows.unpersist()
        now.unpersist()

    def publish(self, state: State) -> int:
        """What `tripkpi merge` makes of the tallies, for both audiences; its exit code.

        Where there is nothing that may be released, staff have their files all the same, and an earlier release stays.
        """
        tallies = self.write_tallies(state)
        register = Register(self.work / "releases.sqlite")
        for audience in AUDIENCES:
            folder = Path(self.options.out) / audience
            folder.mkdir(parents=True, exist_ok=True, mode=0o750)
            for drafts in folder.glob(".part-*"):
                shutil.rmtree(drafts)
            words = ["merge", str(tallies), "--audience", audience]
            words += ["--config", self.options.config] if self.options.config else []
            with TemporaryDirectory(prefix=".part-", dir=folder) as drafts:
                try:
                    rest = OUTPUTS
                    if audience == "release":
                        words += ["--releases", str(register.path)]
                        self.record_release(state, register, [*words, "--output", f"{drafts}/{SUMMARY}"], folder / SUMMARY)
                        rest = OUTPUTS[1:]
                    for name in rest:
                        self.run_program(*words, "--quiet", "--output", f"{drafts}/{name}")
                except Failure as failure:
                    log(f"{audience}: {failure}")
                    register.remove()
                    return failure.code
                # All files of an audience are of the same trips.
                for name in OUTPUTS:
                    os.chmod(f"{drafts}/{name}", 0o640)
                    os.replace(f"{drafts}/{name}", folder / name)
        register.remove()
        log(f"published {len(state.months)} months of {len(state.exports)} exports to {self.options.out}")
        return 0

    def record_release(self, state: State, register: Register, words: list[str], published: Path) -> None:
        """Makes the summary of the release, and records in the lake the months that are released or revised with it."""
        released, content = self.lake.register()
        register.replace(content)
        found = self.work / "changes.tsv"
        try:
            self.find_changes(found, state, register, released)
            recording = ["--changes", str(found), "--published", str(published), *(["--revise"] if self.options.revise else [])]
            messages = self.run_program(*words, *recording).stderr
        finally:
            found.unlink(missing_ok=True)
        for line in messages.splitlines():
            if line.startswith(OF_RELEASES):
                log(line)
        self.lake.write_register(state, register.content())

    # The whole

    def go(self) -> int:
        state = self.lake.state()
        self.lake.remove_leftovers(state)
        new = self.new_exports(state)
        log(f"{len(new)} new exports; the lake has {len(state.exports)}")
        if new:
            exports = self.read_all(new)
            after = State(state.number, self.agree(state, exports), list(state.exports), dict(state.months))
            after.exports += [export.whole for export in exports]
            if exports:
                touched = self.update_months(state, after)
                log(f"{len(touched)} months changed")
                self.tally(after, touched)
                self.summary(after)
                if self.lake.state().number != state.number or not self.lake.has_run(self.run):
                    raise Failure(LOCKED, "another job has changed the lake; nothing was published")
                self.lake.commit(after)
                state = after
        if not state.exports:
            raise Failure(INPUT_MISSING, "there is no export to publish")
        code = self.publish(state)
        return code or (DATA if self.refused else 0)


def sql_fields(schema: pa.Schema) -> str:
    """The columns as Spark names them."""
    types = {pa.int32(): "int", pa.int64(): "bigint", pa.string(): "string"}
    return ", ".join(f"{field.name} {types[field.type]}" for field in schema)


def private_file(path: Path) -> BinaryIO:
    """A new file that only its owner may read."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


@contextmanager
def lock(folder: Path):
    """Held while the job runs; the system releases it however the job ends. The folder has pseudonyms and small counts."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(folder / "lock", "w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(LOCKED, "another job is running") from None
        yield


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--inbox", required=True, help="the folder of exports: a path, or a URI such as hdfs:///exports; a folder in it names a profile")
    add("--lake", required=True, help="the folder of facts and tallies: a path, or a URI")
    add("--work", required=True, help="a folder of the driver's machine for the lock, tallies and temporary files; for staff only")
    add("--out", required=True, help="the folder of the published files, on the driver's machine")
    add("--program", default="tripkpi", help="the program tripkpi, at the same place on all machines")
    add("--key-file", required=True, help="the key of the pseudonyms, at the same place on all machines")
    add("--config", help="tripkpi.yaml, at the same place on all machines")
    add("--data-dir", help="the folder of profiles and rules, at the same place on all machines")
    add("--revise", action="store_true", help="revise the released months now, as `tripkpi publish --revise` does")
    add("--part-bytes", type=int, default=128 << 20, help="a longer file of lines is divided")
    options = parser.parse_args(words)
    # Executors work in folders of their own.
    for name in ("inbox", "lake", "work", "out", "key_file", "config", "data_dir"):
        place = getattr(options, name)
        if place and "://" not in place:
            setattr(options, name, os.path.abspath(place))
    return options


def session() -> SparkSession:
    """Parquet of more months than writers are open is sorted first; that is seldom."""
    spark = (
        SparkSession.builder.appName("tripkpi")
        .config("spark.sql.maxConcurrentOutputFileWriters", 100)
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", 50_000)
        .config("spark.sql.parquet.compression.codec", "zstd")
        .getOrCreate())
    # The one module that executors need.
    spark.sparkContext.addPyFile(str(Path(__file__).with_name("tasks.py")))
    return spark


def program_failure(text: str) -> int:
    """Logs the message of a task that failed, and nothing else of what Spark has about it; the job's exit code."""
    found = re.search(r"(ProgramFailed|OtherProgram): (.+)", text)
    log(f"{found[2].strip() if found else 'a task failed'}; nothing was committed after the last state of the lake")
    is_setting = found and (found[1] == "OtherProgram" or f"ended with {CONFIGURATION}:" in found[2])
    return CONFIGURATION if is_setting else INTERNAL


def main() -> int:
    options = arguments()
    try:
        lake_lock = lock(Path(tasks.file_system(options.lake)[1])) if is_local(options.lake) else nullcontext()
        with lock(Path(options.work)), lake_lock:
            spark = session()
            try:
                return Job(spark, options).go()
            finally:
                spark.stop()
    except Failure as failure:
        log(str(failure))
        return failure.code
    except (Differs, OtherVersion) as difference:
        log(str(difference))
        return CONFIGURATION
    except PythonException as error:
        return program_failure(str(error))
    except Exception as error:  # noqa: BLE001
        # Its message may quote what must not be shown; Spark's own log has the failures of tasks.
        log(f"the job failed: {type(error).__name__}; nothing was committed after the last state of the lake")
        traceback.print_tb(error.__traceback__)
        return INTERNAL


if __name__ == "__main__":
    sys.exit(main())
