"""Which exports there are, in what parts they are read, and whether the parts meet."""
from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow.fs

from lake import Export, Lake
from tasks import file_system, read_file

# A file with another ending is no export.
ENDINGS = ("csv", "tsv", "txt", "json", "ndjson", "jsonl", "gz")
# Files with these endings can be divided.
LINES = ("csv", "tsv", "txt", "ndjson", "jsonl")
# What all facts must have in common.
BASIS = ("rulesName", "rulesVersion", "keyFingerprint", "regions", "tripTypes", "version")


@dataclass(frozen=True)
class File:
    """A file of the inbox."""

    path: str
    bytes: int
    modified: int
    # The folder below the inbox that it lies in, which names the profile; None: it lies in the inbox itself.
    profile: str | None

    @property
    def is_divisible(self) -> bool:
        return self.path.lower().endswith(tuple("." + ending for ending in LINES))


@dataclass
class Inbox:
    """What lies in the folder of exports, by the rule of `tripkpi run`. Hidden files and folders are in none of its parts."""

    # By path.
    exports: list[File] = field(default_factory=list)
    # How many files have other endings, or lie in a folder of a folder.
    others: int = 0
    # How many folders cannot be looked into.
    closed: int = 0

    @classmethod
    def at(cls, place: str) -> Inbox:
        files, folder = file_system(place)
        found = cls()
        for entry in files.get_file_info(pyarrow.fs.FileSelector(folder)):
            if entry.type != pyarrow.fs.FileType.Directory:
                found._add(entry, None)
            elif not entry.base_name.startswith("."):
                try:
                    inner = files.get_file_info(pyarrow.fs.FileSelector(entry.path))
                except (OSError, UnicodeDecodeError):
                    found.closed += 1
                    continue
                for file in inner:
                    found._add(file, entry.base_name)
        found.exports.sort(key=lambda file: file.path)
        return found

    def _add(self, info: pyarrow.fs.FileInfo, profile: str | None) -> None:
        if info.base_name.startswith("."):
            return
        if info.type == pyarrow.fs.FileType.File and info.base_name.lower().endswith(tuple("." + ending for ending in ENDINGS)):
            self.exports.append(File(info.path, info.size, info.mtime_ns or 0, profile))
        else:
            self.others += 1


def has_plain_text(path: str) -> bool:
    """Whether a local file begins like UTF-8: not like gzip or UTF-16, which cannot be read in parts whatever the file's name says."""
    try:
        with open(path, "rb") as file:
            begin = file.read(4)
    except OSError:
        return False
    return b"\0" not in begin and not begin.startswith((b"\x1f\x8b", b"\xff\xfe", b"\xfe\xff"))


def age(summaries: list[dict]) -> int:
    """How new an export is, in microseconds since 1970: its newest `updated_at`, else its newest day; 0 without trips.

    If any part has an `updated_at`, the days of the others do not count.
    """
    updates = [summary["newestUpdate"] for summary in summaries if "newestUpdate" in summary]
    days = [summary["newestDay"] for summary in summaries if "newestDay" in summary]
    return max(updates, default=max(days, default=0) * 86_400_000_000)


class Refused(Exception):
    """An export that may not be counted, and why."""


class StillWritten(Exception):
    """An export that was changed while it was read: the next job reads it."""


