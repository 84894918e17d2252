#!/usr/bin/env python3
"""Revisions of the release against a second implementation, over random histories.

A site loads months of trips, publishes, and then gets late trips, corrections, voided trips and trips that move between
regions, types and months. Each step publishes, some with `--revise`, some in a later quarter. The reference keeps, trip by
trip, what the release counts, decides by itself which changes a revision takes up (docs/privacy.md, part 2), and requires each
number and flag of the published document to match. A reader who keeps all releases puts together the values that are in the
same published figures in each of them: each such set has at least 11 trips.

CHECK_HISTORIES says how many (8; 300 by hand), CHECK_SEED which ones.
"""
import collections
import dataclasses
import os
import pathlib
import random
import sys
import tempfile

from check_partition import differences
from nightly_site import Checks, Site
from release_data import COLUMNS, Habits, Population, counted, months_from, row, text_of
from release_partition import (
    COMPLETED,
    INTERVALS,
    MEASURES,
    NOT_RUN,
    Group,
    Population as Division,
    Release,
    Table,
    has_enough,
    people,
    values,
)

HISTORIES = int(os.environ.get("CHECK_HISTORIES", "8"))
SEED = int(os.environ.get("CHECK_SEED", "7"))
THRESHOLD = 11
QUARTERS = (1_759_968_000, 1_768_000_000, 1_776_000_000)  # October 2025, January and April 2026


def figures(trips):
    """All that the release could publish of some completed trips."""
    with_both = [t for t in trips if t.cents is not None and t.loaded]
    return (len(with_both), sum(t.loaded for t in with_both),
            [(len(own), sum(own)) for own in (values(trips, measure) for measure in MEASURES)],
            [collections.Counter(values(trips, name)) for name in INTERVALS])


def shown(group):
    """The measures of which the release shows values of a group."""
    return frozenset(measure for measure in group.measures if values(group.trips, measure))


@dataclasses.dataclass
class Divided:
    """A population of a released month: its groups' leaves, None if it is not published, and the measures that it publishes."""
    scopes: list | None
    measures: list


