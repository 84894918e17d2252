"""Months added up by `tripkpi tally`, and the file of all of them that `tripkpi merge` reads."""
from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F

import tasks
from driver import INTERNAL, Driver, Failure, private_file, sql_fields
from exports import BASIS
from lake import Month, State
from newest_rows import NewestRows
from releases import KEYS, VOID

# Columns of facts that a tally does not need.
UNTALLIED = (*KEYS, "updated_at", "sequence", "record_offset", "content")


class Tallies:
    def __init__(self, driver: Driver, newest: NewestRows):
        self.driver = driver
        self.newest = newest

    def update(self, new: State, touched: set[int]) -> None:
        """Adds up the touched months, and checks the sums against those of SQL."""
        self.driver.describe("add up months")
        for name in touched:
            new.months.pop(name, None)
        written = self.newest.written()
        if written is None:
            return
        rows, month_count = written
        counts = rows.groupBy("month").agg(
            F.count_if(F.col("status") != VOID).alias("trips"), F.count_if(F.col("status") == VOID).alias("void"),
            F.sum("unchanged").alias("unchanged"), F.sum("superseded").alias("superseded")).collect()
        sums, months = self.add_up(rows, new, month_count)
        trips, void = sum(row.trips for row in counts), sum(row.void for row in counts)
        if (sums.trips, sums.void, sum(row.trips or 0 for row in months)) != (trips, void, trips):
            raise Failure(INTERNAL, "the tallies do not have as many trips as the lake; nothing was published")
        for row in (row for row in months if row.month):
            tasks.write_file(self.driver.lake.of_run("tallies", self.driver.run), str(row.month), row.tally.encode())
        for row in counts:
            new.months[row.month] = Month(self.driver.run, row.trips, row.void, row.unchanged, row.superseded)

    def add_up(self, rows: DataFrame, state: State, months: int) -> tuple[Row, list[Row]]:
        """The numbers of trips and void trips, and the rows of the months' tallies. A row without a month has numbers only."""
        options = [
            "--regions", str(len(state.basis["regions"])), "--trip-types", str(len(state.basis["tripTypes"])),
            "--longest-interval", str(max(reading["maximumIntervalSeconds"] for reading in state.readings))]
        fields, names, program = sql_fields(tasks.TALLIES), self.driver.column_names, self.driver.program
        needed = rows.select([name for name in names if name not in UNTALLIED])
        found = needed.mapInArrow(partial(tasks.tally, program, options, names), fields).persist()
        sums = found.agg(F.sum("trips").alias("trips"), F.sum("void").alias("void")).collect()[0]
        tallies = (found.where("month IS NOT NULL").select("month", "tally").repartition(max(1, min(months, 64)), "month")
            .mapInArrow(partial(tasks.tally, program, options, ["month", "tally"]), fields).collect())
        found.unpersist()
        return sums, tallies

    def summary(self, state: State) -> dict:
        """The last line of the file of tallies. Each record of the exports is in one of its counts."""
        months, exports = state.months.values(), state.exports
        outcomes = {
            "added": sum(month.trips + month.void for month in months), "updated": 0,
            "unchanged": sum(month.unchanged for month in months), "superseded": sum(month.superseded for month in months),
            "skipped": sum(export.skipped for export in exports), "rejected": sum(export.rejected for export in exports)}
        merged = sum(export.merged for export in exports)
        if merged:
            outcomes["merged"] = merged
        read = sum(export.read for export in exports)
        if read != sum(outcomes.values()):
            equation = " + ".join(f"{name} {count}" for name, count in outcomes.items())
            raise Failure(INTERNAL, f"records were lost or counted twice: read {read}, but {equation}; nothing was published")
        return {
            "format": "tripkpi-tally", "version": 1, "tool": self.driver.run_program("--version").stdout.strip(),
            **{name: state.basis[name] for name in BASIS if name != "version"},
            "readings": state.readings, "exports": sorted(export.sha256 for export in exports),
            "counts": {"read": read, **outcomes}, "void": sum(month.void for month in months)}

    def write_file(self, state: State) -> Path:
        """The tallies of all months in one file; it stays for other reports."""
        path, draft = self.driver.work / "figures.tally", self.driver.work / "figures.tally.part"
        summary = self.summary(state)
        with private_file(draft) as file:
            for name, month in sorted(state.months.items()):
                if month.trips:
                    body = tasks.read_file(self.driver.lake.of_run("tallies", month.run), str(name))
                    file.write(f"{name}\t".encode() + body + b"\n")
            file.write(b"#" + json.dumps(summary).encode() + b"\n")
        os.replace(draft, path)
        return path
