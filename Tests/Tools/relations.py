"""Turns published sets into linear relations between the counts and sums of leaves; `attack.py` says which."""
import itertools
from dataclasses import dataclass

import numpy

from linear_program import Relations
from published_set import ALL, COUNTS, EVERY_SUM, INTERVALS, SOURCING, SUMS, UNASSIGNED, PublishedSet, is_shown

# Sums are kept in these many units, so that coefficients are neither tiny nor huge.
DOLLARS, SECONDS, MILES = 100.0, 1000.0, 10.0


@dataclass
class Target:
    published: PublishedSet
    cells: tuple
    figure: str
    is_sum: bool
    terms: dict
    constant: float = 0.0


class Builder:
    """Writes the relations of one family of figures, or of all together, over one set or a series."""

    def __init__(self, sets, families, zeros_are_shown):
        self.sets, self.families, self.zeros_are_shown = sets, set(families), zeros_are_shown
        self.relations = Relations()
        self.versions = leaf_versions(sets)
        # There hidden cells may be 0.
        self.alone = [months_alone(published) for published in sets]
        for number, published in enumerate(sets):
            for leaf in published.leaves((ALL, ALL, ALL)):
                self.leaf(number, leaf)
            for key, cell in published.cells.items():
                self.cell(number, key, cell)
            self.rest(number, published)

    # What a figure of a cell is made of.

    PARTS = {"trips": {"trips": 1}, "cancelled": {"cancelled": 1}, "noShow": {"noShow": 1},
             **{name: {name: 1} for name in SOURCING},
             "costedTrips": {f"costed.{name}": 1 for name in SOURCING},
             "totalCost": {f"cost.{name}": 1 for name in SOURCING},
             "inHouseCost": {"cost.inHouse": 1}, "contractedCost": {"cost.contracted": 1},
             "classified": {"inHouse": 1, "contracted": 1},
             "loadedMiles": {"loadedMiles": 1}, "unloadedMiles": {"unloadedMiles": 1},
             **{f"{name}.used": {f"{name}.used": 1} for name in INTERVALS},
             **{f"{name}.excluded": {"trips": 1, f"{name}.used": -1} for name in INTERVALS},
             **{f"{name}.sum": {f"{name}.sum": 1} for name in INTERVALS}}

    def terms(self, number, key, *figures_and_factors):
        """Column → coefficient of Σ factor × figure of the cell."""
        found = {}
        for figure, factor in figures_and_factors:
            for leaf in self.sets[number].leaves(key):
                leaf = self.versions[number][leaf]
                for part, sign in self.PARTS[figure].items():
                    place = self.relations.index[(leaf, part)]
                    found[place] = found.get(place, 0.0) + factor * sign
        return found

    def leaf(self, number, leaf):
        leaf = self.versions[number][leaf]
        relations = self.relations
        if (leaf, "trips") in relations.index:
            return
        column = lambda part, low=0.0: relations.column((leaf, part), low)
        trips = column("trips")
        if "status" in self.families:
            column("cancelled"), column("noShow")
        if self.families & {"sourcing", "cost"}:
            relations.row({trips: 1.0, **{column(name): -1.0 for name in SOURCING}}, 0.0, 0.0)
        if "cost" in self.families:
            for name in SOURCING:
                relations.row({column(name): 1.0, column(f"costed.{name}"): -1.0}, 0.0, numpy.inf)
                column(f"cost.{name}", -numpy.inf)
        if "miles" in self.families:
            column("loadedMiles"), column("unloadedMiles")
        for name in self.families.intersection(INTERVALS):
            used, seconds = column(f"{name}.used"), column(f"{name}.sum")
            relations.row({trips: 1.0, used: -1.0}, 0.0, numpy.inf)
            relations.row({used: 86_400 / SECONDS, seconds: -1.0}, 0.0, numpy.inf)

    def cell(self, number, key, cell):
        relations = self.relations

        def equal(figure, value, unit=1.0, slack=0.0):
            relations.row(self.terms(number, key, (figure, 1.0)), (value - slack) / unit, (value + slack) / unit)

        def quotient(value, half, above, below):
            """`above / below` rounds to `value`: half a unit either way."""
            for bound, low, high in ((value - half, 0.0, numpy.inf), (value + half, -numpy.inf, 0.0)):
                relations.row(self.terms(number, key, (above, 1.0), (below, -bound)), low, high)

        if "trips" in cell:
            equal("trips", cell["trips"])
        elif self.zeros_are_shown and not (self.alone[number] if key[0] == ALL else key[0] in self.alone[number]):
            relations.row(self.terms(number, key, ("trips", 1.0)), 1.0, numpy.inf)
        if "status" in self.families:
            for name in ("cancelled", "noShow"):
                if name in cell:
                    equal(name, cell[name])
        if self.families & {"sourcing", "cost"}:
            for name in SOURCING:
                if name in cell:
                    equal(name, cell[name])
            if not ("inHouse" in cell and "contracted" in cell):
                for name, unit in (("inHousePercent", 100), ("inHouseShare", 1)):
                    if name in cell:
                        half = 0.005 if unit == 100 else 0.00005
                        quotient(float(cell[name]) / unit, half, "inHouse", "classified")
        if "cost" in self.families:
            if "costedTrips" in cell:
                equal("costedTrips", cell["costedTrips"])
            for name in SUMS["cost"]:
                if name in cell:
                    equal(name, float(cell[name]), DOLLARS)
            if "costPerTrip" in cell:
                average = float(cell["costPerTrip"])
                if "costedTrips" in cell:
                    if "totalCost" not in cell:
                        equal("totalCost", average * cell["costedTrips"], DOLLARS, 0.005 * cell["costedTrips"])
                else:
                    half = rounding(average, 1.0, key)
                    quotient(average / DOLLARS, half / DOLLARS, "totalCost", "costedTrips")
        if "miles" in self.families:
            for name in SUMS["miles"]:
                if name in cell:
                    equal(name, float(cell[name]), MILES, 0.05)
            if "loadedMileRatio" in cell:
                ratio = float(cell["loadedMileRatio"])
                for bound, low, high in ((ratio - 5e-5, 0.0, numpy.inf), (ratio + 5e-5, -numpy.inf, 0.0)):
                    relations.row(
                        self.terms(number, key, ("loadedMiles", 1.0 - bound), ("unloadedMiles", -bound)), low, high)
        for name in self.families.intersection(INTERVALS):
            for part in ("used", "excluded"):
                if f"{name}.{part}" in cell:
                    equal(f"{name}.{part}", cell[f"{name}.{part}"])
            if f"{name}.mean" in cell:
                mean = float(cell[f"{name}.mean"])
                if f"{name}.used" in cell:
                    equal(f"{name}.sum", mean * cell[f"{name}.used"], SECONDS, 0.05 * cell[f"{name}.used"])
                else:
                    half = rounding(mean, 10.0, key)
                    quotient(mean / SECONDS, half / SECONDS, f"{name}.sum", f"{name}.used")

    def rest(self, number, published):
        """What stands outside the cells."""
        relations, summary = self.relations, published.summary
        everything = (ALL, ALL, ALL)
        month_total = lambda month, figure="trips": self.terms(number, (month, ALL, ALL), (figure, 1.0))
        relations.row(self.terms(number, everything, ("trips", 1.0)), summary["totalTrips"], summary["totalTrips"])
        for month, trips in zip(summary["months"], summary["chartData"]):
            relations.row(month_total(month), float(trips), float(trips))
        for entry in summary["comparisons"]:
            self.comparison(number, published, entry)
        quality = summary["quality"]
        warnings = quality["warnings"]
        if "status" in self.families:
            whole = [("trips", 1.0), ("cancelled", 1.0), ("noShow", 1.0)]
            most = numpy.inf if quality["added"] is None else quality["added"]
            relations.row(self.terms(number, everything, *whole), 0.0, most)
            for month in published.months:
                relations.row(self.terms(number, (month, ALL, ALL), *whole), 1.0, numpy.inf)
            for key, names, code in (((ALL, UNASSIGNED, ALL), published.regions, "unmapped_region"),
                                     ((ALL, ALL, UNASSIGNED), published.types, "unmapped_trip_type")):
                if UNASSIGNED in names:
                    relations.row(self.terms(number, key, *whole), max(1, warnings.get(code) or 0), numpy.inf)
            if warnings.get("cost_on_uncompleted_trip"):
                least = warnings["cost_on_uncompleted_trip"]
                relations.row(self.terms(number, everything, *whole[1:]), least, numpy.inf)
        if published.group and self.families & {"sourcing", "cost"}:
            self.row_counts(number, published)
        codes = ("interval_missing", "interval_negative", "interval_too_long", "bad_time")
        if self.families.issuperset(INTERVALS):
            excluded = self.terms(number, everything, *((f"{name}.excluded", 1.0) for name in INTERVALS))
            relations.row(excluded, max(warnings.get(code) or 0 for code in codes[:3]), numpy.inf)
        if all(warnings.get(code) is not None for code in codes):
            most = sum(warnings[code] for code in codes)
            for name in self.families.intersection(INTERVALS):
                relations.row(self.terms(number, everything, (f"{name}.excluded", 1.0)), 0.0, most)

    def row_counts(self, number, published):
        """Rows of a year, type and class come in multiples of a number; what is over is kept back."""
        for year in {month[:4] for month in published.months}:
            months = [month for month in published.months if month.startswith(year)]
            for kind in published.types:
                for name in SOURCING:
                    terms = {}
                    for month in months:
                        terms |= self.terms(number, (month, ALL, kind), (name, 1.0))
                    rows = published.rows[year, kind, name]
                    # With providers there may be more groups than rows tell of.
                    most = numpy.inf if published.has_providers else rows + published.group - 1
                    self.relations.row(terms, rows, most)

    def comparison(self, number, published, entry):
        relations, month = self.relations, entry["month"]
        known = set(published.months)
        year, of_year = map(int, month.split("-"))

        def back(steps):
            index = year * 12 + of_year - 1 - steps
            return f"{index // 12:04d}-{index % 12 + 1:02d}"

        def add(months, figure, low, high):
            if known.issuperset(months):
                terms = {}
                for each in months:
                    for place, factor in self.terms(number, (each, ALL, ALL), (figure, 1.0)).items():
                        terms[place] = terms.get(place, 0.0) + factor
                relations.row(terms, low, high)

        rolling = [back(steps) for steps in range(12)]
        to_date = [back(steps) for steps in range((of_year + 2) % 12 + 1)]
        for name, months in (("trips", [month]), ("previousMonthTrips", [back(1)]), ("previousYearTrips", [back(12)]),
                             ("rolling12Trips", rolling), ("fiscalYearToDateTrips", to_date)):
            if entry.get(name) is not None:
                add(months, "trips", entry[name], entry[name])
        if "cost" in self.families:
            for name, months in (("rolling12Cost", rolling), ("fiscalYearToDateCost", to_date)):
                if entry.get(name) is not None:
                    add(months, "totalCost", float(entry[name]) / DOLLARS, float(entry[name]) / DOLLARS)
        for name, before in (("monthOverMonth", back(1)), ("yearOverYear", back(12))):
            if entry.get(name) is None or before not in known:
                continue
            if all("trips" in published.cells[(each, ALL, ALL)] for each in (month, before)):
                continue
            change = 1.0 + float(entry[name])
            for bound, low, high in ((change - 5e-5, 0.0, numpy.inf), (change + 5e-5, -numpy.inf, 0.0)):
                terms = self.terms(number, (month, ALL, ALL), ("trips", 1.0))
                for place, factor in self.terms(number, (before, ALL, ALL), ("trips", -bound)).items():
                    terms[place] = terms.get(place, 0.0) + factor
                relations.row(terms, low, high)

    # What is asked.

    def targets(self, may_be_small=None):
        """Every hidden count and sum, and of sums also the hidden parts of each total together."""
        seen = set()
        for number, published in enumerate(self.sets):
            for key, cell in published.cells.items():
                for family in self.families:
                    for figure in COUNTS[family]:
                        if figure not in cell:
                            yield from self.target(seen, number, (key,), figure, None)
                    for figure in SUMS[family]:
                        if not is_shown(cell, figure):
                            yield from self.target(seen, number, (key,), figure, may_be_small)
                        for parts in set(self.hidden_parts(published, key, figure)):
                            yield from self.target(seen, number, parts, figure, may_be_small)

    @staticmethod
    def hidden_parts(published, key, figure):
        """What is left of a cell when its parts that are shown are taken off: along one axis, then another, then all."""
        axes = [axis for axis in range(3) if key[axis] == ALL]
        names = (published.months, published.regions, published.types)
        for order in (order for size in range(1, len(axes) + 1) for order in itertools.permutations(axes, size)):
            parts = [key]
            for axis in order:
                parts = [part for whole in parts for name in names[axis]
                         if not is_shown(published.cells[part := (*whole[:axis], name, *whole[axis + 1:])], figure)]
            if parts:
                yield tuple(parts)

    def target(self, seen, number, cells, figure, may_be_small):
        found = Target(self.sets[number], cells, figure, figure in EVERY_SUM, {})
        if may_be_small and not may_be_small(found):
            return
        for key in cells:
            for place, factor in self.terms(number, key, (figure, 1.0)).items():
                found.terms[place] = found.terms.get(place, 0.0) + factor
        key = (figure, frozenset(found.terms))
        if key not in seen:
            seen.add(key)
            yield found


