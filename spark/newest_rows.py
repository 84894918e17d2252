"""The newest row of facts of each trip, by month."""
from __future__ import annotations

from pathlib import Path

import pyarrow.fs
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StructField

import tasks
from driver import Driver
from lake import State
from releases import KEYS

# Up to this many new facts, their keys are sent to all executors; beyond it all facts are sorted by key.
MOST_BROADCAST = 5_000_000


class NewestRows:
    def __init__(self, driver: Driver):
        self.driver = driver
        self.schema = driver.schema(StructField("unchanged", LongType()), StructField("superseded", LongType()))

    def update_months(self, state: State, new: State) -> set[int]:
        """Writes the newest rows of the months that the new exports change.

        A month changes if a trip of a new export was or is in it. The other trips of the month stay as they are.
        """
        driver = self.driver
        driver.describe("find the newest records")
        facts = driver.rows(driver.fact_schema, "facts", {export.run for export in new.exports})
        place = tasks.spark_uri(driver.lake.of_run("newest", driver.run))
        if not state.months:
            self._newest(facts, new).write.partitionBy("month").parquet(place)
            return self._months_written()
        added = {export.sha256 for export in new.exports} - {export.sha256 for export in state.exports}
        keys = facts.where(F.col("export").isin(list(added))).select(KEYS).distinct()
        if sum(export.facts for export in new.exports if export.sha256 in added) <= MOST_BROADCAST:
            keys = F.broadcast(keys)
        fresh = self._newest(facts.join(keys, KEYS, "left_semi"), new).persist()
        before = self.current(state)
        touched = {row.month for row in before.join(keys, KEYS, "left_semi").select("month").distinct().collect()}
        touched |= {row.month for row in fresh.select("month").distinct().collect()}
        if touched:
            kept = before.where(F.col("month").isin(list(touched))).join(keys, KEYS, "left_anti")
            kept.unionByName(fresh).write.partitionBy("month").parquet(place)
        fresh.unpersist()
        return touched

    def _newest(self, facts: DataFrame, state: State) -> DataFrame:
        order = sorted(state.exports, key=lambda export: export.rank)
        ranks = self.driver.spark.createDataFrame(
            [(export.sha256, export.run, place) for place, export in enumerate(order)], "export string, run string, rank int")
        facts.createOrReplaceTempView("facts")
        F.broadcast(ranks).createOrReplaceTempView("ranks")
        query = Path(__file__).with_name("newest.sql").read_text(encoding="utf-8")
        return self.driver.spark.sql(query).select(self.schema.names)

    def current(self, state: State) -> DataFrame:
        """The newest rows in force: those of each month from the run that the state names for it."""
        runs: dict[str, list[int]] = {}
        for name, month in state.months.items():
            runs.setdefault(month.run, []).append(name)
        rows = self.driver.rows(self.schema, "newest", runs)
        is_current = F.lit(False)
        for run, months in runs.items():
            is_current |= (F.col("run") == run) & F.col("month").isin(months)
        return rows.where(is_current).drop("run")

    def written(self) -> tuple[DataFrame, int] | None:
        """The newest rows that this run wrote, and the number of their months; None if it wrote none."""
        months = self._months_written()
        return (self.driver.rows(self.schema, "newest", [self.driver.run]), len(months)) if months else None

    def _months_written(self) -> set[int]:
        files, folder = tasks.file_system(self.driver.lake.of_run("newest", self.driver.run))
        found = files.get_file_info(pyarrow.fs.FileSelector(folder, allow_not_found=True))
        return {int(entry.base_name.split("=")[1]) for entry in found if entry.base_name.startswith("month=")}
