#!/usr/bin/env python3
"""Files and folders: modes of all that `tripkpi` writes under three umasks, and tricks with links, keys and owners.

A trick succeeds if a file that is not the program's is changed, read out or given more readers, or if a run takes for its
own what another user may have put there. Tricks with other users need root; elsewhere they are skipped.
The last line is `N passed, N failed`.
"""
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

from nightly_site import AUDIENCES, SETTINGS, VALUES, Checks, Site, sample

IS_ROOT = os.geteuid() == 0
NOBODY = 65534
MORE = """trips_feed: limited-data-set
crosswalk: {file: walk/trips.crosswalk, key_file: walkkey/crosswalk.key}
"""
# What lies where, and its mode; the first pattern that fits counts. What fits none should not be there.
MODES = (
    ("store", 0o700), ("store/*", 0o600), ("key/*", 0o600), ("walk", 0o700), ("walk/*", 0o600), ("walkkey", 0o700),
    ("walkkey/*", 0o600), ("metrics/*", 0o640), ("reports", 0o750), ("reports/published", 0o750),
    ("reports/published/*", 0o750), ("reports/published/*/runs", 0o750), ("reports/published/*/runs/*", 0o750),
    ("reports/published/*/runs/*/*", 0o640),
    ("out/*", 0o600))
OURS = {"tripkpi.yaml", "inbox", "key", "metrics", "out", "victim", "victim-folder"}
VICTIM = b"nobody may change this 0123456789"


def made(folder, rows=400):
    """A site whose folders the program makes itself, but for those that settings name."""
    site = Site(folder)
    for part in ("inbox", "key", "metrics", "out", "walkkey"):
        (site.folder / part).mkdir(parents=True)
    for part in ("key", "walkkey", "out"):
        (site.folder / part).chmod(0o700)
    (site.folder / "tripkpi.yaml").write_text(SETTINGS + MORE, encoding="utf-8")
    sample(site.inbox / "trips.csv", rows, seed=1)
    (site.folder / "victim").write_bytes(VICTIM)
    return site


def wrong_modes(folder):
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if name.parts[0] in ("inbox",) or str(name) in OURS or path.is_symlink():
            continue
        mode = stat.S_IMODE(path.stat().st_mode)
        expected = next((mode for pattern, mode in MODES if name.match(pattern) and len(name.parts) == len(
            pathlib.PurePath(pattern).parts)), None)
        if mode != expected:
            yield f"{name} has {mode:04o}, not {expected if expected is None else f'{expected:04o}'}"


def under_umask(checks, folder, umask):
    before = os.umask(umask)
    try:
        site = made(folder)
        site.succeed("run")
        for name in ("a.csv", "a.json", "a.ndjson", "a.xlsx"):
            site.succeed("report", "--release", "--output", f"out/{name}", "--quiet")
            site.succeed("scan", "inbox/trips.csv", "--internal", "--output", f"out/internal-{name}", "--quiet")
        for name in ("t.csv", "t.ndjson.gz"):
            site.succeed("trips", "--output", f"out/{name}", "--quiet")
        sample(site.inbox / "more.csv", 200, seed=2)
        for words in (("run", "--log-format", "json"), ("key", "rotate"), ("publish", "--rollback"), ("publish",)):
            site.tripkpi(*words)
        checks.hold(f"modes under umask {umask:03o}", *list(wrong_modes(site.folder))[:5],
                    (site.folder / "victim").read_bytes() != VICTIM and "a file of somebody else changed")
    finally:
        os.umask(before)


class Tricks:
    def __init__(self, checks, start, folder):
        self.checks, self.start, self.folder = checks, start, folder

    def play(self, what, prepare, words, codes, says="", prefix=(), also=lambda site: ()):
        """One trick on a copy of a site: the exit code, what is said, and that the victim is as it was."""
        site = self.start.copied(self.folder)
        prepare(site)
        site.prefix = list(prefix)
        victim = site.folder / "victim"
        mode = victim.stat().st_mode
        process = site.start(*words)
        try:
            output, messages = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.checks.hold(what, "it hangs")
            return
        code = process.returncode
        self.checks.hold(
            what, code not in codes and f"ended with {code}, not {sorted(codes)}: {messages[-300:]}",
            says and says not in messages and f"does not say “{says}”: {messages[-300:]}",
            victim.read_bytes() != VICTIM and "the victim was changed",
            victim.stat().st_mode != mode and "the victim's mode was changed",
            VICTIM.decode() in output + messages and "the victim was read out",
            VALUES.search(messages) and "a message holds a value of a record", *also(site))