class Series:
    """What the release counts, trip by trip, and how it is divided."""

    def __init__(self, data):
        self.data, self.now = data, {}
        # By id: what the release counts. Ids that a revision has taken up.
        self.counted, self.revised = {}, set()
        # month → population → how it is divided.
        self.months = {}

    def population(self, trip):
        """In a month of one population sourcing does not matter."""
        name = {status: name for name, status in NOT_RUN.items()}.get(trip.status, trip.sourcing)
        return "completed" if name in COMPLETED and "completed" in self.months[trip.month] else name

    def some(self, trips, month, population, scope):
        return {name: trip for name, trip in trips.items() if trip.month == month and trip.status != "void"
                and trip.leaf in scope and self.population(trip) == population}

    def current(self, month, population, scope):
        return self.some(self.now, month, population, scope)

    def released(self, month, population, scope, counted=None):
        return self.some(self.counted if counted is None else counted, month, population, scope)

    def leaves(self):
        return [(r, t) for r in range(len(self.data.regions) + 1) for t in range(len(self.data.types) + 1)]

    def reference(self, trips):
        return Release(trips, self.data.regions, self.data.types, THRESHOLD, self.data.keep)

    def release(self, closed):
        """Months that are released now, with the trips that no other month counts."""
        for month in sorted({trip.month for trip in self.now.values() if trip.status != "void"} & closed):
            if month in self.months:
                continue
            own = {name: trip for name, trip in self.now.items() if trip.month == month and trip.status != "void"
                   and name not in self.counted and name not in self.revised}
            release = self.reference(own.values())
            if own and release.is_released(month):
                self.months[month] = {name: Divided(
                    None if division.groups is None else [group.leaves for group in division.groups], division.published)
                    for name, division in release.months[month].items()}
                self.counted |= own

    def scope_of(self, trip):
        """The group that shows a trip, as (month, population, leaves); None: nothing does."""
        if trip is None or trip.status == "void" or trip.month not in self.months:
            return None
        population = self.population(trip)
        scopes = self.months[trip.month][population].scopes
        if scopes is None:
            return None
        return trip.month, population, next((s for s in scopes if trip.leaf in s), frozenset([trip.leaf]))

    def group(self, place, trips):
        month, population, scope = place
        return Group(scope, list(trips.values()), self.months[month][population].measures, THRESHOLD)

    def values(self, trip, details):
        """Quantity → (the group that the trip's value is published with, the value)."""
        place = self.scope_of(trip)
        if place is None:
            return {}
        return {"trips": (place, 1)} | {measure: (place, value) for measure in details.get(place, ())
                                        if (value := trip.value(measure)) is not None}

    def shown(self, trip, published, details):
        """The values that the releases so far publish."""
        return {what: found for what, found in self.values(trip, details).items()
                if not self.is_first(what, found[0], published)}

    @staticmethod
    def is_first(what, place, published):
        return what != "trips" and what not in published.get(place, ())

    def details(self, counted, known):
        found = dict(known)
        places = {self.scope_of(trip) for trip in (*counted.values(), *self.now.values())}
        for place in places:
            if place is not None and place[1] in COMPLETED:
                found[place] = found.get(place, frozenset()) | shown(self.group(place, self.released(*place, counted)))
        return found

    def revise(self):
        """Takes up what may be taken up."""
        hidden = {name for name, trip in self.counted.items() if self.scope_of(trip) is None}
        before = {name: trip for name, trip in self.counted.items() if name not in hidden}
        now = {name: trip for name, trip in self.now.items() if trip.status != "void"}
        candidates, first = set(), {}
        for name in {*before, *now} - self.revised:
            old, new = before.get(name), now.get(name)
            if old == new or new is not None and new.month not in self.months:
                continue
            if old is None and new is not None and self.scope_of(new) is None:
                first[name] = new
            else:
                candidates.add(name)
        unchanged_first = {name: trip for name, trip in self.counted.items() if name in hidden and now.get(name) == trip}
        published = self.details(before, {})
        details = self.details(self.after(before, candidates, now), published)
        closed = set()
        while True:
            allowed = {name for name in candidates
                       if not {self.scope_of(before.get(name)), self.scope_of(now.get(name))} & closed}
            taken = self.choose(allowed, before, now, published, details)
            after = self.after(before, taken, now)
            weakened = self.weakened(before, after, published)
            more = self.details(after, details)
            is_last = more == details and weakened <= closed
            details, closed = more, closed | weakened
            if is_last:
                break
        visible = {name for name in taken if self.shown(before.get(name), published, details)
                   != self.values(now.get(name), details)}
        changed = {trip.month for name in visible for trip in (before.get(name), now.get(name)) if trip is not None}
        opened = {}
        for month, populations in self.months.items():
            for population, division in populations.items():
                if division.scopes is None:
                    new = self.some({**first, **unchanged_first}, month, population, self.leaves())
                    opening = self.divided(new.values(), population)
                    if opening.groups is not None:
                        opened[month, population] = Divided([group.leaves for group in opening.groups], opening.published), new
                        changed.add(month)
        for name in visible:
            place = self.scope_of(now.get(name))
            if place is not None:
                scopes = self.months[place[0]][place[1]].scopes
                if place[2] not in scopes:
                    scopes.append(place[2])
                    scopes.sort(key=min)
        for name in taken:
            if name in visible or {trip.month for trip in (before.get(name), now.get(name)) if trip} & changed:
                self.counted.pop(name, None)
                if name in now and self.scope_of(now[name]) is not None:
                    # In no published figure: whose trips a group has stays as it was.
                    self.counted[name] = now[name] if name in visible or name not in before else dataclasses.replace(
                        now[name], patient=before[name].patient)
        self.revised |= visible
        for (month, population), (division, new) in opened.items():
            hidden = self.released(month, population, self.leaves())
            self.months[month][population] = division
            for name in hidden:
                del self.counted[name]
            self.counted |= new

    def divided(self, trips, population):
        by_leaf = collections.defaultdict(list)
        for trip in trips:
            by_leaf[trip.leaf].append(trip)
        return Division(by_leaf, self.leaves(), THRESHOLD, int(self.data.keep == "type"), population in COMPLETED)

    def weakened(self, before, after, published):
        """Groups that would have too few patients, or show less than before."""
        found = set()
        for place in {self.scope_of(trip) for trip in (*before.values(), *self.now.values())} - {None}:
            trips = self.released(*place, after)
            named = people(list(trips.values()))
            if not trips:
                continue
            if named is not None and named < THRESHOLD:
                found.add(place)
            elif published.get(place, frozenset()) - shown(self.group(place, trips)):
                found.add(place)
        return found

    @staticmethod
    def after(before, taken, now):
        return {name: trip for name, trip in {**before, **{n: now.get(n) for n in taken}}.items() if trip is not None}

    @staticmethod
    def renumbered(taken, old, new):
        """Trips that are gone and trips that are new, where some values are equal and 1 to 10 are left over."""
        gone, come, members = (collections.defaultdict(made) for made in (collections.Counter, collections.Counter, set))
        for name in taken:
            if bool(old[name]) == bool(new[name]):
                continue
            for what, (place, value) in (old[name] or new[name]).items():
                for scope in ((what, place), (what, place[0]), (what,)):
                    (gone if old[name] else come)[scope][value] += 1
                    members[scope].add(name)
        found = set()
        for scope in gone.keys() & come.keys():
            equal = (gone[scope] & come[scope]).total()
            if equal and any(0 < values[scope].total() - equal < THRESHOLD for values in (gone, come)):
                found |= members[scope]
        return found

    def choose(self, candidates, before, now, published, details):
        """All changes but those in sets that are too small, and those that leave too few behind."""
        taken = set(candidates)
        old = {name: self.shown(before.get(name), published, details) for name in candidates}
        new = {name: self.values(now.get(name), details) for name in candidates}
        untouched = {name: trip for name, trip in before.items() if name not in self.revised}

        def enough(names):
            return len(names) >= THRESHOLD and all(
                (named := {trips[name].patient for name in names if name in trips} - {None, ""}) == set()
                or len(named) >= THRESHOLD for trips in (before, now))

        while True:
            ways = collections.defaultdict(set)
            for name in taken:
                for what in {*old[name], *new[name]}:
                    one, two = old[name].get(what), new[name].get(what)
                    if one == two:
                        continue
                    if one and two and one[1] == two[1]:
                        ways[what, one[0], two[0]].add(name)
                        continue
                    if one:
                        ways[what, one[0], None].add(name)
                    if two:
                        ways[what, None, two[0]].add(name)
            small = {name for (what, came_from, place), names in ways.items()
                     if not (came_from is None and self.is_first(what, place, published)) and not enough(names)
                     for name in names}
            if small:
                taken -= small
                continue
            again = self.renumbered(taken, old, new)
            if again:
                taken -= again
                continue
            left = collections.defaultdict(set)
            for (what, place, _), names in ways.items():
                if place is not None:
                    left[what, place] |= names
            dropped = set()
            for (what, place), names in left.items():
                stay = {name: trip for name, trip in untouched.items()
                        if name not in names and self.values(trip, details).get(what, (None,))[0] == place}
                if stay and (len(stay) < THRESHOLD or what == "trips" and not has_enough(list(stay.values()), (), THRESHOLD)):
                    dropped |= names
            first = collections.defaultdict(set)
            for name in taken:
                for what, (place, _) in new[name].items():
                    if self.is_first(what, place, published):
                        first[what, place].add(name)
            for (what, place), names in first.items():
                stay = {name for name, trip in untouched.items() if name not in taken
                        and self.values(trip, details).get(what, (None,))[0] == place}
                come = {name for name in names
                        if what not in old[name] or old[name][what][1] != new[name][what][1]}
                if 0 < len(stay | come) < THRESHOLD:
                    dropped |= names
            if not dropped:
                return taken
            taken -= dropped

    def populations(self, month):
        """population → its groups, of what the release counts."""
        found = {}
        for name, division in self.months[month].items():
            found[name] = self.divided((), name)
            found[name].published = division.measures
            found[name].groups = None if division.scopes is None else [
                self.group((month, name, scope), self.released(month, name, scope)) for scope in division.scopes]
        return found

    def table(self):
        """The release by these groups."""
        release = self.reference(())
        release.met = sorted({*(trip.month for trip in self.now.values() if trip.status != "void"), *self.months})
        release.months = {month: self.populations(month) if month in self.months else {} for month in release.met}
        table = PendingTable(release, None, None, release.met)
        table.pending = {month: self.pending(month) for month in self.months}
        for (month, region, kind), cell in table.cells.items():
            inside = table.scope(*(None if name == "All" else release.names[axis].index(name)
                                   for axis, name in enumerate((region, kind))))
            cell["revisionPending"] = any(
                any(scope & inside for _, scope in scopes) or (elsewhere and region == kind == "All")
                for one, (scopes, elsewhere) in table.pending.items() if month in ("All", one))
        return table

    def pending(self, month):
        found, elsewhere = [], False
        for population, division in self.months[month].items():
            if division.scopes is None:
                continue
            covered = {leaf for scope in division.scopes for leaf in scope}
            elsewhere |= bool(self.current(month, population, set(self.leaves()) - covered))
            for scope in division.scopes:
                old = list(self.released(month, population, scope).values())
                new = list(self.current(month, population, scope).values())
                if len(old) != len(new) or population in COMPLETED and figures(old) != figures(new):
                    found.append((population, scope))
        return found, elsewhere


