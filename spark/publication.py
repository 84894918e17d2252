"""The published files of both audiences, and the record of what is released with them."""
from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql import functions as F

from driver import Driver, Failure, log
from lake import State
from newest_rows import NewestRows
from releases import CURRENT, KEYS, Register, changes, lines, write_changes
from tallies import UNTALLIED, Tallies

AUDIENCES = ("staff", "release")
SUMMARY = "kpi-summary.json"
OUTPUTS = (SUMMARY, "kpi-cells.csv", "dashboard.html", "kpi.xlsx")
# First words of the lines of `tripkpi merge` that report what is released.
OF_RELEASES = ("released:", "withheld from the release:", "revision of the release:", "cannot be revised", "the release waits")


class Publication:
    def __init__(self, driver: Driver, newest: NewestRows, tallies: Tallies):
        self.driver = driver
        self.newest = newest
        self.tallies = tallies

    def publish(self, state: State) -> int:
        """What `tripkpi merge` makes of the tallies, for both audiences; its exit code.

        Where there is nothing that may be released, staff have their files all the same, and an earlier release stays.
        """
        tallies = self.tallies.write_file(state)
        register = Register(self.driver.work / "releases.sqlite")
        try:
            for audience in self.driver.options.audiences:
                if code := self._publish(audience, tallies, state, register):
                    return code
        finally:
            register.remove()
        log(f"published {len(state.months)} months of {len(state.exports)} exports to {self.driver.options.out}")
        return 0

    def _publish(self, audience: str, tallies: Path, state: State, register: Register) -> int:
        options = self.driver.options
        folder = Path(options.out) / audience
        folder.mkdir(parents=True, exist_ok=True, mode=0o750)
        for leftover in folder.glob(".part-*"):
            shutil.rmtree(leftover)
        words = ["merge", str(tallies), "--audience", audience]
        words += ["--config", options.config] if options.config else []
        with TemporaryDirectory(prefix=".part-", dir=folder) as drafts:
            try:
                rest: tuple[str, ...] = OUTPUTS
                if audience == "release":
                    words += ["--releases", str(register.path)]
                    self._record_release(state, register, [*words, "--output", f"{drafts}/{SUMMARY}"], folder / SUMMARY)
                    rest = OUTPUTS[1:]
                for name in rest:
                    self.driver.run_program(*words, "--quiet", "--output", f"{drafts}/{name}")
            except Failure as failure:
                log(f"{audience}: {failure}")
                return failure.code
            # All files of an audience are of the same trips.
            for name in OUTPUTS:
                os.chmod(f"{drafts}/{name}", 0o640)
                os.replace(f"{drafts}/{name}", folder / name)
        return 0

    def _record_release(self, state: State, register: Register, words: list[str], published: Path) -> None:
        """Makes the summary of the release, and records in the lake the months that are released or revised with it."""
        released, content = self.driver.lake.register()
        register.replace(content)
        found = self.driver.work / "changes.tsv"
        try:
            self._find_changes(found, state, register, released)
            recording = ["--changes", str(found), "--published", str(published)]
            recording += ["--revise"] if self.driver.options.revise else []
            recording += ["--approve", self.driver.options.approve] if self.driver.options.approve else []
            messages = self.driver.run_program(*words, *recording).stderr
        finally:
            found.unlink(missing_ok=True)
        for line in messages.splitlines():
            if line.startswith(OF_RELEASES):
                log(line)
        self.driver.lake.write_register(state, register.content())

    def _find_changes(self, path: Path, state: State, register: Register, released: State) -> None:
        """The trips that changed in released months since the register was written, and all changed trips as they are now."""
        self.driver.describe("find the changed trips")
        names = self.driver.column_names
        values = [name for name in names if name not in (*UNTALLIED, "month")]

        def is_rewritten(name: int) -> bool:
            return released.run_of(name) != state.run_of(name)

        months = {name for name in register.months() if is_rewritten(name)}
        known = register.changed_trips()
        if not months and not known.num_rows:
            write_changes(path, [])
            return
        before, after = (self.newest.current(of.limited(months)) for of in (released, state))
        rows = changes(before, after, values).persist()
        keys = rows.select(KEYS).union(self.driver.spark.createDataFrame(known)).distinct()
        found = self.newest.current(state).join(keys, KEYS, "left_semi").select("month").distinct().collect()
        months = {row.month for row in found}
        # Only these months are read with all their columns.
        now = self.newest.current(state.limited(months)).join(keys, KEYS, "left_semi").select(
            *KEYS, "month", F.lit(CURRENT).alias("kind"), *values).persist()
        # The other trips of a month are the same as long as its rows are: a trip that changes does so in a month that is written again.
        known_months = register.tallied_months()
        months = {name for name in months if name not in known_months or is_rewritten(name)}
        others = self.newest.current(state.limited(months)).join(keys, KEYS, "left_anti")
        tallies = self.tallies.add_up(others, state, len(months))[1] if months else []
        tallied = (f"{row.month}\t{row.tally}" for row in tallies if row.month)
        write_changes(path, [lines(rows, names), lines(now, names), tallied], months)
        rows.unpersist()
        now.unpersist()
