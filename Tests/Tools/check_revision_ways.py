#!/usr/bin/env python3
"""Histories by which single trips could be told from releases of different nights, or a month could stay as it is for ever.

Each was found by a reviewer on an earlier version of the rule (docs/decisions/0017). The check plays it on a site, takes
the numbers out of the published documents, and requires that they do not give the trip away, that publishing goes on,
and that what is corrected does reach the release.
"""
import datetime
import hashlib
import json
import pathlib
import random
import shutil
import sqlite3
import sys
import tempfile

from nightly_site import ROOT, Checks, Site
from release_data import UPDATED, text_of

NIGHTS = (1_759_968_000, 1_768_000_000, 1_776_000_000)  # in three quarters
EVENTS = ("unit_notified_at", "en_route_at", "on_scene_at", "left_scene_at", "arrived_at", "completed_at")
CORRECTED = "2025-10-02 00:00:00"


def trip(name, month="2025-01", seconds=(90, 700, 900, 1200, 1100), without=(), **fields):
    when = datetime.datetime.fromisoformat(f"{month}-15 08:00:00")
    times = [when] + [when := when + datetime.timedelta(seconds=step) for step in seconds]
    row = {"trip_id": str(name), "updated_at": UPDATED, "status": "completed", "trip_type": "X", "region": "A",
           "service_date": f"{month}-15", "hcpcs_modifiers": "QN", "loaded_miles": "5.0", "unloaded_miles": "3.0",
           "cost": "100.00", "patient_id": f"P{name}"}
    return row | {event: "" if event in without else str(time) for event, time in zip(EVENTS, times)} | fields


def trips(first, count, month="2025-01", **fields):
    return [trip(first + number, month, **fields) for number in range(count)]


def costs(seed):
    chance = random.Random(seed)
    while True:
        yield f"{chance.randrange(10_000, 90_000) / 100:.2f}"


OPEN_MONTH = trips(900_000, 15, "2025-10")
# Other values than those of the first trips: these are not the same trips under other ids.
LATER = {"seconds": (91, 705, 910, 1220, 1130), "cost": "123.45", "loaded_miles": "6.5"}


class Case:
    """A site with one history."""

    def __init__(self, checks, folder, name, settings=""):
        self.checks, self.name, self.exports = checks, name, 0
        self.site = Site.made(pathlib.Path(folder) / name.replace(" ", "-"), NIGHTS[0])
        self.site.set_lists("AB", "X", "UTC", settings)

    def load(self, rows, *words):
        self.exports += 1
        path = self.site.folder / f"export{self.exports}.csv"
        path.write_text(text_of(rows))
        self.site.succeed("load", path.name, "--quiet", *words)
        return path

    def publish(self, *words, night=None, code=0):
        """The messages."""
        self.site.epoch = self.site.epoch + 10 if night is None else NIGHTS[night]
        done, _, messages = self.site.tripkpi("publish", *words)
        self.holds(f"publish {' '.join(words)} ends with {code}", done != code and (done, messages[-300:]))
        return messages

    def cell(self, month="2025-01", region="All"):
        cells = json.loads((self.site.reports / "release/current/kpi-summary.json").read_text())["cells"]
        return next(c for c in cells if (c["month"], c["region"], c["tripType"]) == (month, region, "All"))

    def holds(self, what, *problems):
        self.checks.hold(f"{self.name}: {what}", *problems)

    def equals(self, what, found, expected):
        self.holds(what, found != expected and f"{found} instead of {expected}")

    def revised(self, rows, night=1):
        self.load(rows)
        messages = self.publish("--revise", night=night)
        self.holds("every month can be revised", "cannot be revised" in messages and messages[-300:])


def means(cell):
    return {name for name in ("duration", "response", "turnout", "scene", "transport", "turnaround")
            if cell[name]["mean"] is not None}


def other_event_pairs(case):
    """A mean that was left out, since other means add up to it, stays left out when the profile measures otherwise."""
    profile = case.site.folder / "own.yaml"
    canonical = (ROOT / "data/profiles/canonical.yaml").read_text().rstrip() + "\n"
    profile.write_text(canonical)
    rows = [trip(n, seconds=(90 + n, 700 + 3 * n, 900 + 7 * n, 1200 + n * n, 1100 + 11 * n),
                 without=("on_scene_at",) if n == 5 else ()) for n in range(12)]
    path = case.load(rows + OPEN_MONTH)
    case.publish()
    before = means(case.cell())
    case.equals("the first release", before, {"duration", "response", "turnout", "scene", "transport"})
    profile.write_text(canonical + "intervals:\n  duration: [left_scene_at, arrived_at]\n")
    case.site.succeed("load", path.name, "--replay", "--quiet")
    case.publish()
    case.holds("no mean appears", means(case.cell()) - before)


