#!/usr/bin/env python3
"""Backups at random moments of real runs, restored elsewhere; and `backup` and `restore` disturbed at single system calls.

The committed states of a run are known by another run of the same exports, stopped after each of them: `verify --digest` of
a restored store must be one of theirs. The restored site has its files at other paths. Its store is whole, has no fewer
exports than its sets tell of, and its audit log tells of each; `verify` finds nothing; a run there ends as the undisturbed one,
to the byte. Then `restore` and `backup` are killed, or a call fails with EIO or ENOSPC, at calls that change files. What is left is
the old state or the new one; a set that is held is not published over; the same command again completes it. Scenes: with
`--replace`, elsewhere, a held release, a place with another audit log, one with the beginning of the log. CHECK_BACKUPS says how many
backups (12; 200 by hand), CHECK_BACKUP_POINTS how many disturbed calls (24; `all` by hand), CHECK_SEED which. The last line is
`N passed, N failed`.
"""
import collections
import contextlib
import hashlib
import json
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

from check_injections import FAULTS, PARALLEL, STARTED, changes_a_file, chosen, counted, each_in_a_place, obstacle, short, traced
from nightly_site import AUDIENCES, OPEN_NIGHT, SECOND_NIGHT, Checks, Site, audience_fault, sample, two_nights

BACKUPS = int(os.environ.get("CHECK_BACKUPS", "12"))
POINTS = os.environ.get("CHECK_BACKUP_POINTS", "24")
SEED = int(os.environ.get("CHECK_SEED", "3"))
ROWS = int(os.environ.get("CHECK_ROWS", "900"))
IN_A_RUN = 4  # backups of one run
SECRET = "secret"
ELSEWHERE = """inbox: inbox
store: here/trips.db
key_file: keys/own.key
reports: out
audit_log: audit/log.jsonl
"""


def elsewhere(folder, like):
    """An empty site with the same exports and settings, and all its files at other paths."""
    site = Site(folder, like.epoch)
    site.folder.mkdir(parents=True)
    (site.folder / "keys").mkdir(mode=0o700)
    (site.folder / "inbox").symlink_to(like.inbox.resolve())
    settings = (like.folder / "tripkpi.yaml").read_text(encoding="utf-8").splitlines()
    moved = ("inbox:", "store:", "key_file:", "reports:", "metrics_file:", "audit_log:")
    (site.folder / "tripkpi.yaml").write_text(
        ELSEWHERE + "\n".join(line for line in settings if not line.startswith(moved)) + "\n", encoding="utf-8")
    site.store, site.reports, site.key = site.folder / "here/trips.db", site.folder / "out", site.folder / "keys/own.key"
    site.log = site.folder / "audit/log.jsonl"
    return site


def secret_of(site):
    path = site.folder / SECRET
    if not path.exists():
        path.write_bytes(os.urandom(32))
        path.chmod(0o600)
    return path


def committed(start, folder):
    """The digests of the states that a run of the site commits, in their order, and the site after it."""
    done = start.copied(folder / "done", start.epoch)
    _, log = done.succeed("run", "--log-format", "json")
    loaded = [entry["sha256"] for entry in map(json.loads, log.splitlines()) if entry.get("event") == "export.loaded"]
    # Of two files with one content the first by name is loaded.
    files = {hashlib.sha256(path.read_bytes()).hexdigest(): path.name for path in sorted(done.inbox.iterdir(), reverse=True)}
    steps = start.copied(folder / "steps", start.epoch)
    # A store is made in a transaction of its own, before its first export: its digest is that of nothing.
    digests = [steps.digest() if steps.store.exists() else hashlib.sha256().hexdigest()]
    for sha256 in loaded:
        steps.succeed("load", "--quiet", f"inbox/{files[sha256]}")
        digests.append(steps.digest())
    if digests[-1] != done.digest() or len(set(digests)) != len(loaded) + 1 or len(loaded) < 2:
        sys.exit("the states of a run are not those of its exports one by one")
    return digests, done


def backups_of_a_run(start, folder, seconds, chance, count):
    """Starts a run, and backups at random moments of it: their paths, with the second at which each began."""
    site, secret = start.copied(folder, start.epoch), secret_of(start)
    run = site.start("run", "--quiet")
    began, made, threads = time.monotonic(), [], []

    def back_up(at, path):
        time.sleep(max(0, began + at - time.monotonic()))
        code, _, messages = site.tripkpi("backup", path, "--seal-with", secret)
        made.append((at, path, code, messages))
    for number in range(count):
        # A run commits its exports in its first part; a few backups begin after its end.
        at = chance.random() ** (1 if number % 4 == 0 else 3) * seconds * 1.1
        thread = threading.Thread(target=back_up, args=(at, site.folder / f"b{number}.tar"))
        thread.start()
        threads.append(thread)
    _, messages = run.communicate()
    for thread in threads:
        thread.join()
    return site, made, run.returncode, messages


