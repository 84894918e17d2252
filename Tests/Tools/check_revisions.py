#!/usr/bin/env python3
"""Revisions of the release against a second implementation, over random histories.

A site loads months of trips, publishes, and then gets late trips, corrections, voided trips and trips that move between
regions, types and months. Each step publishes, some with `--revise`, some in a later quarter. The reference keeps, trip by
trip, what the release counts, decides by itself which groups get late trips (SPEC §5.3.6), and requires each number and
flag of the published document to match. Nothing else may ever change: what a revision adds to a group has, of each published
measure and part, no trip or at least 11 trips of 11 patients.

TRIPKPI_HISTORIES says how many (12; 300 by hand), TRIPKPI_SEED which ones.
"""
import collections
import os
import pathlib
import random
import sys
import tempfile

from check_partition import differences
from nightly_site import Checks, Site
from release_data import Habits, Population, counted, document, months_from, row, text_of
from release_partition import CLASSES, INTERVALS, Group, Release, Table, people

HISTORIES = int(os.environ.get("TRIPKPI_HISTORIES", "12"))
SEED = int(os.environ.get("TRIPKPI_SEED", "7"))
THRESHOLD = 11
STATUSES = ("completed", "cancelled", "no_show")
QUARTERS = (1_759_968_000, 1_768_000_000, 1_776_000_000)  # October 2025, January and April 2026


def features(trip, status):
    """Measures and parts that a trip has a value of."""
    if status != "completed":
        return {"trips"}
    parts = [trip.sourcing] + (["others"] if trip.sourcing != "inHouse" else [])
    found = {"trips", *parts}
    if trip.cents is not None:
        found |= {("cost", part) for part in ["all", *parts]}
    found |= {name for name in ("loaded", "unloaded") if getattr(trip, name) is not None}
    return found | {("interval", place) for place, value in enumerate(trip.seconds) if value is not None}


def figures(trips):
    """All that the release could publish of some trips."""
    trips = list(trips)
    with_both = [t for t in trips if t.cents is not None and t.loaded]
    return (collections.Counter(t.sourcing for t in trips), collections.Counter((t.sourcing, t.cents is None) for t in trips),
            [sum(t.cents or 0 for t in trips if t.sourcing == name) for name in CLASSES],
            [(sum(t.loaded or 0 for t in trips), sum(t.loaded is not None for t in trips)),
             (sum(t.unloaded or 0 for t in trips), sum(t.unloaded is not None for t in trips))],
            (len(with_both), sum(t.cents for t in with_both), sum(t.loaded for t in with_both)),
            [collections.Counter(t.seconds[place] for t in trips) for place in range(6)])


def is_enough(trips):
    named = people(trips)
    return len(trips) >= THRESHOLD and (named is None or named >= THRESHOLD)


