#!/usr/bin/env python3
"""Exports that somebody changes while `scan`, `report FILE`, `costs FILE` and `load FILE` read them.

In each race a file is cut, appended to, overwritten in place, written again, replaced by another or removed at a random
instant of the command's time. The command must not end by a signal. It may end with 0 only if its result is, to the
byte, that of a whole file: the old one, the new one, or one that a growing file was. Otherwise it ends with 74 or 65
(66 where the file is gone), prints no result, and leaves no workbook and no trip in the store. Trips come in several
versions, so that records are read again; files are CSV, JSON lines, JSON arrays and gzip. CHECK_RACES says how many
races (32; 1000 by hand), CHECK_SEED which, CHECK_ROWS how large the files are. The last line is
`N passed, N failed`.
"""
import collections
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from nightly_site import TRIPKPI, Checks

RACES = int(os.environ.get("CHECK_RACES", "20"))
SEED = int(os.environ.get("CHECK_SEED", "3"))
ROWS = int(os.environ.get("CHECK_ROWS", "100000"))
LIMIT = 60
# The form of each export: its options, and how many of ROWS records it has.
FORMS = {"csv": ((), 1.0), "ndjson": (("--format", "ndjson"), 0.5), "json": (("--format", "json"), 0.3),
         "csv.gz": (("--gzip",), 0.5)}
# A store and a workbook take long to write: their exports are smaller.
SHARE = {"scan": 1.0, "report": 1.0, "costs": 0.2, "load": 0.2}
WORDS = {
    "scan": ("scan", "--internal", "--format", "json", "--quiet"),
    "report": ("report", "--internal", "--format", "json", "--quiet"),
    "costs": ("costs", "--internal", "--output", "costs.xlsx", "--quiet"),
    "load": ("load", "--quiet"),
}


class Reader:
    """One command on one export in a folder of its own, with what it left there."""
    def __init__(self, command, folder, jobs):
        self.command, self.folder = command, pathlib.Path(folder)
        self.words = [TRIPKPI, *WORDS[command], "--jobs", str(jobs)]

    def environment(self):
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder), "SOURCE_DATE_EPOCH": "1775086400",
                "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "TRIPKPI_STORE": str(self.folder / "store/tripkpi.sqlite"),
                "TRIPKPI_AUDIT_LOG": str(self.folder / "audit.jsonl"),
                **{name: os.environ[name] for name in ("TRIPKPI_DATA", "LD_LIBRARY_PATH") if name in os.environ}}

    def start(self, name):
        (self.folder / "store").mkdir(exist_ok=True)
        key = self.folder / "store/tripkpi.sqlite.key"
        key.write_bytes(bytes(range(32)))  # one key for all: digests of stores can then be compared
        key.chmod(0o600)
        # Into files: a pipe that nobody empties would stop the reader.
        with open(self.folder / "out", "wb") as out, open(self.folder / "messages", "wb") as messages:
            self.process = subprocess.Popen([*self.words, name], cwd=self.folder, env=self.environment(),
                                            stdin=subprocess.DEVNULL, stdout=out, stderr=messages)

    def end(self):
        """Exit code; None if it took too long."""
        try:
            return self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            return None

    def messages(self):
        return (self.folder / "messages").read_text(errors="replace")

    def result(self):
        """What a run that ended with 0 gives its user."""
        if self.command == "load":
            digest = subprocess.run([TRIPKPI, "verify", "--digest"], cwd=self.folder, env=self.environment(),
                                    stdin=subprocess.DEVNULL, capture_output=True)
            return digest.stdout if digest.returncode == 0 else b"no digest: " + digest.stderr
        return (self.folder / ("costs.xlsx" if self.command == "costs" else "out")).read_bytes()

    def leftovers(self):
        """What a run that failed must not leave."""
        if (self.folder / "out").stat().st_size:
            yield "it printed a result"
        for path in self.folder.rglob("*.xlsx*"):
            yield f"it left {path.name}"
        store = self.folder / "store/tripkpi.sqlite"
        if self.command == "load" and store.exists():
            with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
                if "trips" in {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}:
                    count = connection.execute("SELECT COUNT(*) FROM trips").fetchone()[0]
                    if count:
                        yield f"the store has {count} trips"


