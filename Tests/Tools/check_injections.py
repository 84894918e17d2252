#!/usr/bin/env python3
"""A kill, `EIO` or `ENOSPC` at single system calls of `tripkpi`, each followed by the same command again.

Every call by which the commands of SCENES change files is a point: writes, renames, syncs, cuts, removals, opens for
writing, new folders, links and modes. An undisturbed run under `strace` counts them; then `strace -e inject=` disturbs
one of them in each run. The disturbed command ends by the kill, or with the code of an injected error (74; 73 where
something was being made), or with 0 where GOES_ON says so and nothing is missing. What readers see is whole. The
command is then repeated: it ends with 0 and leaves what an undisturbed one leaves: published bytes, store, names of
files. A point that a run did not reach is counted, but neither passes nor fails. CHECK_INJECTIONS says how many
points (90, spread over commands, calls and faults; `all` by hand), CHECK_SEED which, CHECK_INJECTION only those
with a word in their name. The last line is `N passed, N failed`.
"""
import collections
import hashlib
import itertools
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Callable

from nightly_site import (AUDIENCES, OPEN_NIGHT, SECOND_NIGHT, VALUES, Checks, Site, audience_fault, corrections,
                          differences, sample, tree)

POINTS = os.environ.get("CHECK_INJECTIONS", "60")
SEED = int(os.environ.get("CHECK_SEED", "3"))
ONLY = os.environ.get("CHECK_INJECTION", "")
ROWS = int(os.environ.get("CHECK_ROWS", "100"))
PARALLEL = 2
OPENS = ("open", "openat", "openat2", "creat")
MAKES = OPENS + ("mkdir", "mkdirat", "link", "linkat", "symlink", "symlinkat", "rename", "renameat", "renameat2")
CALLS = MAKES + ("write", "writev", "pwrite64", "pwritev", "pwritev2", "copy_file_range", "sendfile", "fallocate", "fsync",
                 "fdatasync", "ftruncate", "truncate", "unlink", "unlinkat", "rmdir", "chmod", "fchmod", "fchmodat",
                 "fchmodat2")
FAULTS = {"kill": "signal=SIGKILL", "EIO": "error=EIO", "ENOSPC": "error=ENOSPC"}
UNFINISHED = "<unfinished ...>"
RESUMED = re.compile(r"^(\d+) +<\.\.\. \w+ resumed>(.*)")
STARTED = re.compile(r"^(\d+) +(\w+)\((.*)")
# The program goes on where nothing is lost if a call fails: (why, calls, what the call names).
GOES_ON = [
    ("a line of the log", r"write", r"^2<"),
    ("the metrics, with a warning", r".*", r"metrics/"),
    ("the text in the lock file, which only names its holder", r"write|ftruncate", r"\.lock>"),
    ("a draft to be removed: the next command does", r"unlink|unlinkat|rmdir", r"\.part"),
    ("a part of a workbook, which gets another name", r"openat", r"\.workbooks\.part/tmp\."),
    ("the sync of a folder in which a file has its new name", r"fsync|fdatasync", r"[</](store|key|metrics)>"),
    ("the first look at the store, which only asks whether there is one", r"openat", r"tripkpi\.sqlite(-wal)?\""),
    ("a checkpoint: the log has what was committed", r"pwrite64|ftruncate|fdatasync", r"tripkpi\.sqlite>"),
    ("the log's sync before a checkpoint: it was synced when it was written", r"checkpoint's fdatasync", r"-wal>"),
    ("the log's index, which SQLite makes again", r".*", r"-shm[>\"]"),
    ("the removal of a log that is in the store", r"unlink|ftruncate", r"-wal[>\"]"),
    ("a change between SQLite's log and its journal, which can wait", r".*", r"-journal[>\"]"),
]
REMEDY = re.compile(r"check|free some|run again|please|next run|look", re.IGNORECASE)


@dataclass
class Call:
    """A system call that changes a file, in an undisturbed run."""
    name: str
    number: int  # among the calls of this name of its thread
    what: str  # its arguments
    is_before_checkpoint: bool = False  # SQLite's next write is to the store itself


