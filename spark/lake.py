"""What the job keeps between its runs, in a folder of any file system.

    lock                   held by the job that runs, if the lake is on a local path
    state/000017.json      the exports and the months in force; the highest number counts. Writing it is the commit.
    facts/run=…/…          Parquet: the facts of the exports that the run read
    newest/run=…/month=…   Parquet: the newest row of facts of each trip of the months that the run changed
    tallies/run=…/202401   the tally of a month
    findings/run=…/…       what was found in each export
    releases/000017-0001.sqlite  the register of released months for state 17 (releases.py); the last name counts

A run writes to folders of its own name. Runs that no state names were ended before their commit; their folders are removed.
"""
import json
import os
from dataclasses import asdict, dataclass, field

import pyarrow.fs

from tasks import file_system, is_local, read_file, write_file


class OtherVersion(Exception):
    """A lake that another version of this job wrote."""


@dataclass
class Export:
    """An export whose facts are in the lake."""

    sha256: str
    bytes: int
    # Its age in microseconds since 1970: of equal versions of a trip, that of the later export counts.
    as_of: int
    run: str
    reading: dict
    read: int
    facts: int
    skipped: int
    rejected: int
    # When its file was last changed, in nanoseconds since 1970. 0: an earlier version of this job read it.
    modified: int = 0

    @property
    def merged(self) -> int:
        """Charge lines and status changes beyond the first of their trip."""
        return self.read - self.facts - self.skipped - self.rejected

    @property
    def source(self) -> str:
        """The system that wrote it, by its profile."""
        return self.reading["source"]

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """Which of two exports is later. The store also knows the dates in names of files; this job does not."""
        return (self.as_of, self.modified, self.bytes, self.sha256)


@dataclass
class Month:
    """The newest rows of a month, and what became of the other records of their trips."""

    run: str
    trips: int
    void: int
    unchanged: int
    superseded: int


@dataclass
class State:
    number: int = 0
    # What all facts have in common: rules, key, lists.
    basis: dict = field(default_factory=dict)
    exports: list[Export] = field(default_factory=list)
    months: dict[int, Month] = field(default_factory=dict)

    def runs(self, folder: str) -> set[str]:
        """The runs whose files in a folder of the lake are in force."""
        parts = self.exports if folder in OF_EXPORTS else self.months.values()
        return {part.run for part in parts}

    @property
    def readings(self) -> list[dict]:
        """The settings with which the exports were read, each once."""
        found: list[dict] = []
        for export in self.exports:
            if export.reading not in found:
                found.append(export.reading)
        return found

    def run_of(self, month: int) -> str | None:
        """The run that wrote the newest rows of a month."""
        return self.months[month].run if month in self.months else None

    def limited(self, months: set[int]) -> "State":
        """Only some of the months, and nothing else."""
        return State(months={name: month for name, month in self.months.items() if name in months})

    def encoded(self) -> bytes:
        return json.dumps({"format": "tripkpi-lake", "version": 1, **asdict(self)}, indent=1).encode()

    @classmethod
    def decoded(cls, text: bytes) -> "State":
        document = json.loads(text)
        if (document["format"], document["version"]) != ("tripkpi-lake", 1):
            raise OtherVersion("the lake is of another version of this job")
        return cls(
            document["number"], document["basis"], [Export(**export) for export in document["exports"]],
            {int(month): Month(**found) for month, found in document["months"].items()})


OF_EXPORTS = ("facts", "findings")
OF_MONTHS = ("newest", "tallies")


class Lake:
    def __init__(self, place: str):
        self.place = place.rstrip("/")

    def folder(self, *names: str) -> str:
        return "/".join((self.place, *names))

    def of_run(self, name: str, run: str) -> str:
        """What a run wrote of a kind."""
        return self.folder(name, f"run={run}")

    def _entries(self, name: str) -> list[pyarrow.fs.FileInfo]:
        files, folder = file_system(self.folder(name))
        return files.get_file_info(pyarrow.fs.FileSelector(folder, allow_not_found=True))

    def state(self) -> State:
        """The one in force; an empty one of a new lake."""
        names = sorted(entry.base_name for entry in self._entries("state") if entry.base_name.endswith(".json"))
        return State.decoded(read_file(self.folder("state"), names[-1])) if names else State()

    def has_run(self, run: str) -> bool:
        """Whether the facts of a run are there. Another job, which took them for leftovers, would have removed them."""
        return any(entry.base_name == f"run={run}" for entry in self._entries("facts"))

    def commit(self, state: State) -> None:
        """What the state names is on disk before it, and the state before anything is published."""
        state.number += 1
        self._write_durably("state", f"{state.number:06}.json", state.encoded())

    def _write_durably(self, folder: str, name: str, content: bytes) -> None:
        if is_local(self.place):
            os.sync()
        write_file(self.folder(folder), name, content)
        if is_local(self.place):
            os.sync()

    def register(self) -> tuple[State, bytes | None]:
        """The register of released months in force, and its state; an empty state if there is none."""
        names = self._registers()
        return self._released_state(), read_file(self.folder("releases"), names[-1]) if names else None

    def _released_state(self) -> State:
        names = self._registers()
        return State.decoded(read_file(self.folder("state"), names[-1].split("-")[0] + ".json")) if names else State()

    def write_register(self, state: State, content: bytes) -> None:
        """Before readers see what it records. No file is overwritten: not every file system does that in one step."""
        known = self._registers()
        last = next((int(name[7:11]) for name in reversed(known) if name.startswith(f"{state.number:06}-")), 0)
        self._write_durably("releases", f"{state.number:06}-{last + 1:04}.sqlite", content)
        for older in known:
            self.remove("releases", older)

    def _registers(self) -> list[str]:
        return sorted(entry.base_name for entry in self._entries("releases") if entry.base_name.endswith(".sqlite"))

    def remove_leftovers(self, state: State) -> None:
        """Removes the folders of runs that neither the state nor that of the register names. No other job may be running."""
        released = self._released_state()
        for entry in self._entries("releases"):
            if not entry.base_name.endswith(".sqlite"):
                self.remove("releases", entry.base_name)
        for name in (*OF_EXPORTS, *OF_MONTHS):
            for entry in self._entries(name):
                if entry.base_name.removeprefix("run=") not in state.runs(name) | released.runs(name):
                    self.remove(name, entry.base_name)

    def remove(self, *names: str) -> None:
        files, folder = file_system(self.folder(*names))
        kind = files.get_file_info(folder).type
        if kind == pyarrow.fs.FileType.Directory:
            files.delete_dir(folder)
        elif kind == pyarrow.fs.FileType.File:
            files.delete_file(folder)