def link(path, target="victim"):
    def prepare(site):
        place = site.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists() and not place.is_dir():
            place.unlink()
        place.symlink_to(site.folder / target)
    return prepare


def second_name(path, replaces=True):
    """A hard link: another name for the victim where the program would write, or for the program's own file."""
    def prepare(site):
        place = site.folder / path
        if replaces:
            place.unlink(missing_ok=True)
            os.link(site.folder / "victim", place)
        else:
            os.link(place, site.folder / "second-name")
    return prepare


def mode(path, bits):
    return lambda site: (site.folder / path).chmod(bits)


def owner(path, user=NOBODY):
    return lambda site: os.chown(site.folder / path, user, user)


def links(play):
    for name in ("json", "csv", "xlsx"):
        play(f"a report to a link ({name})", link(f"out/r.{name}"), ("report", "--release", "--output", f"out/r.{name}"), {73, 77},
             "symbolic link")
        play(f"a report to a second name ({name})", second_name(f"out/r.{name}"),
             ("report", "--release", "--output", f"out/r.{name}"), {0})
    play("rows to a link", link("out/t.csv"), ("trips", "--output", "out/t.csv"), {73, 77}, "symbolic link")
    play("rows to a second name", second_name("out/t.csv"), ("trips", "--output", "out/t.csv"), {0})
    play("a link to nothing", link("out/r.csv", "nowhere"), ("report", "--release", "--output", "out/r.csv"), {73, 77},
         also=lambda site: ((site.folder / "nowhere").exists() and "it was made where the link leads",))
    run = ("run",)
    play("metrics are a link", link("metrics/tripkpi.prom"), run, {0})
    play("metrics are a second name", second_name("metrics/tripkpi.prom"), run, {0})
    play("the draft of rows is a link", link("reports/published/.trips.part"), run, {0, 73, 77})
    play("the lock is a link", link("store/tripkpi.sqlite.lock"), run, {73, 74, 77})
    play("the store is a link", link("store/tripkpi.sqlite"), run, {77}, "symbolic link")
    play("the store has a second name", second_name("store/tripkpi.sqlite", replaces=False), run, {77}, "second name")
    play("the log of the store is a link", link("store/tripkpi.sqlite-wal"), run, {0, 73, 74, 77})
    play("the audit log is a link", link("store/tripkpi.sqlite.audit.jsonl"), run, {77}, "symbolic link")
    play("the audit log has a second name", second_name("store/tripkpi.sqlite.audit.jsonl", replaces=False), run, {77},
         "hard link")
    play("the head of the audit log is a link", link("store/tripkpi.sqlite.audit.jsonl.head"), run, {65, 74, 77})
    play("the crosswalk is a link", link("walk/trips.crosswalk"), run, {66, 74, 77, 78})
    play("the key is a link", link("key/trips.key"), run, {78}, "symbolic link")
    play("the key of the crosswalk is a link", link("walkkey/crosswalk.key"), run, {77, 78})
    for audience in AUDIENCES:
        play(f"the {audience} draft of rows is a link", link(f"reports/published/{audience}/.trips.part"), run, {0, 73, 77})
        for part in ("", "/runs"):
            play(f"the folder of {audience}{part} is a link", replaced_by_link(f"reports/published/{audience}{part}"), run,
                 {0, 73, 77}, also=untouched)
        play(f"the current set of {audience} is a folder", lambda site: (
            (site.published(audience) / "current").unlink(), (site.published(audience) / "current").mkdir()),
             run, {73, 74, 77})


def replaced_by_link(path):
    """A folder of the program becomes a link to a folder of somebody else."""
    def prepare(site):
        shutil.rmtree(site.folder / path)
        (site.folder / "victim-folder").mkdir()
        link(path, "victim-folder")(site)
    return prepare