@dataclass
class Scene:
    name: str
    site: Site
    words: tuple
    has_same_key: bool  # whether the key is the same after each run: the store's digest depends on it
    calls: list = None
    expected: dict = None


@dataclass
class Point:
    scene: Scene
    fault: str
    call: Call

    def __str__(self):
        return f"{self.scene.name}, {self.fault} at {self.call.name} {self.call.number} ({short(self.call.what)})"


def short(what):
    """A call's arguments without the folder of the site, and without digits that differ from run to run."""
    what = re.sub(r"/\S*?/site-[^/>\"]*/?", "", what)
    return re.sub(r"[0-9a-f]{16}|[0-9T]{8,}Z-[0-9a-f]{12}", "…", what)[:110]


# The scenes: what each command finds, and how it is called.

def first_night(folder):
    site = Site.made(folder, OPEN_NIGHT)
    with open(site.folder / "tripkpi.yaml", "a", encoding="utf-8") as settings:
        settings.write("jobs: 1\n")  # calls are counted by thread
    sample(site.inbox / "trips-0.csv", ROWS, 1)
    sample(site.inbox / "trips-1.ndjson", ROWS, 2, "--format", "ndjson")
    return site


def second_night(folder):
    site = first_night(folder)
    site.succeed("run", "--quiet")
    sample(site.inbox / "trips-2.csv.gz", ROWS, 3, "--gzip")
    corrections(site.inbox / "trips-0.csv", site.inbox / "corrections-0.csv", every=3)
    return Site(site.folder, SECOND_NIGHT)


def loaded(folder):
    """The second night's exports are in the store, and nothing of them is published."""
    site = second_night(folder)
    site.succeed("load", *sorted(path.relative_to(site.folder) for path in site.inbox.iterdir()), "--quiet")
    return site


def published(folder):
    site = second_night(folder)
    site.succeed("run", "--quiet")
    return site


def scenes(folder):
    done = published(folder / "published")
    hash = hashlib.sha256((done.inbox / "corrections-0.csv").read_bytes()).hexdigest()[:12]
    return [
        Scene("first night", first_night(folder / "first"), ("run",), False),
        Scene("second night", second_night(folder / "second"), ("run",), True),
        Scene("publish", loaded(folder / "loaded"), ("publish",), True),
        Scene("key rotate", done, ("key", "rotate"), False),
        Scene("load --withdraw", done, ("load", "--withdraw", hash), True),
    ]


def state(site, scene):
    """What a command leaves for the next one and for readers."""
    found = {"published": tree(site.reports), "files": sorted(tree(site.folder)),
             "figures": site.succeed("report", "--internal", "--format", "json", "--quiet")[0]}
    if scene.has_same_key:
        found["store"] = site.digest()
    return found


# Counting and injecting.

def traced(site, words, log, *options):
    """Exit code, messages, and the lines of the trace."""
    site.prefix = ["strace", "-f", "-y", "-s", "0", "-o", str(log), "-e", "trace=" + ",".join("?" + name for name in CALLS),
                   *options]
    code, _, messages = site.tripkpi(*words)
    site.prefix = []
    return code, messages, joined(log.read_text(encoding="utf-8", errors="replace").splitlines())


def joined(lines):
    """A call that lines of other threads cut in two is one line again, where it began."""
    whole, open_calls = [], {}
    for line in lines:
        if match := RESUMED.match(line):
            if (place := open_calls.pop(match.group(1), None)) is not None:
                whole[place] += match.group(2)
                continue
        elif line.endswith(UNFINISHED):
            open_calls[line.split()[0]] = len(whole)
            line = line.removesuffix(UNFINISHED)
        whole.append(line)
    return whole


def changes_a_file(name, what):
    if name in OPENS and not re.search(r"O_(CREAT|WRONLY|RDWR|TRUNC)", what):
        return False
    return not re.search(r"<(anon_inode|socket)|\"/(dev|proc|sys)/|<(TCP|UNIX)", what)


