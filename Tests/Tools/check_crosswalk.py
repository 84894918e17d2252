#!/usr/bin/env python3
"""`kill -9` at many instants of `tripkpi load` with a crosswalk, and of `tripkpi key rotate`.

After each kill the crosswalk must be whole and have all trips of the store, the same command must then end as if nothing
had happened, and the public ids must name the same trips. CHECK_CROSSWALK_KILLS says how many kills of each (9; 150 by
hand), CHECK_SEED which. The last line is `N passed, N failed`.
"""
import collections
import contextlib
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time

from nightly_site import Checks, Site, sample

KILLS = int(os.environ.get("CHECK_CROSSWALK_KILLS", "9"))
SEED = int(os.environ.get("CHECK_SEED", "3"))
ROWS = int(os.environ.get("CHECK_ROWS", "20000"))
LOAD = ("load", "--quiet", "inbox/trips-1.csv")
ROTATE = ("key", "rotate", "--quiet")


def entries(site):
    """How many trips' identifiers the crosswalk has; raises if it is not whole."""
    return int(site.succeed("crosswalk", "check")[0].split(":")[1].split()[0])


def public_facts(site):
    """Public id → what its trip says, but for pseudonyms."""
    with contextlib.closing(sqlite3.connect(f"file:{site.store}?mode=ro", uri=True)) as store:
        return {(high, low): facts for high, low, *facts in store.execute(
            "SELECT id_high, id_low, month, day, cost_cents, region, recorded.updated_at, record_offset"
            " FROM public_ids JOIN trips AS recorded USING (key_high, key_low)")}


def give_public_ids(site, chance):
    with contextlib.closing(sqlite3.connect(site.store)) as store, store:
        keys = store.execute("SELECT key_high, key_low FROM trips").fetchall()
        store.executemany("INSERT INTO public_ids (key_high, key_low, id_high, id_low) VALUES (?, ?, ?, ?)", [
            (*key, chance.getrandbits(63), chance.getrandbits(63)) for key in chance.sample(keys, 500)])


def made(folder, chance):
    site = Site.made(folder)
    (site.folder / "keys").mkdir(mode=0o700)
    with open(site.folder / "tripkpi.yaml", "a", encoding="utf-8") as settings:
        settings.write("crosswalk: {file: walk/trips.crosswalk, key_file: keys/crosswalk.key}\n")
    for number in range(2):
        sample(site.inbox / f"trips-{number}.csv", ROWS, seed=number + 1)
    site.succeed("load", "--quiet", "inbox/trips-0.csv")
    give_public_ids(site, chance)
    return Site(site.folder)


def seconds_of(site, words):
    began = time.monotonic()
    site.succeed(*words)
    return time.monotonic() - began


def killed(site, words, seconds):
    process = site.start(*words)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return process.returncode == -signal.SIGKILL


def layers_of(site):
    """How many layers the key has: 32 bytes each. The file of a rotated key ends with a mark of 32 more."""
    parts = site.key.stat().st_size // 32
    return parts if parts == 1 else parts - 1


def main():
    checks, chance, found = Checks(), random.Random(SEED), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="tripkpi-crosswalk-") as folder:
        folder = pathlib.Path(folder)
        start = made(folder / "start", chance)
        before, few = start.digest(), entries(start)
        ids = public_facts(start)
        done = start.copied(folder / "done")
        load_seconds = seconds_of(done, LOAD)
        after, all_of_them = done.digest(), entries(done)
        checks.hold("crosswalk", all_of_them <= few and "the second export brought nothing")
        for number in range(KILLS):
            site = start.copied(folder / "killed")
            what = f"kill {number} of a load"
            was_killed = killed(site, LOAD, load_seconds * chance.random())
            digest, count = site.digest(), entries(site)
            is_in = digest == after
            torn = (site.folder / "walk/trips.crosswalk").stat().st_size
            found[("in the store" if is_in else "not in the store", "killed" if was_killed else "ended")] += 1
            checks.hold(what, digest not in (before, after) and "the store has a part of the export",
                        count < (all_of_them if is_in else few) and f"{count} entries, {torn} bytes")
            site.succeed(*LOAD)
            checks.hold(what, site.digest() != after and "the next load ends otherwise",
                        entries(site) < all_of_them and "trips are missing in the crosswalk")
        report = ("report", "--internal", "--format", "csv")
        figures = done.succeed(*report)[0]
        ids = public_facts(done)
        rotate_seconds = seconds_of(done.copied(folder / "rotated"), ROTATE)
        for number in range(KILLS):
            site = done.copied(folder / "killed")
            what = f"kill {number} of a rotation"
            was_killed = killed(site, ROTATE, rotate_seconds * chance.random())
            layers = layers_of(site)
            found[(f"a key of {layers} layers", "killed" if was_killed else "ended")] += 1
            site.succeed(*LOAD)
            checks.hold(what, public_facts(site) != ids and "public ids name other trips")
            site.succeed(*ROTATE)
            checks.hold(what, public_facts(site) != ids and "public ids name other trips",
                        site.succeed(*report)[0] != figures and "figures have changed",
                        entries(site) != all_of_them and "the crosswalk has changed",
                        layers_of(site) != layers + 1 and "not rotated once more")
        shutil.rmtree(folder / "killed", ignore_errors=True)
    print(f"{2 * KILLS} kills, seed {SEED}; afterwards: " + ", ".join(
        f"{count} × {' '.join(state)}" for state, count in sorted(found.items())))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