def store_facts(site):
    with contextlib.closing(sqlite3.connect(f"file:{site.store}?mode=ro", uri=True)) as store:
        exports = store.execute("SELECT COUNT(*) FROM exports").fetchone()[0]
        stale = store.execute("SELECT COUNT(*) FROM month_tallies WHERE is_stale").fetchone()[0]
    return exports, stale


def log_facts(path):
    """The events of an audit log, and whether each line has the hash of the line before it."""
    lines = path.read_bytes().splitlines()
    whole = all(json.loads(line)["previous"] == hashlib.sha256(before).hexdigest() for before, line in zip(lines, lines[1:]))
    return collections.Counter(json.loads(line).get("event") for line in lines), whole


def restored_faults(site, path, secret, digests, found):
    """What is wrong with a backup that is restored elsewhere, and the place of its state in the run."""
    site.succeed("restore", path, "--seal-with", secret)
    digest, (exports, stale) = site.digest(), store_facts(site)
    place = digests.index(digest) if digest in digests else None
    shown = [audience for audience in AUDIENCES if (site.published(audience) / "current").is_symlink()]
    told = max((json.loads((site.published(audience) / "current/manifest.json").read_bytes())["exports"] for audience in shown),
               default=0)
    events, is_linked = log_facts(site.log)
    found[(place, "months to tally" if stale else "no month to tally")] += 1
    left = [name for name in os.listdir(site.store.parent) if name.startswith(".")]
    code, verified, messages = site.tripkpi("verify", "--quiet")
    return [place is None and "the store is in no state that was committed",
            # Without a published set `verify` ends with 66.
            code and (shown or code != 66) and f"does not verify: {(verified + messages)[-300:]}",
            told > exports and f"a set tells of {told} exports, the store of {exports}",
            events["load"] < exports and f"the audit log tells of {events['load']} loads, the store of {exports}",
            not is_linked and "the audit log is not linked", events["restore"] != 1 and "the audit log lacks the restore",
            left and f"left: {left}", *(audience_fault(site.published(audience)) for audience in shown)]


def check_moments(checks, folder, chance, start, backups, refusals=()):
    """Backups of runs of one site. `refusals`: codes with which a backup may end.

    Returns the site after the run."""
    secret = secret_of(start)
    digests, done = committed(start, folder)
    expected = {audience: done.current(audience) for audience in AUDIENCES}
    began = time.monotonic()
    start.copied(folder / "timed", start.epoch).succeed("run", "--quiet")
    seconds, found, count, sizes, durations = time.monotonic() - began, collections.Counter(), 0, [], []
    while count < backups:
        site, made, code, messages = backups_of_a_run(start, folder / "run", seconds, chance, min(IN_A_RUN, backups - count))
        checks.hold(f"the run beside backups from {count} on", code and f"ended with {code}: {messages[-300:]}",
                    site.digest() != digests[-1] and "ended in another state",
                    [name for name in os.listdir(site.folder) if name.startswith(".tripkpi")] and "left a folder")
        for at, path, code, messages in sorted(made):
            what = f"backup {count} at {at:.2f} of {seconds:.2f} s"
            count += 1
            if code in refusals:
                found[(f"refused with {code}", "nothing written")] += 1
                checks.hold(what, path.exists() and "it was refused, and is there")
                continue
            if not checks.hold(what, code and f"ended with {code}: {messages[-300:]}"):
                continue
            sizes.append(path.stat().st_size)
            other = elsewhere(folder / "other", start)
            began = time.monotonic()
            checks.hold(what, *restored_faults(other, path, secret, digests, found))
            durations.append(time.monotonic() - began)
            if count % IN_A_RUN in (1, 2):
                code, _, messages = other.tripkpi("run", "--quiet")
                checks.hold(f"the run after {what}", code and f"ended with {code}: {messages[-300:]}",
                            other.digest() != digests[-1] and "ended in another state",
                            *(other.current(audience) != expected[audience] and f"published otherwise for {audience}"
                              for audience in AUDIENCES),
                            other.tripkpi("verify", "--quiet")[0] and "does not verify")
            subprocess.run(["rm", "-rf", str(other.folder)], check=True)
        subprocess.run(["rm", "-rf", str(site.folder)], check=True)
    print(f"{count} backups over runs of {seconds:.2f} s, {max(sizes, default=0):,} bytes at most, each restored and checked in "
          f"{sum(durations) / max(1, len(durations)):.2f} s; exports of the run in the store (of {len(digests) - 1}):")
    for (place, stale), number in sorted(found.items(), key=str):
        print(f"  {number:4}  {place}, {stale}")
    checks.hold("the moments", len(found) < 3 and backups >= 12 and "backups met too few states")
    return done