def months_alone(published):
    """Months of which nothing but the total is shown, zeros neither."""
    speaking = {key[0] for key, cell in published.cells.items() if key[1:] != (ALL, ALL) and "trips" in cell}
    return set(published.months) - speaking


def rounding(mean, unit, key):
    """Half of what a mean beside a hidden count is rounded to; a total over months perhaps to twice as much."""
    return unit if key[0] == ALL and mean % (2 * unit) == 0 else unit / 2


def leaf_versions(sets):
    """For each set, leaf → (leaf, number): equal where the leaf is taken to be the same, with the same unknowns.

    A set may bring `fingerprints` (leaf → anything): then leaves with equal ones are the same. So who knows the truth
    can play an outsider who guesses right what did not change.
    """
    versions, last = [], {}
    for published in sets:
        mine = {}
        for month in published.months:
            leaves = published.leaves((month, ALL, ALL))
            if published.fingerprints:
                mine |= {leaf: (leaf, published.fingerprints[leaf]) for leaf in leaves}
                continue
            cells = {key[1:]: cell for key, cell in published.cells.items() if key[0] == month}
            count = 0
            if month in last:
                count, before = last[month]
                is_same = before.keys() == cells.keys() and all(
                    before[key].get(name, value) == value
                    for key, cell in cells.items() for name, value in cell.items())
                if is_same:  # each set may show what the other hides
                    cells = {key: before[key] | cell for key, cell in cells.items()}
                else:
                    count += 1
            last[month] = (count, cells)
            mine |= {leaf: (leaf, count) for leaf in leaves}
        versions.append(mine)
    return versions
