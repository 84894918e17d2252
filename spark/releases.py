"""Months as they were released, and what has changed in them since.

`tripkpi merge` records the released months in a register, a file of SQLite. It lies in the lake as `releases/000017-0001.sqlite`, for
state 17: the newest rows of that state tell what changed since. It also has the trips that have changed, and tallies of the other trips of their
months: from both it can add up a month as it was released and as it is.
"""
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

KEYS = ["trip_key_high", "trip_key_low"]
# In the column `status`: see `tripkpi facts --schema`.
VOID = 3
# What comes first in a line of changes: see `ChangedTripsFile` in Sources/Scans/Tallies.
BEFORE, ADDED, CURRENT = 0, 1, 2
NAMES = pa.schema([(name, pa.int64()) for name in KEYS])


class Register:
    """The copy of the driver."""

    def __init__(self, path: Path):
        self.path = path

    def remove(self) -> None:
        for end in ("", "-wal", "-shm"):
            Path(f"{self.path}{end}").unlink(missing_ok=True)

    def replace(self, content: bytes | None) -> None:
        """By the copy of the lake; by none if the lake has none."""
        self.remove()
        if content is not None:
            self.path.touch(mode=0o600)
            self.path.write_bytes(content)

    def content(self) -> bytes:
        """All of it in one file."""
        with closing(sqlite3.connect(self.path)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
        return self.path.read_bytes()

    def _rows(self, query: str) -> list[tuple]:
        if not self.path.exists():
            return []
        with closing(sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            return db.execute(query).fetchall()

    def months(self) -> set[int]:
        """The released months, such as 202401."""
        return {month_name(index) for (index,) in self._rows("SELECT month FROM releases")}

    def tallied_months(self) -> set[int]:
        """Months of which it has a tally of the other trips."""
        return {month_name(index) for (index,) in self._rows("SELECT month FROM month_tallies")}

    def changed_trips(self) -> pa.Table:
        """The keys of the trips in it: all that have ever changed since the release of their month."""
        rows = self._rows("SELECT key_high, key_low FROM trips")
        return pa.table([pa.array([row[place] for row in rows], pa.int64()) for place in range(2)], schema=NAMES)


def month_name(index: int) -> int:
    """As the lake has it, such as 202401; `Month.index` in Sources/Trips counts months."""
    return index // 12 * 100 + index % 12 + 1


def counts(trip: str) -> Column:
    return F.coalesce(F.col(f"{trip}.status") != VOID, F.lit(False))


def changes(before: DataFrame, after: DataFrame, values: list[str]) -> DataFrame:
    """Trips that count otherwise in a month than before: key, month, kind and values."""
    trips = [*KEYS, "month"]
    both = before.select(*trips, F.struct(*values).alias("old")).join(
        after.select(*trips, F.struct(*values).alias("new")), trips, "full_outer")
    is_changed = counts("old") & ~F.col("old").eqNullSafe(F.col("new"))
    is_added = ~counts("old") & counts("new")
    found = both.where(is_changed | is_added)
    kept = F.when(is_changed, F.col("old")).otherwise(F.col("new"))
    return found.select(*trips, F.when(is_changed, BEFORE).otherwise(ADDED).alias("kind"), kept.alias("values")).select(
        *trips, "kind", "values.*")


def lines(rows: DataFrame, columns: Iterable[str]) -> Iterator[str]:
    """The rows of changes as lines; of what a line has not, nothing is between two tabs."""
    fields = [F.coalesce(F.col(name).cast("string"), F.lit("")) if name in rows.columns else F.lit("") for name in columns]
    for row in rows.select(F.concat_ws("\t", F.col("kind").cast("string"), *fields).alias("line")).toLocalIterator():
        yield row.line


def write_changes(path: Path, parts: Iterable[Iterable[str]], months: Iterable[int] = ()) -> None:
    """The file that `tripkpi merge --changes` reads. `months`: those whose tallies are among the lines, unless they have no trip."""
    count = 0
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    with path.open("w", encoding="ascii") as file:
        for part in parts:
            for line in part:
                file.write(line + "\n")
                count += 1
        file.write("#" + json.dumps({"format": "tripkpi-changes", "version": 1, "lines": count, "months": sorted(months)}) + "\n")
