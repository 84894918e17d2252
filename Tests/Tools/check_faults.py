#!/usr/bin/env python3
"""`tripkpi run` on bad days: full disks, damaged stores, wrong keys, clocks set back, two runs at once, signals.

For each fault: the exit code of `docs/commands.md`; a message that names the place and a remedy, and holds no value of a
record;
the set that was published still stands and verifies; `tripkpi doctor` names the fault; and once it is mended, a plain
`run` ends with what an undisturbed run leaves, to the byte. As root a full disk is a small tmpfs in a mount namespace
and runs that must meet permissions are nobody's; otherwise a full disk is a limit on the size of files.
CHECK_FAULTS limits the check to faults whose name holds that word. The last line is `N passed, N failed`.
"""
import csv
import io
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import Callable

from nightly_site import AUDIENCES, OPEN_NIGHT, VALUES, Checks, differences, set_fault, steps, tree, two_nights

ONLY = os.environ.get("CHECK_FAULTS", "")
ROWS = int(os.environ.get("CHECK_ROWS", "700"))
IS_ROOT = os.geteuid() == 0
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if IS_ROOT else []
LOG = ("run", "--log-format", "json")
# $1 becomes a file system of $2 bytes for as long as the command runs; what it leaves there is kept.
SMALL_DISK = """
folder=$1 size=$2; shift 2
cp -a "$folder" "$folder.kept" && mount -t tmpfs -o "size=$size" tmpfs "$folder" && cp -a "$folder.kept/." "$folder" \
    || exit 99
"$@"; code=$?
rm -rf "$folder.kept"; cp -a "$folder" "$folder.kept"; umount "$folder"
rm -rf "$folder"; mv "$folder.kept" "$folder"; exit $code
"""
# No file grows beyond $1 bytes; the signal for it is ignored, so that writing fails instead.
SMALL_FILES = """size=$1; shift; trap '' XFSZ; exec prlimit --fsize="$size" "$@" """


@dataclass
class Fault:
    name: str
    codes: set
    place: str  # what the message names, a pattern
    remedy: str  # how the message says to mend it, a pattern
    doctor: str  # what doctor says of it, a pattern; empty: nothing is wrong that doctor could see
    damage: Callable  # (site) -> a function that mends it
    publishes: bool = False  # what is not at fault is published all the same
    only: str = ""  # the audience whose set is at fault
    releases: bool = False  # a month is released without the export, and stays as it was released until a revision


def expect(code, messages, fault):
    """What is wrong with how a faulty run ended."""
    yield code not in fault.codes and f"ended with {code}, not {sorted(fault.codes)}: {messages[-300:]}"
    if code == 0:
        return
    yield not messages.strip() and "says nothing"
    for what, pattern in (("place", fault.place), ("remedy", fault.remedy)):
        yield not re.search(pattern, messages, re.IGNORECASE) and f"no {what} /{pattern}/ in: {messages[-300:]}"
    yield VALUES.search(messages) and "the message holds a value of a record"
    yield re.search(r"Fatal error|Thread \d+ crashed", messages) and "crashed"


def figures(site):
    """What both audiences see, and what the store holds."""
    cells = {audience: site.current(audience)["kpi-cells.csv"] for audience in AUDIENCES}
    return {**cells, "report": site.succeed("report", "--audience", "staff", "--format", "csv", "--quiet")[0]}


def without_pending(cells):
    """The figures of `kpi-cells.csv`, without the column that says whether corrections wait for a revision."""
    return [{**row, "revision_pending": None} for row in csv.DictReader(io.StringIO(cells.decode(), newline=""))]


def meets(checks, fault, start, expected, shown, folder):
    """One fault from damage to mending."""
    site = start.copied(folder)
    before = tree(site.reports)
    mend = fault.damage(site)

    def doctor():
        code, output, messages = site.tripkpi("doctor")
        checks.hold(f"{fault.name}: doctor", code == 0 and "finds nothing wrong",
                    not re.search(fault.doctor, output + messages, re.IGNORECASE)
                    and f"does not say /{fault.doctor}/: {(output + messages)[-600:]}",
                    VALUES.search(output + messages) and "holds a value of a record")
    # What is wrong with an export is found by reading it, which doctor leaves to a run.
    if fault.doctor and not fault.publishes:
        doctor()
    code, _, messages = site.tripkpi("run")
    checks.hold(fault.name, *expect(code, messages, fault))
    if fault.doctor and fault.publishes:
        doctor()
    mend()
    if fault.only:
        # The other audience's set may be published.
        before = {name: content for name, content in before.items() if name.startswith(fault.only + "/")}
    stands(checks, fault.name, site, None if fault.publishes or code == 0 else before)
    if fault.publishes:
        if fault.releases:
            released = {"release": without_pending(site.current("release")["kpi-cells.csv"])}
            shown = {name: value for name, value in shown.items() if name != "release"}
        # The set without the export stays among the others, and what failed stays listed until somebody waives it.
        code, _, messages = site.tripkpi("run", "--quiet")
        checks.hold(f"{fault.name}: the next run", code and f"ended with {code}: {messages[-300:]}",
                    *differences(shown, figures(site)), *(differences(released, {
                        "release": without_pending(site.current("release")["kpi-cells.csv"])}) if fault.releases else ()))
    else:
        recovers(checks, fault.name, site, expected)


