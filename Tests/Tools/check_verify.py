#!/usr/bin/env python3
"""Verifies the sets of a store that is too large to be read whole each time, and damages set and store.

    check_verify.py [ROWS]      112,000 rows

- `verify` and `verify --full` find nothing wrong; over the days each month is read;
- a changed tally, ledger or set is found each time; a changed row where its month is read, and always by --full;
- a changed row of trips.sqlite among the newest, and any by --full.
Prints what fails, then `N passed, N failed`; exit 1 if anything does.
"""
import gzip
import re
import sqlite3
import sys
import tempfile
from pathlib import Path

from nightly_site import FIRST_NIGHT, Checks, Site

checks = Checks()
MONTHS, DAY = 3, 86_400


def check(condition, message):
    checks.hold(message, None if condition else "does not hold")


def verified(site, *words):
    """Exit code, failed subjects, the months whose rows were read."""
    code, output, messages = site.tripkpi("verify", *words)
    failed = set(re.findall(r"(?m)^fail +([^:]+):", output))
    read = re.search(r"(?m)^ok +tallies: every month's is whole; ([\d, -]+) (?:is|are) ", output)
    return code, failed, read[1].split(", ") if read else [], output + messages


def damaged(site, folder, sql, *arguments):
    """A copy of the site whose store was changed past tripkpi."""
    copy = site.copied(folder, site.epoch)
    with sqlite3.connect(copy.store) as db:
        changed = db.execute(sql, arguments).rowcount
    check(changed > 0, f"{sql}: it changes something")
    return copy


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 112_000
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        site = Site.made(folder / "site", FIRST_NIGHT)
        with open(site.folder / "tripkpi.yaml", "a", encoding="utf-8") as settings:
            settings.write("trips_feed: limited-data-set\nstaff_workbooks: false\n")
        site.succeed("sample", "--messy", "--rows", rows, "--months", MONTHS, "--from", "2025-12", "--seed", "5", "--output", "inbox/trips.csv")
        site.succeed("run")

        with sqlite3.connect(site.store) as db:
            months = [month for month, in db.execute("SELECT month FROM month_tallies ORDER BY month")]
        turns = {}
        for day in range(len(months)):
            site.epoch = FIRST_NIGHT + day * DAY
            code, failed, read, text = verified(site)
            check(code == 0 and not failed and len(read) == 1, f"day {day}: nothing is wrong, and one month is read: {text[-400:]}")
            turns.update(dict.fromkeys(read, day))
        check(len(turns) == len(months), f"each month has its turn: {turns}")
        code, failed, read, text = verified(site, "--full")
        check(code == 0 and not failed and not read, f"--full: nothing is wrong: {text[-400:]}")
        site.epoch = FIRST_NIGHT

        # What is found on every day.
        for name, subjects, sql in (
            ("a tally", {"tallies", "store"}, "UPDATE month_tallies SET body = substr(body, 1, 100) WHERE month = (SELECT max(month) FROM month_tallies)"),
            ("the ledger", {"store", "checks"}, "UPDATE exports SET records_rejected = records_rejected + 1"),
            ("a stale tally", {"tallies", "store"}, "UPDATE month_tallies SET is_stale = 1"),
        ):
            copy = damaged(site, folder / "copy", sql)
            code, failed, _, text = verified(copy)
            check(code == 65 and failed & subjects, f"{name} was changed: {code} {failed} {text[-300:]}")

        # A row: by the month that is read, else by --full.
        for place, number in enumerate(months[:2]):
            copy = damaged(site, folder / "copy", "UPDATE trips SET response = 60 WHERE status = 0 AND month = ?", number)
            names = sorted(turns)
            copy.epoch = FIRST_NIGHT + turns[names[place]] * DAY
            code, failed, read, text = verified(copy)
            check(code == 65 and failed & {"SQL", "tallies", "store"}, f"rows of {names[place]}, on its day ({read}): {code} {failed}")
            if place == 0:
                copy.epoch += DAY
                code, failed, _, _ = verified(copy, "--full")
                check(code == 65 and failed & {"SQL", "tallies", "store"}, f"rows of {names[place]}, --full: {code} {failed}")

        # The published rows.
        current = (site.published() / "current").resolve()
        with gzip.open(current / "trips.ndjson.gz", "rt", encoding="utf-8") as file:
            dates = sorted((line.split('"date":"')[1][:10], line.split('"id":"')[1][:32]) for line in list(file)[1:])
        for name, (_, trip), is_found in (("the newest", dates[-1], True), ("the oldest", dates[0], False)):
            copy = site.copied(folder / "copy", site.epoch)
            pages = (copy.published() / "current").resolve() / "trips.sqlite"
            pages.chmod(0o600)
            with sqlite3.connect(pages) as db:
                db.execute("UPDATE trips SET distance = distance + 1 WHERE id = ?", (trip,))
            # The hash of the file is wrong each time; the rows are what is asked about.
            check(("trips" in verified(copy)[1]) == is_found, f"trips.sqlite, {name} trip")
            if not is_found:
                check("trips" in verified(copy, "--full")[1], f"trips.sqlite, {name} trip, --full")
    sys.exit(checks.end())


if __name__ == "__main__":
    main()