class Exports:
    """For each command and form: an old export, another of its length, and one that differs from it in amounts only."""
    def __init__(self, folder):
        self.folder, self.results, self.seconds = folder, {}, {}
        for form, (options, share) in FORMS.items():
            for size in sorted(set(SHARE.values())):
                place = self.place(size, form)
                place.mkdir(parents=True)
                for number, name in enumerate(("old", "other")):
                    subprocess.run([TRIPKPI, "sample", "--messy", "--rows", str(int(ROWS * share * size)), "--seed",
                                    str(number + 1), "--from", "2026-01", "--months", "3", "--fields", "kpi",
                                    "--corrections-per-million", "100000", "--output", str(place / name), *options],
                                   check=True, stderr=subprocess.DEVNULL)
                old, other = (place / "old").read_bytes(), (place / "other").read_bytes()
                if form != "csv.gz":
                    # Of the same length, whole lines, blank at the end.
                    whole = other[:other.rfind(b"\n", 0, len(old)) + 1]
                    (place / "other").write_bytes(whole + b"\n" * (len(old) - len(whole)))
                    (place / "alike").write_bytes(old.replace(b".2", b".3").replace(b".7", b".8"))

    def place(self, size, form):
        return self.folder / f"{size}-{form}"

    def path(self, command, form, name="old"):
        return self.place(SHARE[command], form) / name

    def result(self, command, form, name):
        """The result on an export that nobody touches."""
        key = command, form, name
        if key not in self.results:
            began = time.monotonic()
            self.results[key] = undisturbed(command, form, self.path(*key), self.folder / "undisturbed")
            self.seconds[key] = time.monotonic() - began
        return self.results[key]