class Series:
    """What the release counts, trip by trip: month → status → None, or a list of (scope, {id: trip}). `hidden` has the
    released trips of a population that is too small to be published."""

    def __init__(self, data):
        self.data, self.now, self.months, self.hidden = data, {}, {}, {}

    def current(self, month, status, scope):
        return {name: trip for name, trip in self.now.items()
                if trip.month == month and trip.status == status and trip.leaf in scope}

    def reference(self):
        return Release(self.now.values(), self.data.regions, self.data.types, THRESHOLD, self.data.keep)

    def leaves(self):
        return [(r, t) for r in range(len(self.data.regions) + 1) for t in range(len(self.data.types) + 1)]

    def release(self, closed):
        """Months that are released now."""
        reference = self.reference()
        for month in reference.met:
            groups = reference.groups[month]
            if month in closed and month not in self.months and groups["completed"] is not None:
                self.months[month] = {
                    status: None if groups[status] is None else [
                        (group.scope, self.current(month, status, group.scope))
                        for group in groups[status]] for status in STATUSES}
                self.hidden |= {(month, status): self.current(month, status, set(self.leaves()))
                                if groups[status] is None else {} for status in STATUSES}

    def revise(self):
        """Adds late trips where there are enough; each difference that a reader can compute, as (what, trips, patients)."""
        told = []
        counted = {name for populations in self.months.values() for groups in populations.values()
                   for _, trips in groups or () for name in trips} | {
                       name for hidden in self.hidden.values() for name in hidden}
        for month, populations in self.months.items():
            for status, groups in populations.items():
                late = {name: trip for name, trip in self.now.items()
                        if name not in counted and trip.month == month and trip.status == status}
                if groups is None:
                    whole = {**self.hidden[month, status], **late}
                    leaves = {}
                    for trip in whole.values():
                        leaves.setdefault(trip.leaf, []).append(trip)
                    new = self.reference().groups_of(leaves)
                    if new is not None:
                        populations[status] = [(group.scope, {name: trip for name, trip in whole.items()
                                                              if trip.leaf in group.scope}) for group in new]
                        self.hidden[month, status] = {}
                    continue
                covered = {leaf for scope, _ in groups for leaf in scope}
                for place, (scope, trips) in enumerate(groups):
                    block = {name: trip for name, trip in late.items() if trip.leaf in scope}
                    after = {**trips, **block}
                    seen = {"trips"}
                    if status == "completed":
                        seen = self.published(Group(scope, list(trips.values()), THRESHOLD))
                        seen |= self.published(Group(scope, list(after.values()), THRESHOLD))
                    of = {what: [trip for trip in block.values() if what in features(trip, status)] for what in seen}
                    if block and all(not some or is_enough(some) for some in of.values()):
                        groups[place] = (scope, after)
                        told += [(f"{month} {status} {sorted(scope)} {what}", len(some), people(some))
                                 for what, some in of.items() if some]
                for leaf in self.leaves():
                    block = {name: trip for name, trip in late.items() if trip.leaf == leaf}
                    if leaf not in covered and is_enough(list(block.values())):
                        groups.append((frozenset([leaf]), block))
                groups.sort(key=lambda group: min(group[0]))
        return told

    @staticmethod
    def published(group):
        """The keys of `features` that the release shows of a group."""
        found = {"trips"}
        if "cost" not in group.hidden:
            found.add(("cost", "all"))
        parts = {1: (), 2: ("inHouse", "others"), 3: (*CLASSES, "others")}[group.division]
        found |= {*parts}
        if "costBySourcing" not in group.hidden:
            found |= {("cost", part) for part in parts}
        found |= {name for name in ("loaded", "unloaded") if name + "Miles" not in group.hidden}
        return found | {("interval", place) for place, name in enumerate(INTERVALS) if name not in group.hidden}

    def table(self):
        """The release by these groups."""
        release = self.reference()
        release.groups = {
            month: {status: None if self.months[month][status] is None else [
                Group(scope, list(trips.values()), THRESHOLD)
                for scope, trips in self.months[month][status]] for status in STATUSES}
            if month in self.months else {status: None for status in STATUSES}
            for month in sorted({*release.met, *self.months})}
        release.met = list(release.groups)
        table = Table(release, None, None, release.met)
        pending = {month: self.pending(month) for month in self.months}
        for (month, region, kind), cell in table.cells.items():
            inside = table.scope(*(None if name == "All" else release.names[axis].index(name)
                                   for axis, name in enumerate((region, kind))))
            cell["revisionPending"] = any(
                any(scope & inside for scope in scopes) or (elsewhere and region == kind == "All")
                for one, (scopes, elsewhere) in pending.items() if month in ("All", one))
        return table

    def pending(self, month):
        scopes, elsewhere = [], False
        for status, groups in self.months[month].items():
            if groups is None:
                continue
            covered = {leaf for scope, _ in groups for leaf in scope}
            elsewhere |= bool(self.current(month, status, set(self.leaves()) - covered))
            for scope, trips in groups:
                old, new = list(trips.values()), list(self.current(month, status, scope).values())
                if len(old) != len(new) or status == "completed" and figures(old) != figures(new):
                    scopes.append(scope)
        return scopes, elsewhere