def first_night(folder):
    """A site whose store is still to be made. It has a key: with another one the store would have another digest."""
    site = Site.made(folder, OPEN_NIGHT)
    site.key.write_bytes(os.urandom(32))
    site.key.chmod(0o600)
    for number in range(2):
        sample(site.inbox / f"trips-{number}.csv", ROWS, seed=number + 1)
    return site


# Disturbed calls.

class Scene:
    """A command, what it finds, and the store's digests before and after it.

    `held`: the audience whose set is held in the backup."""
    def __init__(self, name, site, words, old, new, held=None):
        self.name, self.site, self.words, self.old, self.new, self.held = name, site, words, old, new, held
        self.calls, self.expected = [], None


class Point:
    def __init__(self, scene, fault, call):
        self.scene, self.fault, self.call = scene, fault, call

    def __str__(self):
        return f"{self.scene.name}, {self.fault} at {self.call.name} {self.call.number} ({short(self.call.what)})"


def paths_of(site, scene):
    """The site at another place, with its paths."""
    if (site.folder / "keys").exists():
        site.store, site.reports, site.key = site.folder / "here/trips.db", site.folder / "out", site.folder / "keys/own.key"
    return site


def held_site(start, folder):
    site = start.copied(folder, start.epoch)
    site.succeed("publish", "--rollback", "--hold", "--audience", "release", "--to",
                 (site.published("release") / "current").resolve().name)
    return site


def other_log(folder, start):
    """A site with a store and an audit log of its own, and with the key of the backup."""
    site = elsewhere(folder, start)
    (site.folder / "keys/own.key").write_bytes(start.key.read_bytes())
    (site.folder / "keys/own.key").chmod(0o600)
    site.succeed("load", "--quiet", "inbox/trips-1.csv")
    return site


def beginning_of_log(folder, start):
    """A site with the first entries of the backup's audit log, and their head."""
    site = elsewhere(folder, start)
    lines = (start.store.parent / (start.store.name + ".audit.jsonl")).read_bytes().splitlines(keepends=True)
    kept, last = b"".join(lines[:2]), lines[1]
    site.log.parent.mkdir(mode=0o700)
    head = {"sequence": json.loads(last)["sequence"], "line": 2, "sha256": hashlib.sha256(last.rstrip(b"\n")).hexdigest(),
            "start": len(kept) - len(last), "end": len(kept)}
    for path, content in ((site.log, kept), (pathlib.Path(f"{site.log}.head"), json.dumps(head).encode() + b"\n")):
        path.write_bytes(content)
        path.chmod(0o600)
    return site


def scenes(start, done, folder):
    """Backups are made before the second night; the store of `restore --replace` is the one after it."""
    tar, held_tar, secret = folder / "second.tar", folder / "held.tar", start.folder / SECRET
    start.succeed("backup", tar, "--seal-with", secret_of(start))
    held_site(start, folder / "held").succeed("backup", held_tar, "--seal-with", secret)
    old, new = done.digest(), start.digest()
    other = other_log(folder / "other-log", start)
    return [
        Scene("restore --replace", done, ("restore", tar, "--replace", "--quiet"), old, new),
        Scene("restore elsewhere", elsewhere(folder / "empty", start),
              ("restore", tar, "--quiet", "--seal-with", secret), None, new),
        Scene("restore of a held release", elsewhere(folder / "empty-2", start),
              ("restore", held_tar, "--quiet", "--seal-with", secret), None, new, held="release"),
        Scene("restore beside another log", other, ("restore", tar, "--replace", "--quiet"), other.digest(), new),
        Scene("restore over the beginning of the log", beginning_of_log(folder / "beginning", start),
              ("restore", tar, "--quiet", "--seal-with", secret), None, new),
        Scene("backup", start, ("backup", "made.tar", "--quiet"), new, new),
    ]