class PendingTable(Table):
    """Whose groups say that a revision is pending."""
    pending: dict = {}

    @property
    def groups(self):
        names = self.release.names
        return [group | {"revisionPending": (group["population"], frozenset(
            (names[0].index(region), names[1].index(kind)) for region, kind in zip(group["regions"], group["tripTypes"])))
            in self.pending[group["month"]][0]} for group in super().groups]


class Reader:
    """Keeps all releases: for each value of each trip, the smallest published figures that it is in."""

    def __init__(self):
        self.figures, self.releases = collections.defaultdict(list), 0

    def read(self, series):
        self.releases += 1
        for month in series.months:
            for population, division in series.populations(month).items():
                for group in division.groups or ():
                    place = (self.releases, month, population, group.leaves)
                    measures = shown(group)
                    for name, trip in series.released(month, population, group.leaves).items():
                        self.figures[name, "trips", 1].append(place)
                        for measure in measures:
                            if trip.value(measure) is not None:
                                self.figures[name, measure, trip.value(measure)].append(place)

    def small_sets(self):
        alike = collections.defaultdict(set)
        for (name, what, _), places in self.figures.items():
            alike[what, tuple(places)].add(name)
        return [f"{len(names)} trips share {what} in {places}" for (what, places), names in alike.items()
                if len(names) < THRESHOLD]


