#!/usr/bin/env python3
"""Exports with every kind of damage that other projects test for, through `scan`, `load` and `map suggest`.

The kinds are those of `hostile_exports.py`. For each: no signal, no exit code 70, an exit code of `docs/commands.md`, a
message where the code is not 0, no value of a record in a message, and an answer within SECONDS. Wherever the equation
`read = added + updated + unchanged + superseded + skipped + rejected` is printed, it holds; `scan` and `load` print the
same one, and a file that is read at all has all its records in it. A file in which stray quotes may hide records must
fail or say so.

CHECK_HOSTILE says how many changed kinds follow (none; 5000 by hand), CHECK_SEED which, CHECK_KIND which kinds
by a word of their name. With changed kinds the conformance files of ../shared/corpora are read too, where they are.
The last line is `N passed, N failed`.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from hostile_exports import KINDS, SOURCES, mixture
from nightly_site import ROOT, TRIPKPI, Checks

MIXTURES = int(os.environ.get("CHECK_HOSTILE", "0"))
SEED = int(os.environ.get("CHECK_SEED", "3"))
ONLY = os.environ.get("CHECK_KIND", "")
SECONDS = 20
CODES = {0, 65, 66, 74, 78}
EQUATION = re.compile(r"^read (\d+) = added (\d+) \+ updated (\d+) \+ unchanged (\d+) \+ superseded (\d+)"
                      r" \+ skipped (\d+) \+ rejected (\d+)$", re.MULTILINE)
# Forms of ids, patients and notes of the made-up trips.
VALUES = re.compile(r"ZZ[QP]\d|made-up note")
CRASH = re.compile(r"Fatal error|Thread \d+ crashed")
CUT_OFF = "it ends within a record"
QUOTED_LINES = re.compile(r"quot", re.IGNORECASE)
# `--internal`: a file of few trips is no reason to refuse it.
COMMANDS = {"scan": ("scan", "--internal", "--format", "csv"), "load": ("load",), "map suggest": ("map", "suggest")}


def answer(command, name, folder):
    """Exit code, standard error and seconds of one command; the code is None where it took too long."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "SOURCE_DATE_EPOCH": "1775086400", "NO_COLOR": "1",
                   "LC_ALL": "C.UTF-8", "TRIPKPI_STORE": str(folder / "store/tripkpi.sqlite"),
                   "TRIPKPI_AUDIT_LOG": str(folder / "audit.jsonl"),
                   **{n: os.environ[n] for n in ("TRIPKPI_DATA", "LD_LIBRARY_PATH") if n in os.environ}}
    began = time.monotonic()
    try:
        done = subprocess.run([TRIPKPI, *COMMANDS[command], name], cwd=folder, env=environment, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return done.returncode, done.stderr.decode("utf-8", "replace"), time.monotonic() - began
    except subprocess.TimeoutExpired:
        return None, "", time.monotonic() - began


def faults_of(command, code, messages):
    """What is wrong with the answer of one command."""
    if code is None:
        yield f"took more than {SECONDS} s"
        return
    if code < 0 or code > 128:
        yield f"ended by signal {abs(code) % 128}"
    elif code not in CODES:
        yield f"ended with {code}: {messages[-300:]}"
    if code and not messages.strip():
        yield f"ended with {code} and says nothing"
    if CRASH.search(messages):
        yield f"crashed: {messages[:200]}"
    if found := VALUES.search(messages):
        yield f"a message holds a value of a record, {found.group()}"
    equations = EQUATION.findall(messages)
    for equation in equations:
        read, *parts = map(int, equation)
        if read != sum(parts):
            yield f"read {read}, but the parts add up to {sum(parts)}"
    if code == 0 and command != "map suggest" and not equations:
        yield "prints no equation"


def examine(name, content, suffix, reads=None, hides=False):
    """The name, exit codes by command, what is wrong, and the slowest answer."""
    with tempfile.TemporaryDirectory(prefix="tripkpi-hostile-") as folder:
        folder = pathlib.Path(folder)
        export = folder / f"export.{suffix}"
        export.write_bytes(content)
        answers = {command: answer(command, export.name, folder) for command in COMMANDS}
    faults = [f"{command}: {fault}" for command, (code, messages, _) in answers.items()
              for fault in faults_of(command, code, messages)]
    slowest = max((seconds, f"{command} of {name}") for command, (*_, seconds) in answers.items())
    codes = {command: code for command, (code, *_) in answers.items()}
    last = {command: (EQUATION.findall(messages) or [None])[-1] for command, (_, messages, _) in answers.items()}
    for command in ("scan", "load"):
        code, messages, _ = answers[command]
        if hides and code == 0 and not QUOTED_LINES.search(messages):
            faults.append(f"{command}: says nothing of the lines in a quoted field; {messages.strip()[-200:]}")
        if reads is not None and code == 0 and last[command] and int(last[command][0]) != reads:
            faults.append(f"{command}: read {last[command][0]} of {reads} records")
    # A file that was cut off is read as far as it goes, and not loaded.
    if CUT_OFF in answers["scan"][1] and codes == {**codes, "scan": 0, "load": 65}:
        return name, codes, faults, slowest
    if not faults and codes["scan"] != codes["load"]:
        faults.append(f"scan ended with {codes['scan']}, load with {codes['load']}: {answers['load'][1][-200:]}")
    if not faults and codes["scan"] == 0 and reconciled(last["scan"]) != reconciled(last["load"]):
        faults.append(f"scan read {last['scan']}, load {last['load']}")
    return name, codes, faults, slowest


def reconciled(equation):
    """An equation's read, added, skipped, rejected, and the sum of what lost against another version of its trip."""
    read, added, updated, unchanged, superseded, skipped, rejected = map(int, equation)
    return read, added, skipped, rejected, updated + unchanged + superseded


def corpora():
    """The conformance files beside the checkout, as arguments of `examine`."""
    named = os.environ.get("CHECK_SHARED")
    folders = [pathlib.Path(named)] if named else [ROOT.parent / "shared", ROOT.parent.parent / "shared"]
    for folder in folders:
        for path in sorted((folder / "corpora").rglob("*")):
            if path.is_file():
                yield str(path.relative_to(folder)), path.read_bytes(), "json" if path.suffix == ".json" else "csv"


def cases():
    for kind in KINDS:
        if ONLY in kind.name:
            yield kind.name, kind.make(), kind.suffix, kind.reads, kind.hides
    if MIXTURES:
        yield from corpora()
    for number in range(MIXTURES):
        yield mixture(SEED * 1_000_000 + number)


def main():
    checks, codes = Checks(), {command: collections.Counter() for command in COMMANDS}
    kinds = collections.Counter(kind.source for kind in KINDS)
    slowest = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        waiting, source = collections.deque(), cases()
        while True:
            # Not all at once: some are large.
            while len(waiting) < 8 and (case := next(source, None)):
                waiting.append(workers.submit(examine, *case))
            if not waiting:
                break
            name, found, faults, seconds = waiting.popleft().result()
            slowest.append(seconds)
            checks.hold(name, *faults)
            for command, code in found.items():
                codes[command][code] += 1
    for source, place in SOURCES.items():
        print(f"{kinds[source]:4} kinds of {place}")
    for command, counts in codes.items():
        ended = ", ".join(f"{code}: {count}" for code, count in sorted(counts.items(), key=str))
        print(f"{len(slowest)} exports through {command}, by exit code: {ended}")
    print("slowest: " + ", ".join(f"{what} {seconds:.1f} s" for seconds, what in sorted(slowest)[:-6:-1]))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