def names(site):
    """The names of all files but the lock and the index of a log, which SQLite makes again, without times."""
    return sorted(re.sub(r"\d{8}T\d{6}Z(?!-)", "T", str(path.relative_to(site.folder)))
                  for path in site.folder.rglob("*") if not path.is_dir() and not path.name.endswith((".lock", "-shm")))


def left_state(site, scene):
    return {"store": site.digest(), "names": names(site),
            "sets": {audience: site.current(audience) for audience in AUDIENCES}}


def prepare(scene, folder):
    counting = paths_of(scene.site.copied(folder / "count", SECOND_NIGHT), scene)
    code, messages, lines = traced(counting, scene.words, folder / "trace")
    if code != 0:
        sys.exit(f"{scene.name}: an undisturbed command ended with {code}:\n{messages[-2000:]}")
    scene.calls, _ = counted(lines)
    scene.expected = left_state(counting, scene)
    if counting.tripkpi("verify", "--quiet")[0]:
        sys.exit(f"{scene.name}: what an undisturbed command leaves does not verify")


def disturb(point, folder):
    """Whether the call was reached, the code, and what is wrong."""
    scene, call = point.scene, point.call
    site = paths_of(scene.site.copied(folder / "site", SECOND_NIGHT), scene)
    code, messages, lines = traced(site, scene.words, folder / "trace", "-e",
                                   f"inject={call.name}:{FAULTS[point.fault]}:when={call.number}")
    hit = [match.group(3) for line in lines if "(INJECTED)" in line and (match := STARTED.match(line))]
    fired = code == -9 if point.fault == "kill" else any(changes_a_file(call.name, what) for what in hit)
    if not fired:
        return point, False, code, []
    faults = [code == 70 and f"an internal error: {messages[-300:]}",
              re.search(r"Fatal error|crashed", messages) and f"crashed: {messages[-300:]}",
              ".tripkpi-" in messages and f"names a draft: {messages[-300:]}"]
    for audience in AUDIENCES:
        if (site.published(audience) / "current").is_symlink():
            faults.append(audience_fault(site.published(audience)))
    digest = site.digest() if site.store.exists() else None
    if digest not in (scene.old, scene.new):
        faults.append("the store is neither the old one nor the new one")
    if scene.name == "backup":
        return point, True, code, faults + after_a_backup(site, scene, folder)
    copy = paths_of(site.copied(folder / "next", SECOND_NIGHT), scene)
    if digest is not None:
        ended, _, messages = copy.tripkpi("run", "--quiet")
        # Elsewhere, the links by which readers find the sets may be missing yet.
        faults.append(ended and f"a run instead ended with {ended}: {messages[-300:]}")
        if scene.held:
            shown = copy.published(scene.held) / "current"
            faults.append(shown.is_symlink() and copy.current(scene.held) != scene.expected["sets"][scene.held]
                          and "a run instead published over the held set")
            faults.append(not (copy.published(scene.held) / ".held").exists() and "the hold is lost")
    ended, _, messages = site.tripkpi(*scene.words)
    if ended != 0:
        return point, True, code, faults + [f"the same again ended with {ended}: {messages[-300:]}"]
    found = left_state(site, scene)
    faults += [f"after the same again: {part} differ: {set(map(str, found[part])) ^ set(map(str, scene.expected[part])) if part == 'names' else ''}"
               for part in found if found[part] != scene.expected[part]]
    asides = [path for path in site.store.parent.glob("*.before-restore-*") if not path.name.endswith((".head", "-wal", "-shm"))]
    if scene.old is not None:
        kept = [aside for aside in asides if site.succeed("verify", "--digest", "--store", aside)[0].strip() == scene.old]
        faults.append(len(kept) != 1 and f"the old store is kept {len(kept)} times")
    faults.append(site.tripkpi("verify", "--quiet")[0] and "does not verify")
    return point, True, code, faults


def after_a_backup(site, scene, folder):
    """A file is there whole or not at all; the next backup is written, and cleans up."""
    faults = []
    path = site.folder / "made.tar"
    if path.exists():
        faults.append(site.tripkpi("restore", "made.tar", "--check")[0] and "a file that is not whole has its name")
        path.unlink()
    ended, _, messages = site.tripkpi(*scene.words)
    faults.append(ended and f"the next one ended with {ended}: {messages[-300:]}")
    # One that was killed before it had made the lock in its folder is let be for a minute: it may be about to.
    left = [path.name for path in site.folder.glob(".tripkpi*") if any(path.iterdir())]
    return faults + [left and f"left: {left}", names(site) != scene.expected["names"] and "left other files"]