class History:
    """A site, and what is loaded into it."""

    def __init__(self, seed, folder):
        self.rng = random.Random(f"revisions {seed}")
        self.data = Population([f"Region{n}" for n in range(1, 1 + self.rng.randint(1, 3))],
                               [f"Type{n}" for n in range(1, 1 + self.rng.randint(1, 2))])
        self.site = Site.made(folder, QUARTERS[0])
        settings = self.site.folder / "tripkpi.yaml"
        settings.write_text(settings.read_text().replace("zone: America/New_York", "zone: UTC")
                            + f"regions: [{', '.join(self.data.regions)}]\ntrip_types: [{', '.join(self.data.types)}]\n")
        self.habits = Habits(self.rng.choice((0, 0.1)), self.rng.choice((0, 0.1)), self.rng.choice((0, 0.02)),
                             self.rng.choice((0, 0.02)), self.rng.choice((0.02, 0.2)), self.rng.choice((0.5, 0.9)),
                             self.rng.choice((0, 0.1)), self.rng.choice((30, 10 ** 6, 10 ** 6, 0)))
        self.months, self.rows, self.sequence, self.files = months_from("2025-01", 3), {}, 0, 0
        self.series = Series(self.data)
        self.made = 0

    def new(self, month, region, kind):
        self.made += 1
        return row(self.rng, self.made, month, region, kind, self.habits)

    def load(self, rows):
        self.files += 1
        path = self.site.folder / f"export{self.files:03d}.csv"
        path.write_text(text_of(rows), encoding="utf-8")
        self.site.succeed("load", path.name, "--quiet")
        for one in rows:
            self.rows[one["trip_id"]] = one
            trip = counted(one, self.data.regions, self.data.types)
            self.series.now[one["trip_id"]] = trip

    def corrections(self):
        """Late trips, and changes of trips of one region and type, mostly alike."""
        rows = {}
        for _ in range(self.rng.randint(1, 3)):
            month, region, kind = (self.rng.choice(names) for names in (self.months, self.data.regions, self.data.types))
            if self.rng.random() < 0.5:
                for _ in range(self.rng.choice((1, 3, 10, 11, 14, 30))):
                    late = self.new(month, region, kind)
                    rows[late["trip_id"]] = late
                continue
            change = self.rng.choice((
                {"cost": "999.99"}, {"hcpcs_modifiers": "QM"}, {"hcpcs_modifiers": ""}, {"status": "void"},
                {"status": "cancelled"}, {"region": self.rng.choice(self.data.regions)}, {"loaded_miles": "1.0"},
                {"trip_type": "?"}, {"on_scene_at": ""}, {"patient_id": "P7"}))
            known = [one for one in self.rows.values()
                     if one["service_date"][:7] == month and one["region"] == region and one["trip_type"] == kind]
            for one in self.rng.sample(known, min(len(known), self.rng.choice((1, 5, 11, 12, 20, 60)))):
                self.sequence += 1
                stamp = f"2026-01-01 {self.sequence // 3600:02d}:{self.sequence // 60 % 60:02d}:{self.sequence % 60:02d}"
                rows[one["trip_id"]] = {**one, **change, "updated_at": stamp}
        return list(rows.values())


def compare(checks, history, what):
    current = history.site.reports / "release" / "current" / "kpi-summary.json"
    if not history.series.months:
        return checks.hold(what, current.exists() and "something is released")
    return checks.hold(what, *differences(current.read_text(), history.series.table())[:5])


def one(checks, seed, folder, seen):
    history = History(seed, folder)
    closed = set(history.months)
    # A later month has begun, so all of these are closed; it is withheld itself.
    rows = [history.new("2025-10", history.data.regions[0], history.data.types[0]) for _ in range(15)]
    for month in history.months:
        for region in history.data.regions:
            for kind in history.data.types:
                rows += [history.new(month, region, kind) for _ in range(history.rng.choice((0, 2, 8, 14, 30, 70)))]
    history.load(rows)
    for step in range(history.rng.randint(2, 5)):
        what = f"history {seed}, step {step}"
        if step:
            history.load(history.corrections())
        quarter = min(2, step // 2)
        is_due = history.series.months and history.site.epoch < QUARTERS[quarter]
        history.site.epoch = QUARTERS[quarter]
        words = ["--revise"] if history.rng.random() < 0.4 else []
        code, _, messages = history.site.tripkpi("publish", *words)
        if code == 65 and not history.series.months:
            return
        checks.hold(f"{what}: it ends with 0", code != 0 and messages[-300:])
        if is_due or words:
            told = history.series.revise()
            seen["revisions"] += 1
            seen["differences"] += len(told)
            checks.hold(f"{what}: what a revision tells", *(
                f"{where}: {count} trips of {named} patients" for where, count, named in told
                if count < THRESHOLD or named is not None and named < THRESHOLD))
        history.series.release(closed if quarter < 1 else closed | {"2025-10"})
        if not compare(checks, history, what):
            return
        code, _, messages = history.site.tripkpi("verify")
        checks.hold(f"{what}: verify", code != 0 and messages[-300:])
        seen["pending"] += sum(bool(history.series.pending(month)[0]) for month in history.series.months)


def main():
    checks, seen = Checks(), collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        for seed in range(SEED * 1000, SEED * 1000 + HISTORIES):
            one(checks, seed, pathlib.Path(name) / str(seed), seen)
    print(", ".join(f"{count} {name}" for name, count in seen.items()))
    checks.hold("teeth: revisions came, and groups that wait", *(
        f"no {name}" for name in ("revisions", "differences", "pending") if not seen[name]))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
