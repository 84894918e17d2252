"""The figures of exports that one machine cannot read in time, with Apache Spark. See docs/spark.md.

    spark-submit spark/tripkpi_spark.py \\
        --inbox hdfs:///exports --lake hdfs:///tripkpi --work /var/lib/tripkpi --out /srv/tripkpi/reports \\
        --program /usr/local/bin/tripkpi --config /etc/tripkpi/tripkpi.yaml --key-file /etc/tripkpi/tripkpi.key

The program `tripkpi` reads exports and adds up trips; Spark moves and sorts their rows; `tripkpi merge` publishes.
"""
from __future__ import annotations

import argparse
import fcntl
import os
import re
import sys
import traceback
from contextlib import contextmanager, nullcontext
from pathlib import Path

from pyspark.errors import PythonException
from pyspark.sql import SparkSession

import tasks
from driver import CONFIGURATION, DATA, INPUT_MISSING, INTERNAL, LOCKED, Driver, Failure, log
from export_reading import ExportReading
from exports import Differs, agreement
from lake import OtherVersion, State
from newest_rows import NewestRows
from publication import AUDIENCES, Publication
from tallies import Tallies


class Job:
    def __init__(self, spark: SparkSession, options: argparse.Namespace):
        self.driver = Driver(spark, options)
        self.reading = ExportReading(self.driver)
        self.newest = NewestRows(self.driver)
        self.tallies = Tallies(self.driver, self.newest)
        self.publication = Publication(self.driver, self.newest, self.tallies)

    def go(self) -> int:
        """Takes up new exports and publishes; the exit code."""
        lake = self.driver.lake
        state = lake.state()
        lake.remove_leftovers(state)
        new = self.reading.new_exports(state)
        log(f"{len(new)} new exports; the lake has {len(state.exports)}")
        if new:
            exports = self.reading.without_repeats(state, self.reading.read_all(new))
            basis = agreement(state.basis, exports)
            if exports:
                wholes = [export.whole(self.driver.run) for export in exports]
                after = State(state.number, basis, [*state.exports, *wholes], dict(state.months))
                touched = self.newest.update_months(state, after)
                log(f"{len(touched)} months changed")
                self.tallies.update(after, touched)
                self.tallies.summary(after)
                if lake.state().number != state.number or not lake.has_run(self.driver.run):
                    raise Failure(LOCKED, "another job has changed the lake; nothing was published")
                lake.commit(after)
                state = after
        if not state.exports:
            if self.reading.left and not self.reading.refused:
                return 0
            raise Failure(DATA if self.reading.refused else INPUT_MISSING, "there is no export to publish")
        code = self.publication.publish(state)
        return code or (DATA if self.reading.refused else 0)


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


def digits(text: str) -> str:
    """The first digits of a SHA-256, at least eight, as the log has them."""
    found = text.rstrip("…").lower()
    if not re.fullmatch("[0-9a-f]{8,64}", found):
        raise argparse.ArgumentTypeError("write 8 or more digits of the SHA-256")
    return found


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
    add("--audience", choices=AUDIENCES, help="publish for this audience only (default: for both)")
    add("--accept", action="append", default=[], type=digits, metavar="SHA256", help="count an export whose trips are like those of another source")
    add("--revise", action="store_true", help="revise the released months now, as `tripkpi publish --revise` does")
    add("--approve", metavar="NAME", help="release what waits for approval, as `tripkpi publish --approve` does")
    add("--part-bytes", type=int, default=128 << 20, help="a longer file of lines is divided")
    options = parser.parse_args(words)
    options.audiences = [options.audience] if options.audience else AUDIENCES
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
    # The one module that tasks need.
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
        lake_lock = lock(Path(tasks.file_system(options.lake)[1])) if tasks.is_local(options.lake) else nullcontext()
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
