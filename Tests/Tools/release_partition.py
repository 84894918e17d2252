"""The release, written a second time in Python: a reference for `Sources/Privacy`.

A leaf is (region, trip type); index 0 of either list is Unassigned. `partition` divides the trips of one population of a
month (completed, cancelled or no-show) into groups; `Release` is what may be published of them, by cell. Nothing here
knows of Swift's code; docs/privacy.md states the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

Leaf = tuple[int, int]


def order_of_leaves(regions: int, types: int, keep: str = "region") -> list[Leaf]:
    """Leaves in the order in which they may be joined to a rest that is too small: Unassigned first, then the last of
    the configured lists."""
    leaves = [(r, t) for r in range(regions) for t in range(types)]

    def rank(leaf: Leaf) -> tuple:
        region, kind = leaf
        unassigned = 0 if region == 0 and kind == 0 else 1 if region == 0 else 2 if kind == 0 else 3
        return (unassigned, -region, -kind) if keep == "region" else (unassigned, -kind, -region)

    return sorted(leaves, key=rank)


def room(scope: frozenset[Leaf], keep: str, threshold: int) -> int:
    """The most trips that leaves of at most `threshold - 1` can hold, each line of the kept margin treated as it would
    be without being a group of its own, and one leaf empty."""
    most = threshold - 1
    lines: dict[int, int] = {}
    for region, kind in scope:
        line = region if keep == "region" else kind
        lines[line] = lines.get(line, 0) + 1
    return sum(most * count if count <= 2 else most for count in lines.values()) - most


def partition(
    counts: list[list[int]],
    patients: Callable[[frozenset[Leaf]], int | None] | None = None,
    threshold: int = 11,
    keep: str = "region",
) -> list[frozenset[Leaf]] | None:
    """The groups of a month, each as the leaves it is of; None if the month has too few to publish anything.

    `patients(leaves)` counts the distinct patients of these leaves together; None: they are not named.
    """
    regions, types = len(counts), len(counts[0])
    order = order_of_leaves(regions, types, keep)
    total = frozenset(order)

    def trips(leaves) -> int:
        return sum(counts[r][t] for r, t in leaves)

    def is_enough(leaves) -> bool:
        if trips(leaves) < threshold:
            return False
        people = patients(frozenset(leaves)) if patients else None
        return people is None or people >= threshold

    def line(leaf: Leaf) -> int:
        return leaf[0] if keep == "region" else leaf[1]

    def is_safe(scope: frozenset[Leaf]) -> bool:
        return trips(scope) <= room(scope, keep, threshold) or (
            order[0] in scope and order[1] in scope and len(scope) >= 3
            and trips(scope) >= 2 * threshold - 1
        )

    if not is_enough(total):
        return None
    alone = [leaf for leaf in order if is_enough([leaf])]
    small = [leaf for leaf in order if leaf not in set(alone)]
    groups: list[frozenset[Leaf]] = []
    pool: set[Leaf] = set()
    own: dict[int, frozenset[Leaf]] = {}
    for index in sorted({line(leaf) for leaf in small}):
        leaves = frozenset(leaf for leaf in small if line(leaf) == index)
        if trips(leaves) <= (threshold - 1) * (len(leaves) - 1) and is_enough(leaves):
            own[index] = leaves
        else:
            pool |= leaves
    if trips(pool) > 0:
        while not (is_enough(pool) and is_safe(frozenset(pool))) and len(pool) < len(order):
            leaf = next(leaf for leaf in order if leaf not in pool)
            pool |= {leaf} | own.pop(line(leaf), frozenset())
        groups.append(frozenset(pool))
    groups += [frozenset([leaf]) for leaf in alone if leaf not in pool]
    groups += own.values()
    return sorted(groups, key=min)

# The whole release.

CLASSES = ("inHouse", "contracted", "unclassified")
INTERVALS = ("duration", "response", "turnout", "scene", "transport", "turnaround")
# Response, scene, transport and turnaround add up to duration: the sums of all five would tell those of the few trips that
# lack a time between. So one has no mean.
WITHOUT_MEAN = ("turnaround",)
MEASURES = ("cancelled", "noShow", "sourcing", "cost", "costBySourcing", "loadedMiles", "unloadedMiles", *INTERVALS)


@dataclass
class Trip:
    """A trip as it is counted: lists' places (0: Unassigned), cents, hundredths of a mile, seconds; None: no such value."""
    month: str
    region: int
    kind: int
    status: str = "completed"
    sourcing: str = "unclassified"
    cents: int | None = None
    loaded: int | None = None
    unloaded: int | None = None
    seconds: tuple = (None,) * 6
    patient: str | None = None

    @property
    def leaf(self) -> Leaf:
        return (self.region, self.kind)