def stands(checks, name, site, before):
    """The published set is whole; with `before`, it is the old one, and no earlier set has changed."""
    now = tree(site.reports)
    moved = before is not None and any(now.get(name) != content for name, content in before.items())
    code, _, messages = site.tripkpi("verify")
    checks.hold(f"{name}: what was published", set_fault(site.reports), moved and "is not what it was",
                code and f"verify ended with {code}: {messages[-300:]}")


def recovers(checks, name, site, expected):
    code, _, messages = site.tripkpi("run", "--quiet")
    if checks.hold(f"{name}: the next run", code and f"ended with {code}: {messages[-300:]}"):
        checks.hold(f"{name}: after the next run", *differences(expected, site.state()))


# The faults. Each function damages a site and returns what mends it.

def as_nobody(site):
    """Root passes every permission: the site's runs are nobody's from now on."""
    if IS_ROOT:
        os.chmod(site.folder.parent, 0o755)
        for path in [site.folder, *site.folder.rglob("*")]:
            os.chown(path, 65534, 65534, follow_symlinks=False)
    site.prefix = NOBODY


def closed(part, mode):
    def damage(site):
        as_nobody(site)
        path = site.published(part) if part in AUDIENCES else getattr(site, part)
        old = path.stat().st_mode & 0o7777
        path.chmod(mode)
        return lambda: path.chmod(old)
    return damage


def closed_and_empty(site):
    """The folder of published sets is there, and the program may not make the folders of the audiences in it."""
    kept = site.folder.parent / "published.kept"
    shutil.rmtree(kept, ignore_errors=True)
    as_nobody(site)
    site.reports.rename(kept)
    site.reports.mkdir()
    site.reports.chmod(0o500)
    os.chown(site.reports, *([65534, 65534] if IS_ROOT else [-1, -1]))

    def mend():
        site.reports.rmdir()
        kept.rename(site.reports)
    return mend


def replaced(part, change):
    """The file `part` with other bytes; None: no file."""
    def damage(site):
        path = getattr(site, part)
        kept = path.with_name(path.name + ".kept")
        shutil.copy2(path, site.folder.parent / kept.name)
        changed = change(path.read_bytes())
        path.unlink() if changed is None else path.write_bytes(changed)

        def mend():
            for left in path.parent.glob(path.name + "-*"):  # -wal and -shm of the damaged store
                left.unlink()
            shutil.move(site.folder.parent / kept.name, path)
        return mend
    return damage


def noise(count, seed):
    return random.Random(seed).randbytes(count)