def two_event_pairs(case):
    """Of exports that measure an interval between different events, a mean is left out if it closes a circle for either."""
    profile = case.site.folder / "own.yaml"
    canonical = (ROOT / "data/profiles/canonical.yaml").read_text().rstrip() + "\n"
    profile.write_text(canonical + "intervals:\n  scene: [on_scene_at, completed_at]\n")
    case.load([trip(n, without=("on_scene_at",) if n == 5 else ()) for n in range(12)])
    profile.write_text(canonical)
    case.load(OPEN_MONTH + trips(5000, 20, "2025-02"))
    case.publish()
    case.holds("duration, response and scene are not all there", means(case.cell()) >= {"duration", "response", "scene"})


def named_patients(case):
    """A group that would have too few patients, since they are named now, stays as it is."""
    cost = costs(5)
    own = [trip(n, patient_id="", cost=next(cost)) for n in range(14)]
    others = [trip(100 + n, patient_id="", cost=next(cost), hcpcs_modifiers="QM") for n in range(30)]
    case.load(own + others + OPEN_MONTH)
    case.publish()
    first = case.cell()
    case.revised([row | {"loaded_miles": "9.0", "patient_id": f"N{row['trip_id']}", "updated_at": CORRECTED}
                  for row in own[:3] + others[:11]])
    case.revised([row | {"status": "void", "updated_at": "2025-11-01 00:00:00"} for row in own[3:]], night=2)
    left = case.cell()["trips"] - first["contracted"]
    case.holds("the last in-house trips are not told", 0 < left < 11 and f"{left} trips")


def store_of_an_earlier_version(case):
    """A month that was released before changes were kept is not revised if a trip has moved since."""
    cost = costs(2)
    rows = [trip(n, region="AB"[n >= 40], cost=next(cost)) for n in range(80)]
    case.load(rows + OPEN_MONTH)
    case.publish()
    before = case.cell(region="B")
    case.load([rows[3] | {"region": "B", "updated_at": CORRECTED}])
    with sqlite3.connect(case.site.store) as store:
        # As the upgrade leaves it: nothing is known of what has changed.
        store.execute("DELETE FROM row_digests WHERE part < -2048")
        store.execute("DELETE FROM release_changes")
    store.close()
    case.load(trips(600, 12))
    messages = case.publish("--revise", night=1)
    case.holds("it is said", "cannot be revised" not in messages and messages[-300:])
    case.equals("trips of B", case.cell(region="B")["trips"], before["trips"])


def another_store(case):
    """A store that is new releases a month again only as readers have it."""
    cost = costs(3)
    case.load([trip(n, cost=next(cost)) for n in range(40)] + OPEN_MONTH)
    case.publish()
    first = case.cell()
    for path in case.site.store.parent.glob("*"):
        path.unlink()
    shutil.copy(case.site.folder / "export1.csv", case.site.inbox)
    case.site.epoch += 10
    case.equals("the same exports", case.site.tripkpi("run", "--new-store")[0], 0)
    case.equals("the same figures", case.cell(), first)
    for path in case.site.store.parent.glob("*"):
        path.unlink()
    (case.site.inbox / "late.csv").write_text(text_of([trip(500, cost="4321.09")]))
    case.site.epoch += 10
    code, _, messages = case.site.tripkpi("run", "--new-store")
    case.holds("a late trip", (code != 65 or "has not released" not in messages) and (code, messages[-300:]))
    case.equals("readers keep what they have", case.cell(), first)


def other_ids(case):
    """A late trip does not hide among trips that were withdrawn and come again under other ids."""
    cost = costs(1)
    bills = [next(cost) for _ in range(40)]
    path = case.load([trip(n, cost=bill) for n, bill in enumerate(bills)] + OPEN_MONTH)
    case.publish()
    first = case.cell()
    case.site.succeed("load", "--withdraw", hashlib.sha256(path.read_bytes()).hexdigest()[:12], "--quiet")
    case.revised([trip(f"VA-{n}", cost=bill, patient_id=f"P{n}") for n, bill in enumerate(bills)]
                 + [trip("VA-late", cost="7777.77")] + OPEN_MONTH)
    last = case.cell()
    case.equals("trips", last["trips"], first["trips"])
    case.equals("cost", last["totalCost"], first["totalCost"])


def patients_with_invoices(case):
    """First costs that come with a few patients do not end publishing."""
    case.load(trips(0, 40, patient_id="", cost="") + trips(900_000, 15, "2025-10", patient_id=""))
    case.publish()
    case.revised([trip(n, patient_id=f"N{n}" if n < 5 else "", updated_at=CORRECTED) for n in range(20)])
    case.publish()


