"""Which exports of the inbox are new, and their facts."""
from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from hashlib import sha256

import pyarrow.fs
from pyspark.sql.types import IntegerType, StringType, StructField, StructType

import tasks
from driver import INPUT_MISSING, Driver, Failure, log, private_file
from exports import ExportParts, File, Refused, inbox_files
from lake import State


class ExportReading:
    def __init__(self, driver: Driver):
        self.driver = driver
        self.inbox: str = driver.options.inbox
        # How many exports were refused.
        self.refused = 0
        files, folder = tasks.file_system(self.inbox)
        if files.get_file_info(folder).type != pyarrow.fs.FileType.Directory:
            raise Failure(INPUT_MISSING, "--inbox: there is no such folder")

    def new_exports(self, state: State) -> list[tuple[File, str]]:
        """Files whose content no export of the lake has, each content once, with their SHA-256."""
        known = {export.sha256 for export in state.exports}
        digests = self._digests(inbox_files(self.inbox))
        found: dict[str, File] = {}
        for file, digest in digests.items():
            if digest not in known:
                found.setdefault(digest, file)
        return [(file, digest) for digest, file in found.items()]

    def _digests(self, files: list[File]) -> dict[File, str]:
        """The SHA-256 of each file. One that looks as it did when it was hashed is not hashed again."""
        memory = self.driver.work / "digests.json"
        known = json.loads(memory.read_text()) if memory.exists() else {}

        def name(file: File) -> str:
            return sha256(f"{self.inbox}\n{file.path}\n{file.bytes}\n{file.modified}".encode()).hexdigest()

        missing = [file for file in files if name(file) not in known]
        if missing:
            spark = self.driver.spark
            self.driver.describe("hash exports")
            rows = spark.createDataFrame(
                spark.sparkContext.parallelize([(file.path,) for file in missing], len(missing)), "path string")
            found = rows.mapInArrow(partial(tasks.hash_exports, self.inbox), tasks.sql_fields(tasks.HASHES)).collect()
            by_path = {row.path: row.sha256 for row in found}
            known |= {name(file): by_path[file.path] for file in missing}
            known = {name(file): known[name(file)] for file in files}
            draft = self.driver.work / "digests.json.part"
            with private_file(draft) as text:
                text.write(json.dumps(known).encode())
            os.replace(draft, memory)
        return {file: known[name(file)] for file in files}

    def read_all(self, new: list[tuple[File, str]]) -> list[ExportParts]:
        """Reads new exports in parts that meet; those that are refused are left out."""
        lake, run = self.driver.lake, self.driver.run
        has_paths = tasks.is_local(self.inbox)
        exports = [
            ExportParts.divided(file, digest, self.driver.options.part_bytes, has_paths)
            for file, digest in sorted(new, key=lambda item: -item[0].bytes)]
        self._read([task for export in exports for task in export.tasks()])
        parts = {export.sha256: list(export.parts) for export in exports}
        while parts:
            exports = [
                export for export in exports
                if self._accepts(export, ExportParts.take_findings, lake, run, parts.get(export.sha256, []))]
            unread = [(export, part, before) for export in exports for part, before in export.unread_parts()]
            parts = {}
            for export, part, before in unread:
                parts.setdefault(export.sha256, []).append(part)
                facts = ("facts", f"run={run}", f"export={export.sha256}")
                lake.remove(*facts, *([f"part={part}"] if before else []))
            wrong = sum(1 for _, _, before in unread if before)
            if wrong:
                log(f"{wrong} parts guessed wrong where their first record starts; they are read again")
            if len(unread) > wrong:
                log(f"{len(unread) - wrong} exports cannot be read in parts; they are read again as a whole")
            if unread:
                self._read([export.task(part, before) for export, part, before in unread])
        # What was hashed is what was read.
        unchanged = set(inbox_files(self.inbox))
        return [export for export in exports if self._accepts(export, ExportParts.check_whole, unchanged)]

    def _read(self, work: list[dict]) -> None:
        """Writes the facts of parts of exports as Parquet, and what was found in them."""
        driver = self.driver
        driver.describe("read exports")
        options = ["--key-file", driver.options.key_file]
        for word in ("config", "data_dir"):
            if value := getattr(driver.options, word):
                options += [f"--{word.replace('_', '-')}", value]
        reading = tasks.Reading(
            driver.program, tuple(options), driver.columns, self.inbox, driver.lake.of_run("findings", driver.run))
        fields = "path string, sha256 string, profile string, part int, options array<string>"
        rows = driver.spark.sparkContext.parallelize(
            [tuple(task[name] for name in ("path", "sha256", "profile", "part", "options")) for task in work], len(work))
        (driver.spark.createDataFrame(rows, fields)
            .mapInArrow(partial(tasks.read_facts, reading), fact_schema(driver))
            .write.partitionBy("export", "part", "month").mode("append")
            .parquet(tasks.spark_uri(driver.lake.of_run("facts", driver.run))))

    def _accepts(self, export: ExportParts, step: Callable[..., object], *words: object) -> bool:
        """Whether a step does not refuse the export. A refused export is left out, and the job goes on."""
        try:
            step(export, *words)
            return True
        except Refused as error:
            self.refused += 1
            # Its name may be that of a person.
            log(f"an export is refused, SHA-256 {export.sha256[:12]}…: {error}")
            return False


def fact_schema(driver: Driver) -> StructType:
    """Of the facts in the lake."""
    return driver.schema(StructField("export", StringType()), StructField("part", IntegerType()))