@dataclass
class ExportParts:
    """An export that is being read, in one part or several."""

    file: File
    sha256: str
    # Bytes of the file; None: the whole file is one part.
    edges: list[int] | None
    summaries: dict[int, dict] = field(default_factory=dict)

    @classmethod
    def divided(cls, file: File, sha256: str, part_bytes: int, is_local: bool) -> ExportParts:
        """A local file of lines that is longer than a part is divided; a task gets others whole."""
        if not is_local or not file.is_divisible or file.bytes <= part_bytes or not has_plain_text(file.path):
            return cls(file, sha256, None)
        return cls(file, sha256, [*range(0, file.bytes, part_bytes), file.bytes])

    @property
    def parts(self) -> range:
        return range(1 if self.edges is None else len(self.edges) - 1)

    def task(self, part: int, start: dict | None = None) -> dict:
        """What reads a part. `start`: the part before it, if it is known where its last record ends."""
        options = [] if self.file.profile is None else [f"--profile={self.file.profile}"]
        if self.edges is not None:
            # How many records may be rejected is checked when all parts are read.
            options += ["--range", f"{self.edges[part]}:{self.edges[part + 1]}"]
        if start is not None:
            options += ["--start", f"{start['end']}{'+' if start['endIsResuming'] else ''}"]
        return {
            "path": self.file.path, "sha256": self.sha256, "profile": self.file.profile, "part": part,
            "options": options}

    def tasks(self) -> list[dict]:
        return [self.task(part) for part in self.parts]

    def take_findings(self, lake: Lake, run: str, parts: list[int]) -> None:
        """What was found in parts that were read. If one is refused, the export is one part from now on, and must be read again.

        Some exports can only be read whole: JSON in a file called .txt, or an encoding that the profile names.
        """
        for part in parts:
            found = json.loads(read_file(lake.of_run("findings", run), f"{self.sha256}.{part}.json"))
            if found.get("isStillWritten"):
                raise StillWritten
            if "refusal" not in found:
                self.summaries[part] = found["summary"]
            elif self.edges is None:
                raise Refused(found["refusal"])
            else:
                self.edges = None
                self.summaries.clear()
                return

    def unread_parts(self) -> Iterator[tuple[int, dict | None]]:
        """Parts that are to be read again: one without findings, and those that did not begin where the part before them ends, with
        that part.

        The first of these is wrong; others may follow from it. So they are read again until there are none, at most once
        for each part: each time one more part is right.
        """
        for part in self.parts:
            if part not in self.summaries:
                yield part, None
            elif part > 0:
                before, own = self.summaries[part - 1]["part"], self.summaries[part]["part"]
                if (before["end"], before["endIsResuming"]) != (own["start"], own["startIsResuming"]):
                    yield part, before

    def check_whole(self, unchanged: set[File]) -> None:
        """Refuses an export whose parts meet but may not be counted. `unchanged`: files that are as they were found."""
        if self.file not in unchanged:
            raise StillWritten
        found = list(self.summaries.values())
        first, total = found[0], self._total
        if any(summary["isCutOff"] for summary in found):
            raise Refused("the file ends within a record: it is not complete")
        if self.edges is not None:
            states = {(summary["part"]["fileBytes"], summary["part"]["fileModifiedNanoseconds"]) for summary in found}
            if len(states) > 1:
                raise StillWritten
            limit, swallowed = first["maximumRejectPerMillion"], sum(summary["swallowedLines"] for summary in found)
            if total["rejected"] * 1_000_000 > limit * total["read"]:
                raise Refused(f"{total['rejected']} of {total['read']} records are rejected: more than is allowed")
            if swallowed * 1_000_000 > limit * (total["read"] + swallowed):
                raise Refused(f"{swallowed} lines inside quoted fields look like records: more than is allowed")
        for summary in found[1:]:
            for name in (*BASIS, "profileVersion", "reading"):
                if summary[name] != first[name]:
                    raise Differs(f"{name} is not the same on all machines")

    def whole(self, run: str) -> Export:
        """The export of parts that were checked."""
        found = list(self.summaries.values())
        return Export(self.sha256, self.file.bytes, age(found), run, found[0]["reading"], **self._total, modified=self.file.modified)

    @property
    def _total(self) -> dict[str, int]:
        return {name: sum(summary[name] for summary in self.summaries.values()) for name in ("read", "facts", "skipped", "rejected")}


class Differs(Exception):
    """Facts that were made with other rules, lists, keys or programs than the rest."""


def agreement(basis: dict, exports: list[ExportParts]) -> dict:
    """What all facts have in common. `basis`: that of the facts in the lake; empty if there are none."""
    is_new = not basis
    profiles = dict(basis.get("profiles", {}))
    for export in exports:
        summary = export.summaries[0]
        basis = basis or {name: summary[name] for name in BASIS}
        for name in BASIS:
            if basis[name] != summary[name]:
                where = "another machine's" if is_new else "the lake's"
                raise Differs(f"{name} of new facts is not {where}; begin a new lake to change it")
        version = profiles.setdefault(export.file.profile or "plain", summary["profileVersion"])
        if version != summary["profileVersion"]:
            raise Differs("a profile or the zone is not the same on all machines and nights; begin a new lake to change it")
    return basis | {"profiles": profiles} if basis else basis