def undisturbed(command, form, export, folder):
    """Exit code and result of a command on a copy of an export."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copyfile(export, folder / f"export.{form}")
    reader = Reader(command, folder, 2)
    reader.start(f"export.{form}")
    code = reader.end()
    return code, reader.result() if code == 0 else None


# How an export changes. Each function changes `path` and returns the paths of the whole files that it was after that.

def shortened(path, old, chance, spare):
    """Cut at any byte, the first ones among them."""
    os.truncate(path, chance.choice((0, chance.randint(1, 4096), chance.randrange(path.stat().st_size))))
    shutil.copyfile(path, spare)
    return [spare]


def appended(path, old, chance, spare):
    """Lines are added, once."""
    more = (old.parent / "other").read_bytes()
    start = more.find(b"\n", chance.randrange(len(more) // 2)) + 1
    end = more.find(b"\n", start + chance.choice((1, 10_000, 2_000_000))) + 1
    with open(path, "ab") as file:
        file.write(more[start:end or None])
    shutil.copyfile(path, spare)
    return [spare]


def growing(path, old, chance, spare):
    """Lines are added again and again, as by a writer that is at work."""
    more = (old.parent / "other").read_bytes()[:1_000_000]
    states = []
    with open(path, "ab") as file:
        for number in range(chance.randint(3, 12)):
            file.write(more[number * 20_000:(number + 1) * 20_000])
            file.flush()
            states.append(path.stat().st_size)
            time.sleep(chance.random() * 0.02)
    paths = []
    for number, size in enumerate(states):
        paths.append(spare.with_name(f"{spare.name}-{number}"))
        shutil.copyfile(path, paths[-1])
        os.truncate(paths[-1], size)
    return paths


def overwriting(source, restores_time=False):
    """Other bytes in place, from front to end or in blocks of any order; the modification time may be set back."""
    def change(path, old, chance, spare):
        content = (old.parent / source).read_bytes()
        before = path.stat()
        size = chance.choice((len(content), 1 << 20, 65_536))
        starts = list(range(0, len(content), size))
        if chance.random() < 0.5:
            chance.shuffle(starts)
        with open(path, "r+b") as file:
            for start in starts:
                os.pwrite(file.fileno(), content[start:start + size], start)
            if len(content) < before.st_size:
                file.truncate(len(content))
        if restores_time:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        return [old.parent / source]
    return change


def patched(path, old, chance, spare):
    """A few records get other amounts; all else stays, the modification time too."""
    content = (old.parent / "alike").read_bytes()
    before = path.stat()
    start = chance.randrange(len(content))
    with open(path, "r+b") as file:
        os.pwrite(file.fileno(), content[start:start + chance.choice((2_000, 200_000))], start)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    shutil.copyfile(path, spare)
    return [spare]


def rewritten(path, old, chance, spare):
    """Emptied and written again, as a plain copy onto it does."""
    shutil.copyfile(old.parent / "other", path)
    return [old.parent / "other"]


def replaced(path, old, chance, spare):
    """Another file under its name."""
    shutil.copyfile(old.parent / "other", spare)
    os.replace(spare, path)
    return [old.parent / "other"]


def removed(path, old, chance, spare):
    path.unlink()
    return []


CHANGES = {
    "shortened": shortened, "appended": appended, "growing": growing, "overwritten": overwriting("other"),
    "overwritten, time set back": overwriting("other", True), "overwritten with other amounts": overwriting("alike"),
    "other amounts, time set back": overwriting("alike", True), "patched, time set back": patched,
    "rewritten": rewritten, "replaced": replaced, "removed": removed,
}


def race(checks, exports, number, chance, folder, codes):
    command = list(WORDS)[number % len(WORDS)]
    form = chance.choices(list(FORMS), (5, 2, 1, 1))[0]
    name = chance.choice([c for c in CHANGES if form != "csv.gz" or "amounts" not in c and "patched" not in c])
    old = exports.path(command, form)
    expected = exports.result(command, form, "old")[1]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / f"export.{form}"
    shutil.copyfile(old, path)
    jobs = chance.choice((1, 2))
    reader = Reader(command, folder, jobs)
    # Workbooks and stores are written late; reading is what is to be met.
    seconds = exports.seconds[command, form, "old"] * chance.random() ** (1 if SHARE[command] == 1 else 1.5)
    reader.start(path.name)
    time.sleep(seconds)
    was_running = reader.process.poll() is None
    states = CHANGES[name](path, old, chance, folder.parent / f"spare-{folder.name}")
    code = reader.end()
    codes[code if was_running else "over before"] += 1
    what = f"race {number}, {command} of {form} with {jobs} jobs, {name} after {seconds:.3f} s"
    if code == 0:
        result = reader.result()
        is_whole = result == expected or any(
            undisturbed(command, form, state, folder.parent / "state") == (0, result) for state in reversed(states))
        checks.hold(what, not is_whole and "ended with 0, and the result is of no whole file")
    else:
        allowed = {65, 74} | ({66} if name == "removed" else set())
        checks.hold(what, code is None and f"took more than {LIMIT} s",
                    code is not None and code < 0 and f"ended by signal {-code}: {reader.messages()[:200]}",
                    code is not None and code > 0 and code not in allowed and f"ended with {code}: "
                    f"{reader.messages()[-300:]}", not reader.messages().strip() and "says nothing",
                    *(code is not None and code >= 0 and reader.leftovers() or ()))


def main():
    checks, chance = Checks(), random.Random(SEED)
    codes = {command: collections.Counter() for command in WORDS}
    with tempfile.TemporaryDirectory(prefix="tripkpi-changing-") as folder:
        folder = pathlib.Path(folder)
        exports = Exports(folder)
        for number in range(RACES):
            race(checks, exports, number, random.Random(chance.random()), folder / "race",
                 codes[list(WORDS)[number % len(WORDS)]])
        sizes = {form: exports.path("scan", form).stat().st_size >> 20 for form in FORMS}
        total = sum((counts for counts in codes.values()), collections.Counter())
        # A check that comes too late sees nothing.
        checks.hold("the races", total["over before"] > RACES // 3 and f"{total['over before']} changes came too late")
    print(f"{RACES} races, seed {SEED}, with files of {', '.join(f'{m} MB {f}' for f, m in sizes.items())}")
    for command, counts in codes.items():
        print(f"  {command}, by exit code: " + ", ".join(
            f"{code}: {count}" for code, count in sorted(counts.items(), key=str)))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