def untouched(site):
    code, _, messages = site.tripkpi("verify")
    left = sorted(path.name for path in (site.folder / "victim-folder").iterdir())
    # A run may refuse the link, or publish through it a set that is whole.
    return (left and code and f"left {left[:3]} behind, and verify ended with {code}: {messages[-200:]}",)


def inboxes(play):
    run = ("run",)
    play("a link in the inbox to what is no export", link("inbox/link.csv"), run, {65})
    play("a link in the inbox to the key", link("inbox/link.csv", "key/trips.key"), run, {65})
    play("a link in the inbox to itself", link("inbox/loop.csv", "inbox/loop.csv"), run, {65, 66, 74})
    play("a link in the inbox to a device", lambda site: (site.inbox / "zero.csv").symlink_to("/dev/zero"), run, {65, 74})
    play("a pipe in the inbox", lambda site: os.mkfifo(site.inbox / "pipe.csv"), run, {65, 74})
    play("a link in the inbox to a folder", link("inbox/folder", "key"), run, {0, 65, 78})


def modes(play):
    run = ("run",)
    for bits in (0o644, 0o640, 0o604, 0o666, 0o620):
        play(f"a key of mode {bits:o}", mode("key/trips.key", bits), run, {77}, "chmod 600")
    play("a crosswalk key of mode 644", mode("walkkey/crosswalk.key", 0o644), run, {77})
    play("a crosswalk of mode 644", mode("walk/trips.crosswalk", 0o644), run, {77})
    play("an audit log that others may write", mode("store/tripkpi.sqlite.audit.jsonl", 0o622), run, {77})
    for place in ("store", "reports/published", *(f"reports/published/{audience}" for audience in AUDIENCES)):
        play(f"{place} that everybody may write", mode(place, 0o777), run, {77}, "chmod o-w")
        play(f"{place} with the sticky bit", mode(place, 0o1777), run, {0})
    play("doctor names a folder that everybody may write", mode("store", 0o777), ("doctor",), {77})
    play("doctor names a key that others may read", mode("key/trips.key", 0o644), ("doctor",), {77})


def others(play):
    run = ("run",)
    play("an inbox of another user", owner("inbox"), run, {0})
    play("an inbox that everybody may write", mode("inbox", 0o777), run, {0})
    play("a store of another user", owner("store/tripkpi.sqlite"), run, {77}, "belongs to")
    as_nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")

    def given_away(site, but=()):
        for path in [site.folder, *site.folder.rglob("*")]:
            if str(path.relative_to(site.folder)) not in but:
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)

    play("all of it is nobody's, who runs it", given_away, run, {0}, prefix=as_nobody)
    play("nobody runs with root's key", lambda site: given_away(site, ("key/trips.key",)), run, {77}, prefix=as_nobody)
    play("nobody runs with root's audit log", lambda site: given_away(site, ("store/tripkpi.sqlite.audit.jsonl",)), run,
         {77}, prefix=as_nobody)
    play("nobody runs with an inbox that may not be read", lambda site: (given_away(site), owner("inbox", 0)(site),
         mode("inbox", 0o700)(site)), run, {77}, prefix=as_nobody)
    play("root runs with a key of nobody's", owner("key/trips.key"), run, {0, 77})
    play("root runs with an audit log of nobody's", owner("store/tripkpi.sqlite.audit.jsonl"), run, {0, 77})

    def warned(site):
        _, output, _ = site.tripkpi("doctor")
        return (not any("inbox" in line and "others" in line for line in output.splitlines())
                and f"doctor does not warn: {output[-500:]}",)

    play("doctor warns of an inbox that everybody may write", mode("inbox", 0o777), ("doctor",), {0}, also=warned)
    play("doctor warns of an inbox of another user", owner("inbox"), ("doctor",), {0}, also=warned)


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="tripkpi-files-") as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        for umask in (0o000, 0o022, 0o077):
            under_umask(checks, folder / f"umask-{umask:03o}", umask)
        start = made(folder / "start")
        start.succeed("run", "--quiet")
        sample(start.inbox / "more.csv", 100, seed=2)
        play = Tricks(checks, start, folder / "trick").play
        links(play)
        inboxes(play)
        modes(play)
        if IS_ROOT:
            others(play)
        else:
            checks.skip("tricks with other users", "only root can play another user")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