def one_patient_with_invoices(case):
    case.load(trips(0, 12, cost="") + OPEN_MONTH)
    case.publish()
    case.revised(trips(0, 12, patient_id="P7", updated_at=CORRECTED))
    case.publish()


def emptied_month(case):
    """All trips of the last released month are void."""
    case.load(trips(0, 80) + trips(300, 20, "2025-02") + OPEN_MONTH)
    case.publish()
    case.revised(trips(300, 20, "2025-02", status="void", updated_at=CORRECTED))
    case.equals("trips", case.cell("2025-02")["trips"], 0)
    case.publish()


def moved_before_the_release(case):
    """A late trip goes on to a month that is released afterwards; late trips of that month are added all the same."""
    case.load(trips(0, 40) + trips(100, 20, "2025-08") + trips(200, 30, "2025-09"))
    case.publish()
    case.load([trip(500, "2025-08")])
    case.load([trip(500, "2025-09", updated_at=CORRECTED)])
    case.load(OPEN_MONTH)
    case.publish()
    case.equals("September", case.cell("2025-09")["trips"], 31)
    case.revised(trips(700, 12))
    case.revised(trips(800, 15, "2025-09"), night=2)
    case.equals("September with late trips", case.cell("2025-09")["trips"], 46)


def hidden_trip_moves(case):
    """A cancelled trip, of too few to be shown, is completed in another month."""
    case.load(trips(0, 40) + trips(100, 40, "2025-02") + trips(300, 5, status="cancelled") + OPEN_MONTH)
    case.publish()
    case.revised([trip(300, "2025-02", updated_at=CORRECTED)] + trips(400, 11, "2025-02"))
    case.equals("February", case.cell("2025-02")["trips"], 52)
    case.revised(trips(500, 15), night=2)
    case.equals("January", case.cell()["trips"], 55)


def become_cancelled(case):
    """Completed trips that are cancelled leave, though cancelled trips are not shown."""
    case.load(trips(0, 80) + OPEN_MONTH)
    case.publish()
    case.revised(trips(0, 30, status="cancelled", updated_at=CORRECTED))
    case.equals("completed trips", case.cell()["trips"], 50)


def few_of_another_sourcing(case):
    """Ten trips that go from in-house to contracted wait; with an eleventh they are taken up."""
    case.load(trips(0, 40) + trips(100, 40, hcpcs_modifiers="QM") + OPEN_MONTH)
    case.publish()
    case.revised(trips(0, 10, hcpcs_modifiers="QM", updated_at=CORRECTED))
    case.equals("ten wait", (case.cell()["inHouse"], case.cell()["contracted"]), (40, 40))
    case.revised(trips(10, 1, hcpcs_modifiers="QM", updated_at=CORRECTED), night=2)
    case.equals("eleven", (case.cell()["inHouse"], case.cell()["contracted"]), (29, 51))


def month_of_one_population(case):
    """A month with too few contracted trips is never divided by sourcing: readers have its total."""
    case.load(trips(0, 40) + trips(100, 5, hcpcs_modifiers="QM") + OPEN_MONTH)
    case.publish()
    case.equals("the first release", (case.cell()["trips"], case.cell()["inHouse"]), (45, None))
    case.revised(trips(200, 30, hcpcs_modifiers="QM", **LATER))
    case.equals("with more contracted trips", (case.cell()["trips"], case.cell()["inHouse"]), (75, None))


def unclassified_that_wait(case):
    """Unclassified trips that were too few when their month was released stay unpublished."""
    case.load(trips(0, 40) + trips(100, 5, hcpcs_modifiers="") + OPEN_MONTH)
    case.publish()
    cell = case.cell()
    case.equals("five are not published", (cell["trips"], cell["complete"], cell["unclassified"]), (40, False, None))
    case.revised(trips(200, 10, hcpcs_modifiers="", **LATER))
    cell = case.cell()
    case.equals("nor are fifteen", (cell["trips"], cell["complete"], cell["unclassified"]), (40, False, None))


OWN_PROFILE = (other_event_pairs, two_event_pairs)
ALL = OWN_PROFILE + (named_patients, few_of_another_sourcing, month_of_one_population, unclassified_that_wait,
                     store_of_an_earlier_version, another_store, other_ids, patients_with_invoices, one_patient_with_invoices, emptied_month, moved_before_the_release, hidden_trip_moves, become_cancelled)


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        for history in ALL:
            name = history.__name__.replace("_", " ")
            case = Case(checks, folder, name, "profile: own.yaml\n" if history in OWN_PROFILE else "")
            history(case)
            code, _, messages = case.site.tripkpi("verify")
            case.holds("verify", code not in (0,) and messages[-300:])
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