def people(trips: Iterable[Trip]) -> int | None:
    """Distinct patients; None: no trip names one."""
    named = {trip.patient for trip in trips if trip.patient}
    return len(named) if named else None


def half_up(numerator: int, denominator: int) -> int | None:
    """The quotient rounded to a whole number, halves away from zero."""
    if denominator == 0:
        return None
    sign = -1 if (numerator < 0) != (denominator < 0) else 1
    return sign * ((2 * abs(numerator) + abs(denominator)) // (2 * abs(denominator)))


def nearest_rank(values: list[int], percent: int) -> int:
    return sorted(values)[max(0, -(-percent * len(values) // 100) - 1)]


class Group:
    """Trips of one group, and which of their figures are enough to be published."""

    def __init__(self, scope: frozenset[Leaf], trips: list[Trip], threshold: int, most_parts: int = 3,
                 divides_cost: bool = True):
        self.scope, self.trips = scope, trips
        of = {name: [t for t in trips if t.sourcing == name] for name in CLASSES}

        def part_is_enough(part: list[Trip]) -> bool:
            named = people(part)
            return not part or len(part) >= threshold and (named is None or named >= threshold)

        def is_enough(count: int) -> bool:
            return count == 0 or count >= threshold

        others = of["contracted"] + of["unclassified"]
        self.division = 1
        if part_is_enough(of["inHouse"]):
            if most_parts == 3 and part_is_enough(of["contracted"]) and part_is_enough(of["unclassified"]):
                self.division = 3
            elif most_parts > 1 and part_is_enough(others):
                self.division = 2
        self.counts = {name: len(of[name]) for name in CLASSES}
        costed = {name: [t.cents for t in of[name] if t.cents is not None] for name in CLASSES}
        self.costed = sum(map(len, costed.values()))
        self.cents = {name: sum(costed[name]) for name in CLASSES}
        self.loaded = [t.loaded for t in trips if t.loaded is not None]
        self.unloaded = [t.unloaded for t in trips if t.unloaded is not None]
        self.intervals = [[t.seconds[i] for t in trips if t.seconds[i] is not None] for i in range(6)]
        self.hidden = set()
        if self.division == 1:
            self.hidden.add("sourcing")
        if not is_enough(self.costed):
            self.hidden.add("cost")
        parts = [costed["inHouse"], costed["contracted"] + costed["unclassified"]] if self.division == 2 else costed.values()
        if not divides_cost or self.division == 1 or "cost" in self.hidden or not all(is_enough(len(part)) for part in parts):
            self.hidden.add("costBySourcing")
        if not is_enough(len(self.loaded)):
            self.hidden.add("loadedMiles")
        if not is_enough(len(self.unloaded)):
            self.hidden.add("unloadedMiles")
        self.hidden |= {name for name, used in zip(INTERVALS, self.intervals) if not is_enough(len(used))}


class Release:
    """What may be published of trips: `cells` by (month, region, type), with the keys of the JSON; integers in cents,
    tenths of miles and seconds, and ten-thousandths."""

    def __init__(self, trips: Iterable[Trip], regions: list[str], types: list[str], threshold: int = 11,
                 keep: str = "region", missing: str = "publish"):
        self.missing = missing
        self.names = (["Unassigned", *regions], ["Unassigned", *types])
        self.threshold, self.keep = threshold, keep
        by_month: dict[str, dict[str, dict[Leaf, list[Trip]]]] = {}
        for trip in trips:
            if trip.status != "void":
                by_month.setdefault(trip.month, {}).setdefault(trip.status, {}).setdefault(trip.leaf, []).append(trip)
        self.met = sorted(by_month)
        self.groups = {month: {status: self.groups_of(by_month[month].get(status, {}))
                               for status in ("completed", "cancelled", "no_show")} for month in self.met}

    def groups_of(self, leaves: dict[Leaf, list[Trip]]) -> list[Group] | None:
        regions, types = map(len, self.names)
        counts = [[len(leaves.get((r, t), ())) for t in range(types)] for r in range(regions)]
        of = lambda scope: [trip for leaf in scope for trip in leaves.get(leaf, ())]
        scopes = partition(counts, lambda scope: people(of(scope)), self.threshold, self.keep)
        return None if scopes is None else [Group(scope, of(scope), self.threshold) for scope in scopes]

    def select(self, regions: set[int] | None = None, types: set[int] | None = None,
               months: set[str] | None = None) -> Table | None:
        """What a report of a part shows; None: nothing, the command ends with 65."""
        table = Table(self, regions, types, [m for m in self.met if months is None or m in months])
        return table if table.is_shown else None


class Table:
    def __init__(self, release: Release, regions: set[int] | None, types: set[int] | None, met: list[str]):
        self.release = release
        self.selected = {(r, t) for r in range(len(release.names[0])) for t in range(len(release.names[1]))
                         if (regions is None or r in regions) and (types is None or t in types)}
        self.months = [m for m in met if release.groups[m]["completed"] is not None]
        self.withheld = [m for m in met if release.groups[m]["completed"] is None]
        held = [leaf for m in self.months for group in release.groups[m]["completed"] for leaf in group.scope]
        codes = [[*range(1, len(release.names[axis]))] + ([0] if any(leaf[axis] == 0 for leaf in held) else [])
                 for axis in (0, 1)]
        self.region_codes = [code for code in codes[0] if regions is None or code in regions]
        self.type_codes = [code for code in codes[1] if types is None or code in types]
        self.cells = {}
        for month in [None, *self.months]:
            for region in [None, *self.region_codes]:
                for kind in [None, *self.type_codes]:
                    key = (month or "All", "All" if region is None else release.names[0][region],
                           "All" if kind is None else release.names[1][kind])
                    self.cells[key] = self.counted(self.cell(month, region, kind))
        self.is_shown = not self.cells["All", "All", "All"]["suppressed"] and bool(self.months or not self.withheld)

    def counted(self, cell: dict) -> dict:
        """The cell as the setting `missing_counts` has it. With `omit`, what stays says of no measure how many trips have
        it: no count of them, no mean and no cost of one of them."""
        if self.release.missing == "publish":
            return cell
        cell = {name: value for name, value in cell.items() if name not in ("costedTrips", "costPerTrip")}
        for name in INTERVALS:
            if name in cell:
                cell[name] = {part: value for part, value in cell[name].items() if part in ("p50", "p90")}
        return cell

    def scope(self, region: int | None, kind: int | None) -> set[Leaf]:
        return {leaf for leaf in self.selected if region in (None, leaf[0]) and kind in (None, leaf[1])}

    def groups_in(self, month: str | None, region: int | None, kind: int | None, status: str = "completed"):
        """Groups inside the cell, and whether nothing of the cell lies in another group."""
        scope, inside, complete = self.scope(region, kind), [], True
        for one in self.months if month is None else [month]:
            groups = self.release.groups[one][status]
            if groups is None:
                complete = False
                continue
            inside += [group for group in groups if group.scope <= scope]
            complete &= all(group.scope <= scope or not group.scope & scope for group in groups)
        return inside, complete

    def cell(self, month: str | None, region: int | None, kind: int | None) -> dict:
        groups, complete = self.groups_in(month, region, kind)
        cell = {"suppressed": not groups and not complete, "complete": complete, "revisionPending": False}
        if cell["suppressed"]:
            return cell | {"sourcingSuppressed": True}
        hidden = set()
        for name, status in (("cancelled", "cancelled"), ("noShow", "no_show")):
            others, is_whole = self.groups_in(month, region, kind, status)
            cell[name] = sum(len(group.trips) for group in others) if others or is_whole else None
            if not is_whole:
                hidden.add(name)
        hidden |= {name for group in groups for name in group.hidden}
        cell["incompleteMeasures"] = [name for name in MEASURES if name in hidden]
        cell["trips"] = sum(len(group.trips) for group in groups)
        cell["patients"] = 0 if not groups else self.release.threshold if any(
            trip.patient for group in groups for trip in group.trips) else None

        def showing(measure: str) -> list[Group] | None:
            those = [group for group in groups if measure not in group.hidden]
            return None if groups and not those else those

        divided = showing("sourcing")
        cell["sourcingSuppressed"] = divided is None
        in_two = any(group.division == 2 for group in divided or ())
        cell["sourcingBasis"] = "all" if in_two else "classified"
        if divided is not None:
            own, contracted, unclassified = (sum(group.counts[name] for group in divided) for name in CLASSES)
            others = contracted + unclassified if in_two else contracted
            cell |= {"inHouse": own, "contracted": others, "unclassified": None if in_two else unclassified,
                     "inHousePercent": half_up(100 * own, own + others), "inHouseShare": half_up(10_000 * own, own + others)}
        costed = showing("cost")
        if costed is not None:
            cents, count = sum(sum(group.cents.values()) for group in costed), sum(group.costed for group in costed)
            cell |= {"totalCost": cents, "costedTrips": count, "costPerTrip": half_up(cents, count)}
        by_class = showing("costBySourcing")
        if by_class is not None:
            own, contracted, unclassified = (sum(group.cents[name] for group in by_class) for name in CLASSES)
            cell |= {"inHouseCost": own, "contractedCost": contracted + (unclassified if in_two else 0)}
        miles = {}
        for name in ("loaded", "unloaded"):
            those = showing(name + "Miles")
            if those is not None:
                miles[name] = sum(sum(getattr(group, name)) for group in those)
                cell[name + "Miles"] = half_up(miles[name], 10)
        if not hidden & {"cost", "loadedMiles"} and miles["loaded"] > 0:
            cell["costPerLoadedMile"] = half_up(100 * cents, miles["loaded"])
        if not hidden & {"loadedMiles", "unloadedMiles"}:
            cell["loadedMileRatio"] = half_up(10_000 * miles["loaded"], sum(miles.values()))
        for place, name in enumerate(INTERVALS):
            those = showing(name)
            cell[name] = self.interval(place, those) if those is not None else {}
            if name in WITHOUT_MEAN:
                cell[name].pop("mean", None)
        return cell

    @staticmethod
    def interval(place: int, groups: list[Group]) -> dict:
        values = [second for group in groups for second in group.intervals[place]]
        shown = {"used": len(values), "excluded": sum(len(group.trips) for group in groups) - len(values)}
        if values:
            shown["mean"] = half_up(10 * sum(values), len(values))
            shown |= {f"p{percent}": 10 * half_up(nearest_rank(values, percent), 10) for percent in (50, 90)}
        return shown

    @property
    def merged(self) -> list[tuple]:
        """(month, the leaves' names, trips) of groups of several leaves that reach into the selection."""
        names = self.release.names
        return [(month, [(names[0][r], names[1][t]) for r, t in sorted(group.scope)], len(group.trips))
                for month in self.months for group in self.release.groups[month]["completed"]
                if len(group.scope) > 1 and group.scope & self.selected]
