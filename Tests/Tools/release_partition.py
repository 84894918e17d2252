"""The release, written a second time in Python: a reference for `Sources/Privacy` and for the documents of a release.

A leaf is (region, trip type); index 0 of either list is Unassigned. The trips of a month are five populations, and `partition`
divides one of them into groups of leaves (docs/decisions/0030). `Release` does so for all months; `Table` has what a document
of all or of a part of them shows. Nothing here knows of Swift's code; docs/privacy.md states the rule.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

Leaf = tuple[int, int]
ALL = "All"
CLASSES = ("inHouse", "contracted", "unclassified")
COMPLETED = (*CLASSES, "completed")
NOT_RUN = {"cancelled": "cancelled", "noShow": "no_show"}
POPULATIONS = (*COMPLETED, *NOT_RUN)
INTERVALS = ("duration", "response", "turnout", "scene", "transport", "turnaround")
# Response, scene, transport and turnaround add up to duration: the sums of all five would disclose those of the few trips that
# lack a time between. So one has no mean.
WITHOUT_MEAN = ("turnaround",)
MEASURES = ("cost", "loadedMiles", "unloadedMiles", *INTERVALS)
# What `incompleteMeasures` may name, in its order.
PARTIAL = ("trips", *CLASSES, *NOT_RUN, "cost", "inHouseCost", "contractedCost", "loadedMiles", "unloadedMiles",
           "costPerLoadedMile", *INTERVALS)


# The rule.

def order_of_leaves(leaves: Iterable[Leaf], line: int = 0) -> list[Leaf]:
    """Unassigned first, then from the end of the lists. `line`: 0 if leaves are merged within regions, 1 within trip types."""
    def rank(leaf: Leaf) -> tuple[int, int, int]:
        own, other = leaf[line], leaf[1 - line]
        unassigned = 0 if own == other == 0 else 1 if own == 0 else 2 if other == 0 else 3
        return unassigned, -own, -other

    return sorted(leaves, key=rank)


def partition(trips: dict[Leaf, int], is_large: Callable[[list[Leaf]], bool], threshold: int = 11,
              line: int = 0) -> list[list[Leaf]] | None:
    """The groups of a population; None: it is not published. Leaves in no group have no trips.

    `is_large` is whether some leaves together have enough trips, patients and values.
    """
    order = order_of_leaves(trips, line)
    least = 2 * threshold - 1

    def count(leaves: Iterable[Leaf]) -> int:
        return sum(trips[leaf] for leaf in leaves)

    def has(leaves: list[Leaf], fewest: int) -> bool:
        return count(leaves) >= fewest and is_large(leaves)

    def may_be_alone(leaves: list[Leaf], parts: int) -> bool:
        """Any of the parts may then be empty while the others are small."""
        return is_large(leaves) and count(leaves) <= (threshold - 1) * (parts - 1)

    if not is_large(order):
        return None
    alone = [leaf for leaf in order if is_large([leaf])]
    lines = [list(leaves) for _, leaves in itertools.groupby(
        sorted(order, key=lambda leaf: (leaf[line] != 0, -leaf[line])), key=lambda leaf: leaf[line])]
    rests = [[leaf for leaf in leaves if leaf not in alone] for leaves in lines]
    if count(itertools.chain(*rests)) == 0:
        return [[leaf] for leaf in alone]
    joining = 2 if sum(len(rest) for leaves, rest in zip(lines, rests) if count(leaves)) == 1 else 1
    # Of each line: its group of several leaves, if it has one; None: it fails.
    groups: list[list[Leaf] | None] = []
    for leaves, rest in zip(lines, rests):
        own = [leaf for leaf in leaves if leaf in alone][:joining]
        if not rest:
            groups.append([])
        elif may_be_alone(rest, len(rest)):
            groups.append(rest)
        elif len(own) == joining and has(rest + own, least):
            groups.append(rest + own)
        elif len(leaves) > 2 and has(leaves, least):
            groups.append(leaves)
        else:
            groups.append(None)
    failing = [leaves for leaves, group in zip(lines, groups) if group is None]
    pool = list(itertools.chain(*failing))
    if count(pool) == 0:
        pool = []
    elif not may_be_alone(pool, len(failing)):
        place = next((place for place, group in enumerate(groups) if group is not None), None)
        if place is None:
            return [order]
        first = [leaf for leaf in lines[place] if leaf in alone and leaf not in (groups[place] or ())][:1]
        if first and len(pool) > 1 and has(pool + first, least):
            pool += first
        else:
            pool += lines[place]
            groups[place] = []
            if len(pool) < 3 or not has(pool, 3 * threshold - 2):
                return [order]
    merged = [group for group in (*groups, pool) if group]
    taken = set(itertools.chain(*merged))
    return merged + [[leaf] for leaf in alone if leaf not in taken]


# Trips and groups.

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

    def value(self, measure: str) -> int | None:
        if measure in INTERVALS:
            return self.seconds[INTERVALS.index(measure)]
        return {"cost": self.cents, "loadedMiles": self.loaded, "unloadedMiles": self.unloaded}[measure]


def values(trips: Iterable[Trip], measure: str) -> list[int]:
    return [value for trip in trips if (value := trip.value(measure)) is not None]


def people(trips: Iterable[Trip]) -> int | None:
    """Distinct patients; None: no trip names one."""
    named = {trip.patient for trip in trips if trip.patient}
    return len(named) if named else None


def has_enough(trips: list[Trip], measures: Iterable[str], threshold: int) -> bool:
    """Large: enough trips, patients if they are named, and of each measure no value or enough."""
    named = people(trips)
    return len(trips) >= threshold and (named is None or named >= threshold) and all(
        len(values(trips, measure)) not in range(1, threshold) for measure in measures)


def published_measures(trips: list[Trip], threshold: int) -> list[str]:
    """Those that no trip of a population has, or enough of them and at least half."""
    return [measure for measure in MEASURES for count in [len(values(trips, measure))]
            if count == 0 or count >= threshold and 2 * count >= len(trips)]


class Group:
    """Trips of one group, and the measures that it publishes."""

    def __init__(self, leaves: Iterable[Leaf], trips: list[Trip], published: Iterable[str], threshold: int):
        self.leaves, self.trips = frozenset(leaves), trips
        self.measures = {measure for measure in published if len(values(trips, measure)) not in range(1, threshold)}


class Population:
    """The groups of a population that is published."""

    def __init__(self, by_leaf: dict[Leaf, list[Trip]], leaves: list[Leaf], threshold: int, line: int, is_completed: bool):
        def of(some: Iterable[Leaf]) -> list[Trip]:
            return [trip for leaf in some for trip in by_leaf.get(leaf, ())]

        trips = of(leaves)
        self.published = published_measures(trips, threshold) if is_completed else []
        parts = [] if is_completed and not trips else partition(
            {leaf: len(by_leaf.get(leaf, ())) for leaf in leaves},
            lambda some: has_enough(of(some), self.published, threshold), threshold, line)
        self.groups = None if parts is None else [Group(part, of(part), self.published, threshold) for part in parts]


class Release:
    """The populations of each month, by name; a month without any completed one is withheld."""

    def __init__(self, trips: Iterable[Trip], regions: list[str], types: list[str], threshold: int = 11,
                 keep: str = "region", missing: str = "publish", rounding: int = 10):
        self.names = (["Unassigned", *regions], ["Unassigned", *types])
        self.leaves = [(r, t) for r in range(len(regions) + 1) for t in range(len(types) + 1)]
        self.threshold, self.keep, self.missing, self.rounding = threshold, keep, missing, rounding
        by_month: dict[str, list[Trip]] = {}
        for trip in trips:
            if trip.status != "void":
                by_month.setdefault(trip.month, []).append(trip)
        self.met = sorted(by_month)
        self.months = {month: self.populations(by_month[month]) for month in self.met}

    def populations(self, trips: list[Trip]) -> dict[str, Population]:
        def divided(name: str, status: str, sourcing: str | None = None) -> Population:
            by_leaf: dict[Leaf, list[Trip]] = {}
            for trip in trips:
                if trip.status == status and sourcing in (None, trip.sourcing):
                    by_leaf.setdefault(trip.leaf, []).append(trip)
            return Population(by_leaf, self.leaves, self.threshold, int(self.keep == "type"), name in COMPLETED)

        found = {name: divided(name, "completed", name) for name in CLASSES}
        if found["inHouse"].groups is None or found["contracted"].groups is None or not any(
                own.groups for own in found.values()):
            found = {"completed": divided("completed", "completed")}
        return found | {name: divided(name, status) for name, status in NOT_RUN.items()}

    def groups(self, month: str, population: str) -> list[Group] | None:
        """None: the population is not published."""
        own = self.months[month].get(population)
        return None if own is None else own.groups

    def is_released(self, month: str) -> bool:
        return any(self.groups(month, name) for name in COMPLETED)

    def select(self, regions: set[int] | None = None, types: set[int] | None = None,
               months: set[str] | None = None) -> Table | None:
        """What a report of a part shows; None: nothing, the command ends with 65."""
        table = Table(self, regions, types, [m for m in self.met if months is None or m in months])
        return table if table.is_shown else None


# Figures.

def half_up(numerator: int, denominator: int) -> int | None:
    """The quotient rounded to a whole number, halves away from zero."""
    if denominator == 0:
        return None
    sign = -1 if (numerator < 0) != (denominator < 0) else 1
    return sign * ((2 * abs(numerator) + abs(denominator)) // (2 * abs(denominator)))


def decimal(units: int | None, places: int) -> Decimal | None:
    return None if units is None else Decimal(units).scaleb(-places)


def quotient(numerator: int, denominator: int, places: int) -> Decimal | None:
    return decimal(half_up(numerator * 10 ** places, denominator), places)


def nearest_rank(numbers: list[int], percent: int) -> int:
    return sorted(numbers)[max(0, -(-percent * len(numbers) // 100) - 1)]


class Union:
    """Groups inside a cell, and whether they are all that the cell has."""

    def __init__(self, groups: list[Group], is_whole: bool):
        self.groups, self.is_whole = groups, is_whole
        self.trips = [trip for group in groups for trip in group.trips]

    def showing(self, measure: str) -> Union:
        those = [group for group in self.groups if measure in group.measures]
        return Union(those, self.is_whole and len(those) == len(self.groups))

    @property
    def is_shown(self) -> bool:
        return self.is_whole or bool(self.groups)

    def count(self) -> int | None:
        return len(self.trips) if self.is_shown else None

    def sum(self, measure: str) -> int:
        return sum(values(self.trips, measure))

    def cost(self) -> Decimal | None:
        return decimal(self.sum("cost"), 2) if self.is_whole else None

    def miles(self, measure: str) -> Decimal | None:
        return quotient(self.sum(measure), 100, 1) if self.is_shown else None


class Figures:
    """The figures of completed trips of a cell, or of a group by itself."""

    def __init__(self, union: Union, omits: bool, rounding: int):
        of = {measure: union.showing(measure) for measure in MEASURES}
        self.incomplete = {measure for measure in MEASURES if not of[measure].is_whole}
        cost, loaded, unloaded = of["cost"], of["loadedMiles"], of["unloadedMiles"]
        costed = len(values(cost.trips, "cost"))
        both = [trip for trip in union.trips if trip.cents is not None and trip.loaded]
        is_of_same = cost.is_whole and loaded.is_whole and not omits and len(both) == costed and (
            sum(trip.loaded or 0 for trip in both) == loaded.sum("loadedMiles"))
        if cost.is_whole and loaded.is_whole and loaded.sum("loadedMiles") > 0 and not is_of_same:
            self.incomplete.add("costPerLoadedMile")
        self.costs = {
            "totalCost": cost.cost(),
            "costedTrips": None if omits or not cost.is_shown else costed,
            "costPerTrip": quotient(cost.sum("cost"), 100 * costed, 2) if cost.is_whole and not omits else None}
        self.others = {
            "loadedMiles": loaded.miles("loadedMiles"), "unloadedMiles": unloaded.miles("unloadedMiles"),
            "costPerLoadedMile": quotient(cost.sum("cost"), loaded.sum("loadedMiles"), 2) if is_of_same else None,
            "loadedMileRatio": quotient(loaded.sum("loadedMiles"), loaded.sum("loadedMiles") + unloaded.sum("unloadedMiles"), 4)
            if loaded.is_whole and unloaded.is_whole else None,
            **{name: self.interval(name, of[name], omits, rounding) for name in INTERVALS}}

    @staticmethod
    def interval(name: str, union: Union, omits: bool, rounding: int) -> dict:
        seconds = values(union.trips, name)
        found: dict = dict.fromkeys(("used", "excluded", "mean", "p50", "p90"))
        if union.is_shown and not omits:
            found |= {"used": len(seconds), "excluded": len(union.trips) - len(seconds)}
        if union.is_whole and seconds:
            found |= {f"p{percent}": rounding * (half_up(nearest_rank(seconds, percent), rounding) or 0) for percent in (50, 90)}
            if name not in WITHOUT_MEAN and not omits:
                found["mean"] = quotient(sum(seconds), len(seconds), 1)
        return found


class Table:
    """A document: of the regions, types and months that are asked for."""

    def __init__(self, release: Release, regions: set[int] | None, types: set[int] | None, met: list[str]):
        self.release = release
        self.selected = {leaf for leaf in release.leaves if (regions is None or leaf[0] in regions)
                         and (types is None or leaf[1] in types)}
        self.months = [month for month in met if release.is_released(month)]
        self.withheld = [month for month in met if month not in self.months]
        held = {leaf for month in self.months for name in COMPLETED for group in release.groups(month, name) or ()
                for leaf in group.leaves}
        codes = [[*range(1, len(release.names[axis]))] + ([0] if any(leaf[axis] == 0 for leaf in held) else [])
                 for axis in (0, 1)]
        self.region_codes = [code for code in codes[0] if regions is None or code in regions]
        self.type_codes = [code for code in codes[1] if types is None or code in types]
        # As the CSV says it: nothing if no trip names one.
        self.patients: dict[tuple[str, str, str], str] = {}
        self.cells = {}
        for month in [None, *self.months]:
            for region in [None, *self.region_codes]:
                for kind in [None, *self.type_codes]:
                    key = (month or ALL, ALL if region is None else release.names[0][region],
                           ALL if kind is None else release.names[1][kind])
                    self.cells[key] = dict(zip(("month", "region", "tripType"), key)) | self.cell(key, month, region, kind)
        self.is_shown = not self.cells[ALL, ALL, ALL]["suppressed"] and bool(self.months or not self.withheld)

    def scope(self, region: int | None, kind: int | None) -> set[Leaf]:
        return {leaf for leaf in self.selected if region in (None, leaf[0]) and kind in (None, leaf[1])}

    def union(self, month: str | None, scope: set[Leaf], populations: Iterable[str]) -> Union:
        """`completed` among the populations: all that are completed, as the month has them."""
        groups, is_whole = [], True
        for one in self.months if month is None else [month]:
            names = [name for name in COMPLETED if name in self.release.months[one]] if "completed" in populations else populations
            for name in names:
                own = self.release.groups(one, name)
                if own is None:
                    is_whole = False
                for group in own or ():
                    if group.leaves <= scope:
                        groups.append(group)
                    elif group.leaves & scope:
                        is_whole = False
        return Union(groups, is_whole)

    def cell(self, key: tuple[str, str, str], month: str | None, region: int | None, kind: int | None) -> dict:
        scope = self.scope(region, kind)
        trips = self.union(month, scope, ["completed"])
        of = {name: self.union(month, scope, [name]) for name in (*CLASSES, *NOT_RUN)}
        figures = Figures(trips, self.release.missing == "omit", self.release.rounding)
        own, contracted = of["inHouse"], of["contracted"]
        has_shares = own.is_whole and contracted.is_whole
        both = len(own.trips) + len(contracted.trips)
        incomplete = figures.incomplete | {name for name, union in {**of, "trips": trips}.items() if not union.is_whole}
        costs = {name: of[name].showing("cost") for name in ("inHouse", "contracted")}
        incomplete |= {f"{name}Cost" for name, union in costs.items() if not union.is_whole}
        is_suppressed = not trips.is_shown
        named = any(trip.patient for trip in trips.trips)
        self.patients[key] = "" if is_suppressed else "0" if not trips.groups else f"{self.release.threshold}+" if named else ""
        cell = {
            "suppressed": is_suppressed, "complete": trips.is_whole, "revisionPending": False,
            "sourcingSuppressed": is_suppressed or own.count() is None, "sourcingBasis": "classified",
            "incompleteMeasures": [] if is_suppressed else [name for name in PARTIAL if name in incomplete]}
        shown = {
            "trips": trips.count(), **{name: of[name].count() for name in (*NOT_RUN, *CLASSES)},
            "inHousePercent": half_up(100 * len(own.trips), both) if has_shares else None,
            "inHouseShare": quotient(len(own.trips), both, 4) if has_shares else None,
            "totalCost": figures.costs["totalCost"], "inHouseCost": costs["inHouse"].cost(),
            "contractedCost": costs["contracted"].cost(), "costedTrips": figures.costs["costedTrips"],
            "costPerTrip": figures.costs["costPerTrip"], "costNotRun": None, **figures.others}
        return cell | (without_figures(shown) if is_suppressed else shown)

    @property
    def groups(self) -> list[dict]:
        """`groups` of the document: those that reach into the selection."""
        found = []
        for month in self.months:
            for population in POPULATIONS:
                own = [group for group in self.release.groups(month, population) or () if group.leaves & self.selected]
                for group in sorted(own, key=lambda group: min(group.leaves)):
                    figures = Figures(Union([group], True), self.release.missing == "omit", self.release.rounding)
                    leaves = sorted(group.leaves)
                    found.append({
                        "month": month, "population": population, "regions": [self.release.names[0][r] for r, _ in leaves],
                        "tripTypes": [self.release.names[1][t] for _, t in leaves], "revisionPending": False,
                        "trips": len(group.trips), **({} if population in NOT_RUN else figures.costs | figures.others)})
        return found

    @property
    def merged_groups(self) -> list[dict]:
        return [{name: group[name] for name in ("month", "regions", "tripTypes", "trips")} for group in self.groups
                if len(group["regions"]) > 1 and group["population"] in COMPLETED]

    def document(self) -> dict:
        """Those keys of `kpi-summary.json` that depend on groups."""
        overall, omits = self.cells[ALL, ALL, ALL], self.release.missing == "omit"
        shown = [month for month in self.months if not self.cells[month, ALL, ALL]["suppressed"]]
        withheld = {"avgDuration": omits or "duration" in overall["incompleteMeasures"],
                    "inHousePercent": bool({"inHouse", "contracted"} & {*overall["incompleteMeasures"]}),
                    "cost": omits or "cost" in overall["incompleteMeasures"]}
        return {
            "contractVersion": "1.2", "audience": "release", "totalTrips": overall["trips"],
            "avgDuration": overall["duration"]["mean"] or 0, "inHousePercent": overall["inHousePercent"] or 0,
            "cost": overall["costPerTrip"] or 0, "chartData": [self.cells[month, ALL, ALL]["trips"] for month in shown],
            "months": shown, "withheldMonths": sorted({*self.withheld, *self.months} - {*shown}),
            "filters": {"months": [ALL, *shown], "regions": [ALL] + [self.release.names[0][code] for code in self.region_codes],
                        "tripTypes": [ALL] + [self.release.names[1][code] for code in self.type_codes]},
            "cells": list(self.cells.values()), "mergedGroups": self.merged_groups, "groups": self.groups,
            "withheldHeadlines": [name for name, is_withheld in withheld.items() if is_withheld],
            "privacy": {"minimumCell": self.release.threshold,
                        "suppressedCells": sum(cell["suppressed"] for cell in self.cells.values()),
                        **({"missingCounts": "omitted"} if omits else {})}}


def without_figures(shown: dict) -> dict:
    return {name: dict.fromkeys(value) if isinstance(value, dict) else None for name, value in shown.items()}