class History:
    """A site, and what is loaded into it."""

    def __init__(self, seed, folder):
        self.rng = random.Random(f"revisions {seed}")
        self.data = Population([f"Region{n}" for n in range(1, 1 + self.rng.randint(1, 3))],
                               [f"Type{n}" for n in range(1, 1 + self.rng.randint(1, 2))])
        self.site = Site.made(folder, QUARTERS[0])
        self.site.set_lists(self.data.regions, self.data.types, "UTC")
        # Corrections move trips to other months.
        columns = ", ".join(f"{name}: {name}" for name in COLUMNS)
        (self.site.folder / "random.yaml").write_text(
            f"source: random\nrecords: versions\ncolumns: {{{columns}}}\n", encoding="utf-8")
        self.habits = Habits(self.rng.choice((0, 0.1)), self.rng.choice((0, 0.1)), self.rng.choice((0, 0.02)),
                             self.rng.choice((0, 0.02)), self.rng.choice((0.02, 0.2)), self.rng.choice((0.5, 0.9)),
                             self.rng.choice((0, 0.1)), self.rng.choice((30, 10 ** 6, 10 ** 6, 0)))
        self.months, self.rows, self.sequence, self.files = months_from("2025-01", 3), {}, 0, 0
        self.series, self.reader = Series(self.data), Reader()
        self.made = 0

    def new(self, month, region, kind):
        self.made += 1
        return row(self.rng, self.made, month, region, kind, self.habits)

    def load(self, rows):
        self.files += 1
        path = self.site.folder / f"export{self.files:03d}.csv"
        path.write_text(text_of(rows), encoding="utf-8")
        self.site.succeed("load", path.name, "--profile", "random.yaml", "--quiet")
        for one in rows:
            self.rows[one["trip_id"]] = one
            trip = counted(one, self.data.regions, self.data.types)
            self.series.now[one["trip_id"]] = trip

    def stamp(self):
        self.sequence += 1
        return f"2026-01-01 {self.sequence // 3600:02d}:{self.sequence // 60 % 60:02d}:{self.sequence % 60:02d}"

    def changed(self, one, change):
        if "month" in change:
            month = one["service_date"][:7]
            return {name: value.replace(month, change["month"]) for name, value in one.items()}
        if "dearer" in change:
            return {**one, "cost": f"{self.rng.randrange(100, 90_000) / 100:.2f}"}
        return {**one, **change}

    def corrections(self):
        """Late trips, and changes of trips of one region and type, mostly alike."""
        rows = {}
        if self.rng.random() < 0.2:
            # Trips come again under other ids.
            for one in self.rng.sample(list(self.rows.values()), min(len(self.rows), self.rng.choice((11, 20, 60)))):
                self.made += 1
                rows[f"{self.made:07d}"] = {**one, "trip_id": f"{self.made:07d}"}
                rows[one["trip_id"]] = {**one, "status": "void", "updated_at": self.stamp()}
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
                {"trip_type": "?"}, {"on_scene_at": ""}, {"patient_id": "P7"}, {"month": self.rng.choice(self.months)},
                {"dearer": True}))
            known = [one for one in self.rows.values()
                     if one["service_date"][:7] == month and one["region"] == region and one["trip_type"] == kind]
            for one in self.rng.sample(known, min(len(known), self.rng.choice((1, 5, 11, 12, 20, 60)))):
                rows[one["trip_id"]] = self.changed(one, change) | {"updated_at": self.stamp()}
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
            known = len(history.series.revised)
            history.series.revise()
            seen["revisions"] += 1
            seen["trips taken up"] += len(history.series.revised) - known
        history.series.release(closed if quarter < 1 else closed | {"2025-10"})
        if not compare(checks, history, what):
            return
        history.reader.read(history.series)
        checks.hold(f"{what}: no set of fewer than 11 trips", *history.reader.small_sets()[:5])
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
        f"no {name}" for name in ("revisions", "trips taken up", "pending") if not seen[name]))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
