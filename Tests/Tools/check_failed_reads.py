#!/usr/bin/env python3
"""A failure of single system calls by which `tripkpi` reads: opening, looking up, listing, reading, following a link.

No failed call may be taken for an empty answer. An undisturbed run under `strace` counts the calls of its first thread that
read files of the site; then each run has one of them fail, with EIO, ESTALE, EACCES, EMFILE, ENOMEM or EINTR. A command
that ends with 0 must have written and printed what an undisturbed one does; none may end by a signal. After another end
the same command is repeated, and leaves what an undisturbed one leaves. CHECK_READS says how many points (60, spread over
commands, calls and errors; `all` by hand), CHECK_SEED which, CHECK_READ only those with a word in their name. The last
line is `N passed, N failed`.
"""
import collections
import os
import pathlib
import re
import sys
import tempfile
from dataclasses import dataclass

from check_injections import (OPENS, SEED, STARTED, changes_a_file, chosen, each_in_a_place, joined, loaded, obstacle, published,
                              short, state)
from nightly_site import Checks, Site, differences

POINTS = os.environ.get("CHECK_READS", "60")
ONLY = os.environ.get("CHECK_READ", "")
CALLS = OPENS + ("stat", "lstat", "fstat", "newfstatat", "statx", "getdents64", "read", "pread64", "readlink", "readlinkat",
                 "access", "faccessat", "faccessat2", "getcwd")
# The exit code of what is a fault of the program and not of the machine.
OWN_FAULT = 70
ERRORS = ("EIO", "ESTALE", "EACCES", "EMFILE", "ENOMEM", "EINTR")
# Not of the site: the program, its libraries and its data, the system's own files, streams.
ELSEWHERE = re.compile(r"[\"<]/(dev|etc|lib|lib64|proc|sys|usr|root|opt|bin|work|check)\b|<(anon_inode|socket|pipe|TCP|UNIX)|\b[0-2]<")


@dataclass
class Scene:
    name: str
    site: Site
    words: tuple
    writes: bool
    calls: list = None
    expected: dict = None
    printed: str = None
    has_same_key: bool = True


@dataclass
class Point:
    scene: Scene
    error: str
    call: str
    number: int
    what: str

    def __str__(self):
        return f"{self.scene.name}, {self.error} at {self.call} {self.number} ({short(self.what)})"


def scenes(folder):
    done, waiting = published(folder / "published"), loaded(folder / "loaded")
    night = Site(waiting.folder, waiting.epoch)
    return [
        Scene("run", night, ("run",), True), Scene("publish", waiting, ("publish",), True),
        Scene("verify", done, ("verify",), False), Scene("report", done, ("report", "--format", "csv", "--quiet"), False),
        Scene("report --release", done, ("report", "--release", "--format", "json", "--quiet"), False),
    ]


def traced(site, words, log, *options):
    site.prefix = ["strace", "-f", "-y", "-s", "0", "-o", str(log), "-e", "trace=" + ",".join("?" + name for name in CALLS),
                   *options]
    code, printed, messages = site.tripkpi(*words)
    site.prefix = []
    return code, printed, messages, joined(log.read_text(encoding="utf-8", errors="replace").splitlines())


def reads(lines):
    """The calls of the first thread that read files of the site: name, number among its kind, arguments."""
    first, numbers, calls = lines[0].split()[0], collections.Counter(), []
    for line in lines:
        if not (match := STARTED.match(line)) or match.group(1) != first:
            continue
        _, name, what = match.groups()
        numbers[name] += 1
        opens_to_write = name in OPENS and changes_a_file(name, what)
        if name in CALLS and not opens_to_write and not ELSEWHERE.search(what):
            calls.append((name, numbers[name], what))
    return calls


def prepare(scene, folder):
    site = scene.site.copied(folder / "site-count", scene.site.epoch)
    code, scene.printed, messages, lines = traced(site, scene.words, folder / "trace")
    if code != 0:
        sys.exit(f"{scene.name}: an undisturbed run ended with {code}:\n{messages[-2000:]}")
    scene.calls = reads(lines)
    scene.expected = state(site, scene)


def disturb(point, folder):
    """Whether the call was reached, the exit code, and what is wrong."""
    scene = point.scene
    site = scene.site.copied(folder / "site-injected", scene.site.epoch)
    code, printed, messages, lines = traced(site, scene.words, folder / "trace", "-e",
                                            f"inject={point.call}:error={point.error}:when={point.number}")
    if not any("(INJECTED)" in line for line in lines):
        return False, code, []
    faults = []
    if code < 0 or code > 100 or code == OWN_FAULT or re.search(r"Fatal error|Thread \d+ crashed", messages):
        faults.append(f"ended with {code}: {messages[-400:]}")
    if code == 0:
        if not scene.writes and printed != scene.printed:
            faults.append("ended with 0, and printed something else")
        found = state(site, scene)
        found["files"] = scene.expected["files"]  # the next run tidies up
        faults += [f"ended with 0: {line}" for line in differences(scene.expected, found)]
    elif scene.writes:
        code_again, _, messages = site.tripkpi(*scene.words)
        faults += [f"the next run ended with {code_again}: {messages[-400:]}"] if code_again else [
            f"after the next run: {line}" for line in differences(scene.expected, state(site, scene))]
    return True, code, faults


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="tripkpi-reads-") as folder:
        folder = pathlib.Path(folder)
        if why := obstacle(folder):
            Checks.skip("failed reads", why)
            return checks.end()
        all_scenes = scenes(folder)
        for scene in all_scenes:
            prepare(scene, folder)
        points = [Point(scene, error, *call) for scene in all_scenes for error in ERRORS for call in scene.calls]
        picked = chosen(points, POINTS, ONLY, lambda point: (point.scene.name, point.error, point.call))
        codes, missed = collections.Counter(), 0
        for point, has_fired, code, faults in each_in_a_place(
                picked, folder, lambda point, place: (point, *disturb(point, place)), lambda point, text: (point, True, 0, [text])):
            missed += not has_fired
            if has_fired:
                codes[code] += 1
                checks.hold(str(point), *faults)
    print(f"{len(picked)} of {len(points)} points, seed {SEED}; {missed} were not reached")
    print("ended with: " + ", ".join(f"{code}: {count}" for code, count in sorted(codes.items())))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