def counted(lines):
    """The calls of the first thread that change files, and how many other threads have."""
    first, numbers, calls, others = lines[0].split()[0], collections.Counter(), [], 0
    for line in lines:
        if not (match := STARTED.match(line)):
            continue
        thread, name, what = match.groups()
        if thread == first:
            numbers[name] += 1
        if changes_a_file(name, what):
            if thread == first:
                calls.append(Call(name, numbers[name], what))
            else:
                others += 1
    writes = [call for call in calls if re.search(r"tripkpi\.sqlite(-\w+)?[>\"]", call.what)]
    for call, following in itertools.pairwise(writes):
        call.is_before_checkpoint = following.name == "pwrite64" and "tripkpi.sqlite>" in following.what
    return calls, others


def prepare(scene, folder):
    """Counts the scene's calls and says what it leaves; two undisturbed runs must leave the same."""
    code, messages, lines = traced(scene.site.copied(folder / "site-count", scene.site.epoch), scene.words, folder / "trace")
    if code != 0:
        sys.exit(f"{scene.name}: an undisturbed run ended with {code}:\n{messages[-2000:]}")
    scene.calls, others = counted(lines)
    site = scene.site.copied(folder / "site-again", scene.site.epoch)
    site.succeed(*scene.words)
    scene.expected = state(site, scene)
    return others, differences(scene.expected, state(Site(folder / "site-count", scene.site.epoch), scene))


def why_it_goes_on(call, what):
    name = "checkpoint's " * call.is_before_checkpoint + call.name
    return next((why for why, names, pattern in GOES_ON
                 if (re.fullmatch(names, name) or re.fullmatch(names, call.name)) and re.search(pattern, what)), None)


class Result:
    def __init__(self, point):
        self.point, self.has_fired, self.code, self.went_on, self.faults = point, False, 0, None, []


def failed(point, text):
    result = Result(point)
    result.has_fired, result.faults = True, [text]
    return result


def inject(point, folder):
    result, scene, call = Result(point), point.scene, point.call
    site = scene.site.copied(folder / "site-injected", scene.site.epoch)
    code, messages, lines = traced(site, scene.words, folder / "trace", "-e",
                                   f"inject={call.name}:{FAULTS[point.fault]}:when={call.number}")
    started = [match.group(3) for line in lines if "(INJECTED)" in line and (match := STARTED.match(line))]
    # A call that reads may have the number in this run.
    failed = [what for what in started if changes_a_file(call.name, what)]
    result.code = code
    result.has_fired = code == -9 if point.fault == "kill" else bool(failed)
    if not result.has_fired:
        return result
    if point.fault != "kill":
        result.faults += ending(point, result, messages, failed[0], site)
    for audience in AUDIENCES:
        if (site.published(audience) / "current").is_symlink() and (fault := audience_fault(site.published(audience))):
            result.faults.append(f"what is published for {audience} is not whole: {fault}")
    code, _, messages = site.tripkpi(*scene.words)
    if code != 0:
        result.faults.append(f"the next run ended with {code}: {messages[-400:]}")
        return result
    result.faults += [f"after the next run: {line}" for line in differences(scene.expected, state(site, scene))]
    if scene.name == "key rotate" and not re.search(r"rotated [12] times", site.succeed("key", "fingerprint")[0]):
        result.faults.append("the key was not rotated once, or again")
    return result


def ending(point, result, messages, what, site):
    """What is wrong with how a command ended in which a call failed."""
    if result.code == 0:
        result.went_on = why_it_goes_on(point.call, what)
        found = state(site, point.scene)
        found["files"] = point.scene.expected["files"]  # the next run tidies up
        return ["it went on and ended with 0" if result.went_on is None else None,
                *(f"it ended with 0: {line}" for line in differences(point.scene.expected, found))]
    codes = {73, 74} if point.call.name in MAKES or re.search("key[/>]", what) else {74}
    return [result.code not in codes and f"ended with {result.code}, not {sorted(codes)}: {messages[-400:]}",
            not what.startswith("2<") and not REMEDY.search(messages) and f"no remedy in: {messages[-400:]}",
            VALUES.search(messages) and "the messages hold a value of a record",
            "is damaged" in messages and f"calls something damaged: {messages[-400:]}",
            re.search(r"Fatal error|Thread \d+ crashed", messages) and f"crashed: {messages[-400:]}"]