def check_disturbed(checks, start, done, folder):
    if why := obstacle(folder):
        Checks.skip("disturbed backups and restores", why)
        return
    all_scenes = scenes(start, done, folder)
    for scene in all_scenes:
        prepare(scene, folder)
    points = [[Point(scene, fault, call) for fault in FAULTS for call in scene.calls] for scene in all_scenes]
    # Of each scene as many, of other kinds before more of the same.
    each = "all" if POINTS == "all" else -(-int(POINTS) // len(points))
    picked = [point for own in points for point in chosen(own, each, "")]
    reached = collections.Counter()
    for point, fired, code, faults in each_in_a_place(picked, folder, disturb, lambda point, text: (point, True, 0, [text])):
        if fired:
            reached[(point.scene.name, point.fault, code)] += 1
            checks.hold(str(point), *faults)
    for scene in all_scenes:
        checks.hold(f"{scene.name}: disturbed calls", not any(name == scene.name for name, _, _ in reached) and "none was reached")
    print(f"{len(picked)} of {sum(map(len, points))} disturbed calls, {sum(reached.values())} reached, {PARALLEL} at a time:")
    for (name, fault, code), number in sorted(reached.items()):
        print(f"  {number:4}  {name}, {fault}: ended with {code}")


def check_without_hard_links(checks, start, done, folder):
    """A file system without hard links is found before any work, and is no matter of rights (EPERM, 77)."""
    if why := obstacle(folder):
        Checks.skip("file systems without hard links", why)
        return
    start.succeed("backup", folder / "links.tar")
    for name, site, words in (("backup", start, ("backup", "made.tar")),
                              ("restore --replace", done, ("restore", folder / "links.tar", "--replace"))):
        site = site.copied(folder / "links", SECOND_NIGHT)
        before = names(site), site.digest(), log_facts(site.store.parent / (site.store.name + ".audit.jsonl"))
        code, messages, lines = traced(site, words, folder / "trace", "-e", "inject=link,linkat:error=EPERM")
        after = names(site), site.digest(), log_facts(site.store.parent / (site.store.name + ".audit.jsonl"))
        target = "made.tar" if name == "backup" else str(site.store)
        checks.hold(f"{name} without hard links", code != 74 and f"ended with {code}",
                    not any("(INJECTED)" in line for line in lines) and "no link was made",
                    "its file system has no hard links" not in messages and f"says {messages[-300:]}",
                    target not in messages and f"does not name {target}", before != after and "changed something",
                    any("store.sqlite" in line for line in lines) and "worked before")


def check_form(checks, start, folder):
    """Another program reads the file: names, sizes, modes, and the hashes of the manifest."""
    path = folder / "form.tar"
    start.succeed("backup", path)
    listed = subprocess.run(["tar", "tf", str(path)], stdout=subprocess.PIPE, text=True, check=False)
    with tarfile.open(path) as tar:
        members = tar.getmembers()
        manifest = json.loads(tar.extractfile("manifest.json").read())
        faults = [(file["name"], file["bytes"], file["sha256"]) != (
            member.name, member.size, hashlib.sha256(tar.extractfile(member).read()).hexdigest())
            for file, member in zip(manifest["files"], members[1:])]
    checks.hold("the file's form", listed.returncode and "tar cannot list it",
                listed.stdout.split() != [member.name for member in members] and "tar and Python list other names",
                len(members) != len(manifest["files"]) + 1 and "the manifest names other files",
                any(faults) and "a file is not what the manifest says",
                any(member.mode != 0o600 or not member.isreg() for member in members) and "a mode or a type is another one",
                path.stat().st_mode & 0o777 != 0o600 and "others may read it")


def main():
    checks, chance = Checks(), random.Random(SEED)
    with tempfile.TemporaryDirectory(prefix="tripkpi-backup-") as folder:
        folder = pathlib.Path(folder)
        start = two_nights(folder / "start", ROWS)
        done = check_moments(checks, folder, chance, start, BACKUPS)
        # The first load of a store keeps readers out while it commits (75), and before it there is nothing (66).
        (folder / "first").mkdir()
        check_moments(checks, folder / "first", chance, first_night(folder / "first/start"), BACKUPS // 3, refusals=(66, 75))
        check_form(checks, start, folder)
        (folder / "points").mkdir()
        check_without_hard_links(checks, start, done, folder)
        check_disturbed(checks, start, done, folder / "points")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
