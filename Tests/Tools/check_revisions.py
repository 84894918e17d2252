#!/usr/bin/env python3
"""Revisions of the release against a second implementation, over random histories.

A site loads months of trips, publishes, and then gets late trips, corrections, voided trips and trips that move between
regions, types and months. Each step publishes, some with `--revise`, some in a later quarter. The reference keeps, trip by
trip, what the release counts, decides by itself which changes a revision takes up (docs/privacy.md, part 2), and requires each
number and flag of the published document to match. A reader who keeps all releases puts together the values that are in the
same published figures in each of them: each such set has at least 11 trips.

TRIPKPI_HISTORIES says how many (8; 300 by hand), TRIPKPI_SEED which ones.
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
from release_data import COLUMNS, Habits, Population, counted, document, months_from, row, text_of
from release_partition import CLASSES, INTERVALS, Group, Release, Table, people

HISTORIES = int(os.environ.get("TRIPKPI_HISTORIES", "8"))
SEED = int(os.environ.get("TRIPKPI_SEED", "7"))
THRESHOLD = 11
STATUSES = ("completed", "cancelled", "no_show")
QUARTERS = (1_759_968_000, 1_768_000_000, 1_776_000_000)  # October 2025, January and April 2026


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


class Published:
    """What the release shows of a group of trips: how finely, and which quantities. Of no trip: nothing."""

    def __init__(self, group=None):
        self.parts, self.cost, self.others = 1, 0, frozenset()
        if group is None or not group.trips:
            return
        self.parts = group.division
        if "cost" not in group.hidden and group.costed:
            self.cost = 1 if "costBySourcing" in group.hidden else group.division
        shown = [name for name in ("loaded", "unloaded") if name + "Miles" not in group.hidden and getattr(group, name)]
        self.others = frozenset(shown + [place for place, name in enumerate(INTERVALS)
                                         if name not in group.hidden and group.intervals[place]])

    def shows(self, what):
        """Of a quantity other than trips."""
        return bool(self.cost) if what == "cost" else what in self.others

    def joined(self, other):
        both = Published()
        both.parts, both.cost = max(self.parts, other.parts), max(self.cost, other.cost)
        both.others = self.others | other.others
        return both

    def __eq__(self, other):
        return (self.parts, self.cost, self.others) == (other.parts, other.cost, other.others)


def part(trip, count):
    if count == 1:
        return "all"
    return trip.sourcing if count == 3 or trip.sourcing == "inHouse" else "others"


class Series:
    """What the release counts, trip by trip, and how it is divided."""

    def __init__(self, data):
        self.data, self.now = data, {}
        # By id: what the release counts. Ids that a revision has taken up.
        self.counted, self.revised = {}, set()
        # month → status → scopes; None: not published.
        self.months = {}
        # (month, scope) of completed trips → most parts, whether the cost may be divided.
        self.limits = {}

    def current(self, month, status, scope):
        return {name: trip for name, trip in self.now.items()
                if trip.month == month and trip.status == status and trip.leaf in scope}

    def released(self, month, status, scope, counted=None):
        return {name: trip for name, trip in (self.counted if counted is None else counted).items()
                if trip.month == month and trip.status == status and trip.leaf in scope}

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
            groups = self.reference(own.values()).groups.get(month)
            if groups and groups["completed"] is not None:
                self.months[month] = {status: None if groups[status] is None else [group.scope for group in groups[status]]
                                      for status in STATUSES}
                self.counted |= own

    def scope_of(self, trip):
        """The group that shows a trip, as (month, status, scope); None: nothing does."""
        if trip is None or trip.status == "void" or self.months.get(trip.month, {}).get(trip.status) is None:
            return None
        scopes = self.months[trip.month][trip.status]
        return trip.month, trip.status, next((s for s in scopes if trip.leaf in s), frozenset([trip.leaf]))

    def group(self, place, trips):
        month, status, scope = place
        most = self.limits.get((month, scope), (3, True)) if status == "completed" else (1, False)
        return Group(scope, list(trips.values()), THRESHOLD, *most)

    def limit(self):
        """No group is divided more finely than it was."""
        for month, populations in self.months.items():
            for scope in populations["completed"]:
                group = self.group((month, "completed", scope), self.released(month, "completed", scope))
                if group.trips:
                    _, divides = self.limits.get((month, scope), (3, True))
                    whole = "cost" not in group.hidden and group.costed and "costBySourcing" in group.hidden
                    self.limits[month, scope] = group.division, divides and not whole

    def values(self, trip, details):
        """Quantity → (the smallest published figure that the trip's value is in, the value)."""
        place = self.scope_of(trip)
        if place is None:
            return {}
        if place[1] != "completed":
            return {"trips": ((place, "all"), 1)}
        detail = details.get(place, Published())
        found = {"trips": ((place, part(trip, detail.parts)), 1)}
        if detail.cost and trip.cents is not None:
            found["cost"] = (place, part(trip, detail.cost)), trip.cents
        for what in detail.others:
            value = getattr(trip, what) if isinstance(what, str) else trip.seconds[what]
            if value is not None:
                found[what] = (place, "all"), value
        return found

    def shown(self, trip, published, details):
        """The values that the releases so far publish."""
        return {what: found for what, found in self.values(trip, details).items()
                if not self.is_first(what, found[0], published)}

    @staticmethod
    def is_first(what, place, published):
        return what != "trips" and not published.get(place[0], Published()).shows(what)

    def details(self, counted, known):
        found = dict(known)
        places = {self.scope_of(trip) for trip in (*counted.values(), *self.now.values())}
        for place in places:
            if place is not None and place[1] == "completed":
                shown = Published(self.group(place, self.released(*place, counted)))
                found[place] = found.get(place, Published()).joined(shown)
        return found

    def revise(self):
        """Takes up what may be taken up."""
        hidden = {name for name, trip in self.counted.items() if self.scope_of(trip) is None}
        before = {name: trip for name, trip in self.counted.items() if name not in hidden}
        self.limit()
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
            for status in STATUSES:
                if populations[status] is None:
                    new = {name: trip for name, trip in {**first, **unchanged_first}.items()
                           if trip.month == month and trip.status == status}
                    groups = self.reference(new.values()).groups.get(month, {}).get(status)
                    if groups is not None:
                        opened[month, status] = [group.scope for group in groups], new
                        changed.add(month)
        for name in visible:
            place = self.scope_of(now.get(name))
            if place is not None:
                scopes = self.months[place[0]][place[1]]
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
        for (month, status), (scopes, new) in opened.items():
            self.months[month][status] = scopes
            for name in [name for name, trip in self.counted.items() if (trip.month, trip.status) == (month, status)]:
                del self.counted[name]
            self.counted |= new

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
            elif place[1] == "completed":
                shown, known = Published(self.group(place, trips)), published.get(place, Published())
                if shown.joined(known) != shown:
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
                for scope in ((what, place), (what, place[0][0]), (what,)):
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
                if stay and (len(stay) < THRESHOLD or what == "trips" and not is_enough(list(stay.values()))):
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

    def groups(self):
        """month → status → groups of what the release counts."""
        return {month: {status: None if scopes is None else [
            self.group((month, status, scope), self.released(month, status, scope)) for scope in scopes]
            for status, scopes in populations.items()} for month, populations in self.months.items()}

    def table(self):
        """The release by these groups."""
        met = {trip.month for trip in self.now.values() if trip.status != "void"}
        release, groups = self.reference(()), self.groups()
        release.met = sorted({*met, *self.months})
        release.groups = {month: groups.get(month, dict.fromkeys(STATUSES)) for month in release.met}
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
        found, elsewhere = [], False
        for status, scopes in self.months[month].items():
            if scopes is None:
                continue
            covered = {leaf for scope in scopes for leaf in scope}
            elsewhere |= bool(self.current(month, status, set(self.leaves()) - covered))
            for scope in scopes:
                old = list(self.released(month, status, scope).values())
                new = list(self.current(month, status, scope).values())
                if len(old) != len(new) or status == "completed" and figures(old) != figures(new):
                    found.append(scope)
        return found, elsewhere


class Reader:
    """Keeps all releases: for each value of each trip, the smallest published figures that it is in."""

    def __init__(self):
        self.figures, self.releases = collections.defaultdict(list), 0

    def read(self, series):
        self.releases += 1
        for month, populations in series.groups().items():
            for status, groups in populations.items():
                for group in groups or ():
                    place = (self.releases, month, status, group.scope)
                    shown = Published(group)
                    for name, trip in series.released(month, status, group.scope).items():
                        if status != "completed":
                            self.figures[name, "trips", 1].append(place)
                            continue
                        self.figures[name, "trips", 1].append((*place, shown.parts, part(trip, shown.parts)))
                        if shown.cost and trip.cents is not None:
                            self.figures[name, "cost", trip.cents].append((*place, shown.cost, part(trip, shown.cost)))
                        for what in shown.others:
                            value = getattr(trip, what) if isinstance(what, str) else trip.seconds[what]
                            if value is not None:
                                self.figures[name, what, value].append(place)

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