# Which points.

def chosen(points, count=POINTS, only=ONLY, kind=lambda point: (point.scene.name, point.fault, point.call.name)):
    """All, or so many: one of each kind in turn."""
    points = [point for point in points if only in str(point)]
    if count == "all":
        return points
    chance, groups = random.Random(SEED), collections.defaultdict(list)
    for point in points:
        groups[kind(point)].append(point)
    for group in groups.values():
        chance.shuffle(group)
    groups = sorted(groups.items())
    chance.shuffle(groups)
    rounds = itertools.zip_longest(*(group for _, group in groups))
    return [point for turn in rounds for point in turn if point is not None][:int(count)]


def each_in_a_place(points, folder, meet, fail):
    """`meet(point, place)` for each point, in as many folders as run at once; `fail(point, text)` where a command that must
    succeed did not."""
    places = collections.deque(folder / f"{number}" for number in range(PARALLEL))
    for place in places:
        place.mkdir()

    def in_a_place(point):
        place = places.popleft()
        try:
            return meet(point, place)
        except AssertionError as error:  # of `succeed`
            return fail(point, str(error)[-500:])
        finally:
            places.append(place)
    with ThreadPoolExecutor(PARALLEL) as pool:
        yield from pool.map(in_a_place, points)


def obstacle(folder):
    """Why nothing can be injected here; None if it can."""
    if shutil.which("strace") is None:
        return "there is no strace"
    ended = subprocess.run(["strace", "-f", "-o", str(folder / "trace"), "-e", "trace=write", "-e",
                            "inject=write:error=EIO:when=1000", "true"], stderr=subprocess.PIPE, text=True, check=False)
    return None if ended.returncode == 0 else f"strace may not trace: {ended.stderr.strip()[:100]}"


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="tripkpi-injections-") as folder:
        folder = pathlib.Path(folder)
        if why := obstacle(folder):
            Checks.skip("injected faults", why)
            return checks.end()
        all_scenes, others = scenes(folder), 0
        for scene in all_scenes:
            more, faults = prepare(scene, folder)
            others += more
            checks.hold(f"{scene.name}, undisturbed twice", *faults)
        points = [Point(scene, fault, call) for scene in all_scenes for fault in FAULTS for call in scene.calls]
        picked = chosen(points)
        results = []
        for result in each_in_a_place(picked, folder, inject, failed):
            results.append(result)
            if result.has_fired:
                checks.hold(str(result.point), *result.faults)
    print(f"{len(picked)} of {len(points)} points, seed {SEED}; {others} calls of other threads are no points")
    told(results)
    return checks.end()


def told(results):
    fired = [result for result in results if result.has_fired]
    print(f"{len(results) - len(fired)} points were not reached")

    def table(title, key, results):
        print(title)
        for name, count in sorted(collections.Counter(map(key, results)).items(), key=lambda item: (-item[1], str(item[0]))):
            print(f"  {count:5}  {name}")
    table("points by command and fault:", lambda r: f"{r.point.scene.name}, {r.point.fault}", fired)
    table("points by call:", lambda r: r.point.call.name, fired)
    table("how commands with an injected error ended:", lambda r: r.code, [r for r in fired if r.point.fault != "kill"])
    table("went on after a failed call, by what it was of:", lambda r: r.went_on, [r for r in fired if r.went_on])
    if failed := [result for result in fired if any(result.faults)]:
        table("failed, by command, fault and call:",
              lambda r: f"{r.point.scene.name}, {r.point.fault}, {r.point.call.name}", failed)


if __name__ == "__main__":
    sys.exit(main())
