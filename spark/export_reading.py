"""Which exports of the inbox are new, and their facts."""
from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from hashlib import sha256

import pyarrow.fs

import tasks
from driver import CONFIGURATION, INPUT_MISSING, USAGE, Driver, Failure, log, private_file, sql_fields
from exports import ExportParts, File, Inbox, Refused, StillWritten
from lake import State
from repeats import RepeatedTrips


class ExportReading:
    def __init__(self, driver: Driver):
        self.driver = driver
        self.inbox: str = driver.options.inbox
        # How many exports were refused, and how many are left for the next job.
        self.refused = 0
        self.left = 0
        # Options of `tripkpi facts`.
        self.options = ["--key-file", driver.options.key_file]
        for word in ("config", "data_dir"):
            if value := getattr(driver.options, word):
                self.options += [f"--{word.replace('_', '-')}", value]
        files, folder = tasks.file_system(self.inbox)
        if files.get_file_info(folder).type != pyarrow.fs.FileType.Directory:
            raise Failure(INPUT_MISSING, "--inbox: there is no such folder")

    def new_exports(self, state: State) -> list[tuple[File, str]]:
        """Files whose content no export of the lake has, each content once, with their SHA-256."""
        inbox = Inbox.at(self.inbox)
        if inbox.others:
            log(f"files of the inbox skipped: {inbox.others}; they have other endings than exports, or lie in a folder of a folder")
        self._refuse(inbox.closed, "folders, which cannot be read")
        known = {export.sha256 for export in state.exports}
        new = [(file, digest) for file, digest in self._digests(inbox.exports).items() if digest not in known]
        if new and (fault := self._settings_fault()):
            raise Failure(CONFIGURATION, fault)
        for folder in {file.profile for file, _ in new if file.profile is not None}:
            if fault := self._settings_fault(f"--profile={folder}"):
                kept = [(file, digest) for file, digest in new if file.profile != folder]
                # The name of the folder may be that of a person.
                self._refuse(len(new) - len(kept), "exports, whose folder names no usable profile: " + fault.replace(folder, "(profile)"))
                new = kept
        found: dict[str, File] = {}
        for file, digest in new:
            found.setdefault(digest, file)
        return [(file, digest) for digest, file in found.items()]

    def _settings_fault(self, *profile: str) -> str | None:
        """What `tripkpi facts` finds wrong with the settings, or with a profile; it reads an empty export."""
        try:
            self.driver.run_program("facts", "-", "--quiet", *self.options, *profile)
        except Failure as failure:
            return str(failure) if failure.code in (USAGE, CONFIGURATION) else None
        return None

    def _refuse(self, count: int, why: str) -> None:
        if count:
            self.refused += count
            log(f"refused: {count} {why}")

    def _digests(self, files: list[File]) -> dict[File, str]:
        """The SHA-256 of each file. One that looks as it did when it was hashed is not hashed again.

        Files that cannot be read are refused, and left out.
        """
        memory = self.driver.work / "digests.json"
        try:
            known = json.loads(memory.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            known = {}

        def name(file: File) -> str:
            return sha256(f"{self.inbox}\n{file.path}\n{file.bytes}\n{file.modified}".encode()).hexdigest()

        missing = [file for file in files if name(file) not in known]
        if missing:
            spark = self.driver.spark
            self.driver.describe("hash exports")
            rows = spark.createDataFrame(
                spark.sparkContext.parallelize([(file.path,) for file in missing], len(missing)), "path string")
            found = rows.mapInArrow(partial(tasks.hash_exports, self.inbox), sql_fields(tasks.HASHES)).collect()
            by_path = {row.path: row.sha256 for row in found}
            here, _ = tasks.file_system(self.inbox)
            for file in missing:
                # A file that a machine cannot read may be all right.
                if digest := by_path[file.path] or tasks.hash_export(here, file.path):
                    known[name(file)] = digest
            known = {name(file): known[name(file)] for file in files if name(file) in known}
            # Others are gone or were changed meanwhile.
            unread = [file for file in set(files).intersection(Inbox.at(self.inbox).exports) if name(file) not in known]
            self._refuse(len(unread), "exports, which cannot be read")
            draft = self.driver.work / "digests.json.part"
            with private_file(draft) as text:
                text.write(json.dumps(known).encode())
            os.replace(draft, memory)
        return {file: known[name(file)] for file in files if name(file) in known}

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
        unchanged = set(Inbox.at(self.inbox).exports)
        return [export for export in exports if self._accepts(export, ExportParts.check_whole, unchanged)]

    def without_repeats(self, state: State, exports: list[ExportParts]) -> list[ExportParts]:
        """Refuses exports with the trips of another source, of the lake or of an older one of these exports."""
        run, kept, counted, repeats = self.driver.run, [], list(state.exports), RepeatedTrips(self.driver)

        def check(export: ExportParts) -> None:
            if not export.sha256.startswith(tuple(self.driver.options.accept)):
                repeats.check(export.whole(run), counted)

        for export in sorted(exports, key=lambda export: export.whole(run).rank):
            if self._accepts(export, check):
                kept.append(export)
                counted.append(export.whole(run))
        return kept

    def _read(self, work: list[dict]) -> None:
        """Writes the facts of parts of exports as Parquet, and what was found in them."""
        driver = self.driver
        driver.describe("read exports")
        reading = tasks.ReadingOptions(
            driver.program, tuple(self.options), driver.columns, self.inbox, driver.lake.of_run("findings", driver.run))
        fields = "path string, sha256 string, profile string, part int, options array<string>"
        rows = driver.spark.sparkContext.parallelize(
            [tuple(task[name] for name in ("path", "sha256", "profile", "part", "options")) for task in work], len(work))
        (driver.spark.createDataFrame(rows, fields)
            .mapInArrow(partial(tasks.read_facts, reading), driver.fact_schema)
            .write.partitionBy("export", "part", "month").mode("append")
            .parquet(tasks.spark_uri(driver.lake.of_run("facts", driver.run))))

    def _accepts(self, export: ExportParts, step: Callable[..., object], *words: object) -> bool:
        """Whether a step does not refuse the export. An export that it refuses is left out, and its facts are removed."""
        # The name of the file may be that of a person.
        name = f"SHA-256 {export.sha256[:12]}…"
        try:
            step(export, *words)
            return True
        except Refused as error:
            # A file that is still being written is often damaged too.
            if export.file in Inbox.at(self.inbox).exports:
                self.refused += 1
                log(f"an export is refused, {name}: {error}")
            else:
                self._leave(name)
        except StillWritten:
            self._leave(name)
        self.driver.lake.remove("facts", f"run={self.driver.run}", f"export={export.sha256}")
        return False

    def _leave(self, name: str) -> None:
        self.left += 1
        log(f"an export is left for the next job, {name}: it was changed while it was read")
