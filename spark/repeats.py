"""Finds exports whose trips are already in the lake under another source: they would count twice.

The rule of `RepeatedTrips` in Sources/Store, but for one thing: which figures are known is asked only of the export's months. Under another
source the keys of trips differ, so a trip is taken for the same if day, cost, loaded miles, duration and response time are the same. Two fleets
agree in these by chance too, so the trips of other days are compared as well: a copy agrees on its own days only.
"""
from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from driver import Driver
from exports import Refused
from lake import Export

FIGURES = ("cost_cents", "loaded_hundredths", "duration_seconds", "response_seconds")
FEWEST_FIGURES = 3
# Fewer trips are not judged.
FEWEST_EXAMINED = 20
SAMPLE = 1000
# So many of them may be those of another source: an export can have some trips of a neighbour.
TOLERATED_PERCENT = 50
# By which the trips are moved to see how many agree by chance.
SHIFT_DAYS = 7


class RepeatedTrips:
    def __init__(self, driver: Driver):
        self.driver = driver
        # Those of which an export with enough trips was counted.
        self.known_sources: set[str] = set()

    def check(self, export: Export, counted: list[Export]) -> None:
        """Refuses an export whose trips are for the most part those of another source. `counted`: the exports that it comes after."""
        others = [other for other in counted if other.source != export.source]
        if not others or export.facts < FEWEST_EXAMINED or self._is_known_source(export.source, counted):
            return
        self.driver.describe("compare a new source with the others")
        own = self._facts(export).persist()
        try:
            months = [row.month for row in own.select("month").distinct().collect()]
            rest = self._facts_of_sources(others).where(F.col("month").isin(months))
            figures = sorted(_figures_of(own) & _figures_of(rest))
            if len(figures) < FEWEST_FIGURES:
                return
            examined, repeated = _compare(own, rest, figures, max(1, export.facts // SAMPLE))
        finally:
            own.unpersist()
        source, same = max(repeated[0].items(), key=lambda found: found[1], default=("", 0))
        by_chance = max(repeated[SHIFT_DAYS].values(), default=0)
        if examined >= FEWEST_EXAMINED and same * 100 > examined * TOLERATED_PERCENT and same > 2 * by_chance:
            raise Refused(
                f"{same} of {examined} trips that were compared are in the lake as trips of source {source}: under another source they "
                f"would count twice; if it is the same system, write `source: {source}` into the profile; if it is not, name the "
                "export with --accept")

    def _is_known_source(self, source: str, counted: list[Export]) -> bool:
        """A source of small exports only is not known yet: they do not show whose trips these are."""
        if source not in self.known_sources:
            largest = max((other for other in counted if other.source == source), key=lambda other: other.facts, default=None)
            if largest and largest.facts >= FEWEST_EXAMINED and _trip_count(self._facts(largest)) >= FEWEST_EXAMINED:
                self.known_sources.add(source)
        return source in self.known_sources


    def _facts(self, export: Export) -> DataFrame:
        return self.driver.rows(self.driver.fact_schema, "facts", [export.run]).where(F.col("export") == export.sha256)

    def _facts_of_sources(self, exports: list[Export]) -> DataFrame:
        """The facts of some exports, and the `source` of each."""
        sources = self.driver.spark.createDataFrame(
            [(export.sha256, export.run, export.source) for export in exports], "export string, run string, source string")
        rows = self.driver.rows(self.driver.fact_schema, "facts", {export.run for export in exports})
        return rows.join(F.broadcast(sources), ["export", "run"])


def _trip_count(rows: DataFrame) -> int:
    """A trip can have several rows."""
    return rows.select("trip_key_high").distinct().count()


def _figures_of(rows: DataFrame) -> set[str]:
    """The figures that some trip has. A second system may lack one that the first one has."""
    most = rows.agg(*(F.max(figure).alias(figure) for figure in FIGURES)).collect()[0]
    return {figure for figure in FIGURES if (most[figure] or 0) > 0}


def _compare(own: DataFrame, rest: DataFrame, figures: list[str], step: int) -> tuple[int, dict[int, dict[str, int]]]:
    """How many trips are examined, and how many of them each source has, on their days and some days later."""
    # Keys are hashes, so each step of them is a fair sample. Zeros distinguish nothing.
    figure_count = sum((F.coalesce(F.col(figure) > 0, F.lit(False)).cast("int") for figure in figures), F.lit(0))
    sample = own.where((F.col("trip_key_high") % step == 0) & (figure_count >= FEWEST_FIGURES)).select(
        "trip_key_high", F.explode(F.array(F.lit(0), F.lit(SHIFT_DAYS))).alias("shift"), "day", *_values(figures)).persist()
    examined = _trip_count(sample)
    moved = sample.withColumn("day", F.col("day") + F.col("shift"))
    found = rest.select("source", "day", *_values(figures)).join(F.broadcast(moved), ["day", *(f"compared_{figure}" for figure in figures)])
    counts = found.groupBy("source", "shift").agg(F.countDistinct("trip_key_high").alias("trips")).collect()
    sample.unpersist()
    return examined, {shift: {row.source: row.trips for row in counts if row["shift"] == shift} for shift in (0, SHIFT_DAYS)}


def _values(figures: list[str]) -> list[Column]:
    """Figures that can be compared: -1 where there is none."""
    return [F.coalesce(F.col(figure), F.lit(-1)).alias(f"compared_{figure}") for figure in figures]