def with_page(number, seed):
    """A store's bytes with one page overwritten; a page is named by its share of the file."""
    def change(content):
        size = int.from_bytes(content[16:18], "big") or 65_536
        size = 65_536 if size == 1 else size
        at = int(number * (len(content) // size)) * size
        return content[:at] + noise(size, seed) + content[at + size:]
    return change


def added(name, content):
    def damage(site):
        path = site.inbox / name
        path.write_bytes(content(site))
        return path.unlink
    return damage


def cut_gzip(site):
    whole = (site.inbox / "trips-4.csv.gz").read_bytes()
    return whole[:len(whole) * 2 // 3]


def full_of_rejects(site):
    """Every tenth record without a trip id."""
    lines = (site.inbox / "trips-3.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join([lines[0]] + ["," + line.split(",", 1)[-1] if n % 10 == 0 else line
                                 for n, line in enumerate(lines[1:400])]).encode()


def clock_set_back(site):
    now, site.epoch = site.epoch, OPEN_NIGHT - 86_400

    def mend():
        site.epoch = now
    return mend


def growing(site):
    """An export that somebody still copies: it grows all the while a run looks at it."""
    path = site.inbox / "trips-3.csv"
    whole, stop = path.read_bytes(), threading.Event()
    path.write_bytes(whole[:len(whole) // 2])

    def grow():
        with open(path, "ab") as file:
            for at in range(len(whole) // 2, len(whole), 64):
                if stop.is_set():
                    break
                file.write(whole[at:at + 64])
                file.flush()
                time.sleep(0.0003)
    writer = threading.Thread(target=grow, daemon=True)
    writer.start()

    def mend():
        stop.set()
        writer.join()
        path.write_bytes(whole)
    return mend


def full_disk(part, extra_bytes):
    """No more than so many bytes can be added to the folder `part`."""
    def damage(site):
        folder = getattr(site, part)
        folder = folder if folder.is_dir() else folder.parent
        if IS_ROOT:
            used = sum(-(-path.stat().st_size // 4096) * 4096 if path.is_file() else 4096
                       for path in [folder, *folder.rglob("*")])
            site.prefix = ["unshare", "-m", "sh", "-c", SMALL_DISK, "sh", str(folder), str(used + extra_bytes)]
        else:
            site.prefix = ["sh", "-c", SMALL_FILES, "sh", str(max(1, extra_bytes))]

        def mend():
            site.prefix = []
        return mend
    return damage


ROOM = r"room|space|full"
# Which disks can be full, and what the message names; a limit on the size of files is met by any of them.
FULL = ({part: part for part in ("store", "reports", "metrics")} if IS_ROOT
        else dict.fromkeys(("store", "reports"), "store|reports|metrics"))
KEEP = r"backup|restore|load .* again|rebuil"
FAULTS = [
    Fault("inbox that cannot be read", {77}, "inbox", r"chmod|permission|owner|allow|may read", "inbox",
          closed("inbox", 0o000)),
    *[Fault(f"reports for {audience} that cannot be written", {73, 77}, f"reports|{audience}",
            r"chmod|permission|owner|allow|write", f"reports|{audience}", closed(audience, 0o500), only=audience)
      for audience in AUDIENCES],
    Fault("reports without a folder for an audience, that cannot be written", {73, 77}, "reports",
          r"chmod|permission|owner|allow|write", "reports", closed_and_empty),
    Fault("key that is gone", {78}, "key", KEEP, "key", replaced("key", lambda _: None)),
    Fault("key of another store", {78}, "key", KEEP + "|right key|other key|its key", "key",
          replaced("key", lambda _: noise(32, 1))),
    Fault("key of wrong length", {78}, "key", KEEP + "|32", "key", replaced("key", lambda key: key[:31])),
    Fault("key that all can read", {77, 78}, "key", "chmod|0?600", "key", closed("key", 0o644)),
    Fault("store with a broken header", {74}, "store", KEEP, "store|damaged",
          replaced("store", lambda store: noise(100, 2) + store[100:])),
    Fault("store cut in half", {74}, "store", KEEP, "store|damaged", replaced("store", lambda s: s[:len(s) // 2])),
    Fault("store that is empty", {74, 78}, "store", KEEP, "store|damaged", replaced("store", lambda _: b"")),
    Fault("store that is gone", {74, 78}, "store", KEEP, "store", replaced("store", lambda _: None)),
    Fault("store of noise", {74}, "store", KEEP, "store|damaged", replaced("store", lambda _: noise(65_536, 3))),
    # A page that the run does not need is no fault of the run; doctor finds it.
    *[Fault(f"store with page {share:.0%} overwritten", {0, 74}, "store", KEEP, "store|damaged",
            replaced("store", with_page(share, number))) for number, share in
      enumerate((0, 0.02, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.999))],
    Fault("clock set back", {78}, "clock|before", "clock|SOURCE_DATE_EPOCH|wait", "clock", clock_set_back),
    Fault("export that grows", {0, 65, 74}, r"inbox|changed", r"again|wait|next run|copied", "", growing,
          publishes=True, releases=True),
    Fault("damaged gzip", {65}, r"gz|export", r"again|fetch|replace|waive", "gz|export|quarantine|failed",
          added("damaged.csv.gz", cut_gzip), publishes=True),
    Fault("too many rejects", {65}, r"csv|export", r"profile|max.reject|waive|replay", "export|quarantine|failed",
          added("rejects.csv", full_of_rejects), publishes=True),
    # A limit on the size of files is nothing that doctor sees.
    Fault("disk of the store without room", {74}, FULL["store"], ROOM, ROOM if IS_ROOT else "", full_disk("store", 0)),
    Fault("disk of the reports without room", {73, 74}, FULL["reports"], ROOM, ROOM if IS_ROOT else "",
          full_disk("reports", 0)),
]


def sweep(checks, part, start, expected, folder):
    """Ever more room until the run ends well: every failure on the way is checked, and where it came is counted."""
    stages, extra, low, enough = {}, 0, 0, None
    # Growing finds what is enough, halving the gap finds steps shortly before it.
    while (enough is None or enough - low > max(4096, enough // 8)) and extra < 1 << 30:
        site = start.copied(folder)
        before = tree(site.reports)
        mend = full_disk(part, extra)(site)
        code, _, messages = site.tripkpi(*LOG)
        mend()
        if code == 0:
            enough = extra
        else:
            low = extra
            name = f"{part} with room for {extra >> 10} KiB"
            checks.hold(name, *expect(code, messages, Fault(name, {73, 74}, FULL[part], ROOM, "", full_disk)))
            reached = [step for step in steps(messages.splitlines()) if step != "run.failed"]
            stages.setdefault(reached[-1] if reached else "before the first line", []).append(extra >> 10)
            # A run may publish and then find no room for what comes after it.
            stands(checks, name, site, None if tree(site.reports) != before else before)
        recovers(checks, f"{part} with room for {extra >> 10} KiB", site, expected)
        extra = (extra * 4 or 16_384) if enough is None else (low + enough) // 8192 * 4096
    checks.hold(f"{part}: a disk that is full", not stages and part != "metrics" and "no run failed",
                enough is None and "no room is enough")
    for stage, sizes in stages.items():
        print(f"  {part}: full after step '{stage}' with room for {', '.join(map(str, sizes))} KiB")


def holds_lock(site, process):
    """Waits until the lock file names the process; False if it ends before."""
    while process.poll() is None:
        if site.lock.exists() and str(process.pid) in site.lock.read_text():
            return True
        time.sleep(0.0005)
    return False


def two_at_once(checks, start, expected, folder):
    """The second names the first and leaves it alone; a holder that was killed leaves nothing that stays."""
    site = start.copied(folder)
    with site.start("run") as first:
        named = holds_lock(site, first)
        first.send_signal(signal.SIGSTOP)
        code, _, messages = site.tripkpi("run")
        _, output, notes = site.tripkpi("doctor")
        first.send_signal(signal.SIGCONT)
        checks.hold("second run", code != 75 and f"ended with {code}, not 75: {messages[-300:]}",
                    not named and "the first was over before it was seen",
                    str(first.pid) not in messages and f"does not name process {first.pid}: {messages[-300:]}")
        checks.hold("second run: doctor", str(first.pid) not in output + notes and "does not name the first run")
        _, messages = first.communicate()
        checks.hold("first run", first.returncode and f"ended with {first.returncode}: {messages[-300:]}")
    checks.hold("two runs at once", *differences(expected, site.state()))

    site = start.copied(folder)
    with site.start("run") as first:
        checks.hold("killed run: its lock", not holds_lock(site, first) and "was over before it was seen")
        first.kill()
    # The dead holder's number belongs to another process by now.
    site.lock.write_text(site.lock.read_text().replace(str(first.pid), str(os.getpid())))
    recovers(checks, "lock of a dead process", site, expected)


def signals(checks, start, expected, folder, seconds):
    """SIGINT and SIGTERM end a run by that signal, at a point from which the next one goes on."""
    for number, sent in enumerate([signal.SIGINT, signal.SIGTERM] * 4):
        name = f"{sent.name} after {number / 8:.0%} of a run"
        site = start.copied(folder)
        before = tree(site.folder)
        with site.start("run") as process:
            time.sleep(max(0.02, seconds * number / 8))
            process.send_signal(sent)
            _, messages = process.communicate(timeout=60)
        # A run that was past the last safe point has ended well; one that had not begun has nothing to say.
        checks.hold(name, process.returncode not in (-sent, 0)
                    and f"ended with {process.returncode}, not by the signal", process.returncode
                    and not messages.strip() and tree(site.folder) != before and "says nothing",
                    VALUES.search(messages) and "the message holds a value of a record")
        stands(checks, name, site, None)
        recovers(checks, name, site, expected)


def pages_used(site):
    """Whether the store has enough pages for the damages to fall on different ones."""
    with sqlite3.connect(f"file:{site.store}?mode=ro", uri=True) as store:
        return store.execute("PRAGMA page_count").fetchone()[0]


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="tripkpi-faults-") as folder:
        folder = pathlib.Path(folder)
        start = two_nights(folder / "start", ROWS)
        undisturbed = start.copied(folder / "undisturbed")
        began = time.monotonic()
        undisturbed.succeed("run", "--quiet")
        seconds = time.monotonic() - began
        expected, shown = undisturbed.state(), figures(undisturbed)
        print(f"a store of {pages_used(start)} pages, a run of {seconds:.2f} s")
        for fault in FAULTS:
            if ONLY in fault.name:
                meets(checks, fault, start, expected, shown, folder / "site")
        for part in FULL if IS_ROOT else ["store"]:
            if ONLY in f"sweep {part}":
                sweep(checks, part, start, expected, folder / "site")
        if ONLY in "two runs at once":
            two_at_once(checks, start, expected, folder / "site")
        if ONLY in "signals":
            signals(checks, start, expected, folder / "site", seconds)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
