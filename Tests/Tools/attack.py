"""An outsider who has what was published, knows every rule and formula, and works out what was hidden.

He reads `kpi-summary.json` and `kpi-cells.csv` of one set or of a series of sets, and nothing else. From them he builds
linear relations between unknowns and asks a linear program (HiGHS) for the least and the greatest value of every count
that is null. `attack(sets)` returns his findings; who has the truth can tell what they are worth.

Unknowns, for each leaf (month × region × trip type): trips; cancelled; no-shows; trips by sourcing; costed trips and
cents by sourcing; for each interval used trips and seconds; loaded and unloaded miles. Counts and miles are not
negative; costs may be.

Relations that are used:
- every figure of every cell, at each level of "All", is the sum of its leaves: trips, cancelled, noShow, the three
  classes, costedTrips, totalCost, inHouseCost, contractedCost, used, excluded, loadedMiles, unloadedMiles;
- in each leaf: trips = inHouse + contracted + unclassified; costed ≤ trips of a class; used + excluded = trips;
  seconds ≤ 24 h × used; no costed trips, no cost;
- rounded quotients, as the interval that rounds half up to them: inHousePercent, inHouseShare, costPerTrip × costed
  trips = cost, mean × used = seconds, loadedMileRatio; also where the count beside them is hidden;
- totalTrips and chartData by `months` (the rest of the head and the cards repeat cells: `check_disclosure.py` sees to it);
- comparisons: trips, previous month and year, both changes (rounded), rolling 12 months and fiscal year to date, trips
  and cost;
- quality: trips + cancelled + noShow ≤ added (the rest is void); excluded ≤ warnings of intervals; unmapped_region and
  unmapped_trip_type ≤ all of `Unassigned`; cost_on_uncompleted_trip ≤ cancelled + noShow;
- a month, region `Unassigned` or type `Unassigned` that is listed has at least one trip, cancelled trip or no-show;
- 0 is shown, so the trips of a hidden cell are at least 1 (`zeros_are_shown`);
- what CSV shows and JSON does not, and the other way round; patients `11+` say nothing that trips do not;
- trips.ndjson.gz where it is given: of a year, type and class at least its rows, and at most a group less one more;
- in a series: what did not change from set to set has the same unknowns (`leaf_versions`).

Not used: p50 and p90 (bounds on sums only), costPerLoadedMile (a quotient of two sums that are not published),
bad_cost and the other warnings, missingDays, `before` of restatements (it stood in an earlier set), trends (they compare
shown figures), dashboard.html (the same figures), that hidden counts are integers beyond rounding the ends of each
interval, that families share their trips (unless `joint`), and what can be learned from which cells were chosen as
partners.
"""
import collections
import csv
import gzip
import io
import itertools
import json
from dataclasses import dataclass, field
from decimal import Decimal

import highspy
import numpy
from scipy.sparse import csr_matrix

ALL, UNASSIGNED = "All", "Unassigned"
INTERVALS = ("duration", "response", "turnout", "scene", "transport", "turnaround")
SOURCING = ("inHouse", "contracted", "unclassified")
FAMILIES = ("status", "sourcing", "cost", "miles", *INTERVALS)
COUNTS = {"status": ("trips", "cancelled", "noShow"), "sourcing": SOURCING, "cost": ("costedTrips",), "miles": (),
          **{name: (f"{name}.used", f"{name}.excluded") for name in INTERVALS}}
SUMS = {"status": (), "sourcing": (), "cost": ("totalCost", "inHouseCost", "contractedCost"),
        "miles": ("loadedMiles", "unloadedMiles"), **{name: (f"{name}.sum",) for name in INTERVALS}}
EVERY_SUM = {figure for figures in SUMS.values() for figure in figures}
# Sums are kept in these many units, so that coefficients are neither tiny nor huge.
DOLLARS, SECONDS, MILES = 100.0, 1000.0, 10.0
NEAR = 0.10  # a sum is exposed when it is known to a tenth of itself
CSV_NAMES = {"noShow": "no_show", "inHouse": "in_house", "costedTrips": "costed_trips", "tripType": "trip_type",
             "inHousePercent": "in_house_percent", "inHouseShare": "in_house_share",
             "totalCost": "total_cost_dollars", "inHouseCost": "in_house_cost_dollars",
             "contractedCost": "contracted_cost_dollars", "costPerTrip": "cost_per_trip_dollars",
             "loadedMiles": "loaded_miles", "unloadedMiles": "unloaded_miles",
             "loadedMileRatio": "loaded_mile_ratio", "costPerLoadedMile": "cost_per_loaded_mile_dollars",
             **{name: name for name in ("trips", "cancelled", "contracted", "unclassified")}}
for _name in INTERVALS:
    CSV_NAMES |= {f"{_name}.{part}": f"{_name}_{part}{unit}" for part, unit in
                  (("used", ""), ("excluded", ""), ("mean", "_seconds"), ("p50", "_seconds"), ("p90", "_seconds"))}


class PublishedSet:
    """What one set shows: cell key → figure name → number (absent where null)."""

    def __init__(self, summary, cells_csv=None, name="set", rows=None):
        self.name = name
        self.summary = json.loads(summary, parse_float=Decimal)
        self.only_in_csv = []
        self.small_patients = []
        self.fingerprints = None  # see leaf_versions
        self.cells = {self.key(cell): flat(cell) for cell in self.summary["cells"]}
        self.minimum = self.summary["privacy"]["minimumCell"]
        if cells_csv:
            self.read_csv(cells_csv)
        self.group, self.rows, self.has_providers = None, collections.Counter(), False
        if rows:
            self.read_rows(gzip.decompress(rows).decode().splitlines())
        keys = list(self.cells)
        self.months, self.regions, self.types = (
            list(dict.fromkeys(key[axis] for key in keys if key[axis] != ALL)) for axis in range(3))

    @staticmethod
    def key(cell):
        return cell["month"], cell["region"], cell["tripType"]

    def read_csv(self, text):
        text = text.decode() if isinstance(text, bytes) else text
        for row in csv.DictReader(io.StringIO(text, newline="")):
            key = row["month"], row["region"], row["trip_type"]
            cell = self.cells.setdefault(key, {})
            if row.get("patients", "").isdigit() and 0 < int(row["patients"]) < self.minimum:
                self.small_patients.append(key)
            for name, column in CSV_NAMES.items():
                if row.get(column) and name not in cell and name != "tripType":
                    cell[name] = Decimal(row[column])
                    self.only_in_csv.append((key, name))

    def read_rows(self, lines):
        """`trips.ndjson.gz`: rows by year, trip type and class."""
        for entry in map(json.loads, lines):
            if "header" in entry:
                self.group = entry["header"].get("minimumGroup")
                continue
            self.rows[entry["date"][:4], entry["tripType"], entry["sourcing"]] += 1
            self.has_providers |= bool(entry["provider"])

    def leaves(self, key):
        month, region, kind = key
        return [(m, r, t) for m in (self.months if month == ALL else [month])
                for r in (self.regions if region == ALL else [region])
                for t in (self.types if kind == ALL else [kind])]

    def children(self, key):
        """The cells that a cell is the sum of, in each of the directions in which it is a sum."""
        for axis, values in enumerate((self.months, self.regions, self.types)):
            if key[axis] == ALL:
                yield [(*key[:axis], value, *key[axis + 1:]) for value in values]


def flat(cell):
    figures = {}
    for name, value in cell.items():
        if isinstance(value, dict):
            figures |= {f"{name}.{part}": number for part, number in value.items() if number is not None}
        elif value is not None and not isinstance(value, (str, bool)):
            figures[name] = value
    return figures


@dataclass
class Finding:
    """What the attacker says of one hidden count or sum."""
    kind: str  # determined, inside, small (0 not ruled out), zero, isolated
    set_name: str
    cells: tuple  # one cell, or the hidden parts of a total
    figure: str
    low: float
    high: float


@dataclass
class Target:
    published: PublishedSet
    cells: tuple
    figure: str
    is_sum: bool
    terms: dict
    constant: float = 0.0


@dataclass
class Report:
    findings: list = field(default_factory=list)
    hidden: int = 0  # hidden counts that were asked about
    programs: int = 0  # linear programs solved
    infeasible: list = field(default_factory=list)  # families whose relations contradict each other
    given_up: int = 0

    def of(self, *kinds):
        return [finding for finding in self.findings if finding.kind in kinds]


class Relations:
    """Columns with bounds, and rows `low ≤ Σ coefficient × column ≤ high`."""

    def __init__(self):
        self.index, self.low, self.high, self.rows = {}, [], [], {}

    def column(self, name, low=0.0, high=numpy.inf):
        place = self.index.get(name)
        if place is None:
            place = self.index[name] = len(self.low)
            self.low.append(low)
            self.high.append(high)
        return place

    def row(self, terms, low, high):
        """Terms: column → coefficient. Of rows over the same columns the narrower bounds count."""
        key = tuple(sorted((c, k) for c, k in terms.items() if k))
        if key in self.rows:
            before = self.rows[key]
            low, high = max(low, before[0]), min(high, before[1])
        self.rows[key] = (low, high)

    def presolve(self):
        """Takes over rows that speak of one column, and sums of counts that are 0, until nothing changes."""
        low, high = numpy.array(self.low), numpy.array(self.high)
        rows = [(list(key), *bounds) for key, bounds in self.rows.items()]
        changed = True
        while changed:
            changed, kept = False, []
            for terms, least, greatest in rows:
                free = [(c, k) for c, k in terms if high[c] - low[c] > 1e-12]
                if len(free) < len(terms):
                    base = sum(k * low[c] for c, k in terms if high[c] - low[c] <= 1e-12)
                    least, greatest = least - base, greatest - base
                if not free:
                    if least > 1e-4 or greatest < -1e-4:
                        raise Infeasible
                    continue
                if len(free) == 1:
                    c, k = free[0]
                    ends = sorted((least / k, greatest / k))
                    low[c], high[c] = max(low[c], ends[0]), min(high[c], ends[1])
                    if high[c] < low[c]:
                        if high[c] < low[c] - 1e-6:
                            raise Infeasible
                        high[c] = low[c]
                    changed = True
                    continue
                if abs(greatest) < 1e-9 and all(k > 0 and low[c] == 0 for c, k in free):
                    for c, _ in free:
                        high[c] = 0.0
                    changed = True
                    continue
                kept.append((free, least, greatest))
            rows = kept
            for (leaf, part), place in self.index.items():  # no costed trips, no cost
                if part.startswith("costed.") and high[place] == 0:
                    cost = self.index[(leaf, part.replace("costed.", "cost."))]
                    if high[cost] > low[cost]:
                        low[cost] = high[cost] = 0.0
                        changed = True
        return low, high, rows


class Infeasible(Exception):
    pass


class Program:
    """One HiGHS model whose objective changes; the basis is kept, so each next solution is near."""

    ANSWERS = (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kUnbounded,
               highspy.HighsModelStatus.kUnboundedOrInfeasible)

    def __init__(self, low, high, rows):
        self.free = numpy.flatnonzero(high - low > 1e-12)
        self.place = numpy.full(len(low), -1)
        self.place[self.free] = numpy.arange(len(self.free))
        self.base = numpy.where(high - low > 1e-12, 0.0, low)
        self.solved = 0
        self.solver = highspy.Highs()
        for option, value in (("output_flag", False), ("threads", 1), ("solver", "simplex"),
                              ("primal_feasibility_tolerance", 1e-9), ("dual_feasibility_tolerance", 1e-9)):
            self.solver.setOptionValue(option, value)
        empty = numpy.array([], dtype=numpy.int32)
        self.solver.addCols(len(self.free), numpy.zeros(len(self.free)), low[self.free], high[self.free],
                            0, empty, empty, numpy.array([]))
        starts = numpy.cumsum([0] + [len(row[0]) for row in rows])[:-1].astype(numpy.int32)
        places = numpy.array([self.place[c] for row in rows for c, _ in row[0]], dtype=numpy.int32)
        factors = numpy.array([k for row in rows for _, k in row[0]], dtype=float)
        status = self.solver.addRows(len(rows), numpy.array([row[1] for row in rows], dtype=float),
                            numpy.array([row[2] for row in rows], dtype=float), len(places), starts, places, factors)
        if status != highspy.HighsStatus.kOk or self.solver.getNumRow() != len(rows):
            raise RuntimeError("the solver does not take the relations")
        self.matrix = csr_matrix(
            (factors, places, numpy.append(starts, len(places))), shape=(len(rows), len(self.free)))
        self.least = numpy.array([row[1] for row in rows], dtype=float) - 1e-5
        self.greatest = numpy.array([row[2] for row in rows], dtype=float) + 1e-5
        self.all = numpy.arange(len(self.free), dtype=numpy.int32)
        self.cost = numpy.zeros(len(self.free))

    def first(self):
        """Any solution."""
        self.solver.run()
        if self.solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise Infeasible
        self.patient()
        found = self.solution()
        if found is None:
            raise RuntimeError("the solver's first solution breaks the relations")
        return found

    def patient(self):
        """Primal simplex without presolve: the basis stays feasible when the objective changes."""
        self.solver.setOptionValue("presolve", "off")
        self.solver.setOptionValue("simplex_strategy", 4)

    def solution(self):
        """All columns, or nothing if the solver is mistaken and they break a relation."""
        values = self.base.copy()
        found = numpy.array(self.solver.getSolution().col_value)
        sums = self.matrix @ found
        if (sums < self.least).any() or (sums > self.greatest).any():
            return None
        values[self.free] = found
        return values

    def extreme(self, terms, sense):
        """The greatest (sense 1) or least (-1) of Σ terms over the free columns, and where; infinite: unbounded."""
        self.cost[:] = 0.0
        for c, k in terms:
            self.cost[self.place[c]] = -sense * k
        self.solver.changeColsCost(len(self.all), self.all, self.cost)
        self.solver.run()
        self.solved += 1
        status = self.solver.getModelStatus()
        if status not in self.ANSWERS:  # lost in the numbers: once more from the start
            self.solver.clearSolver()
            for option, value in (("presolve", "on"), ("simplex_strategy", 1)):
                self.solver.setOptionValue(option, value)
            self.solver.run()
            status = self.solver.getModelStatus()
            self.patient()
        if status == highspy.HighsModelStatus.kOptimal:
            return -sense * self.solver.getInfo().objective_function_value, self.solution()
        if status in self.ANSWERS:
            return sense * numpy.inf, None
        self.solver.clearSolver()
        return None, None


class Builder:
    """Writes the relations of one family of figures, or of all together, over one set or a series."""

    def __init__(self, sets, families, zeros_are_shown):
        self.sets, self.families, self.zeros_are_shown = sets, set(families), zeros_are_shown
        self.relations = Relations()
        self.versions = leaf_versions(sets)
        self.terms_of = {}
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
        elif self.zeros_are_shown:
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
                    quotient(average / DOLLARS, 0.005 / DOLLARS, "totalCost", "costedTrips")
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
                    quotient(mean / SECONDS, 0.05 / SECONDS, f"{name}.sum", f"{name}.used")

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
            relations.row(self.terms(number, everything, *whole), 0.0, quality["added"])
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


def is_shown(cell, figure):
    """Whether the cell tells the sum: itself, or as a mean over a count."""
    if not figure.endswith(".sum"):
        return figure in cell
    name = figure.removesuffix(".sum")
    return cell.get(f"{name}.used") == 0 or f"{name}.mean" in cell and f"{name}.used" in cell


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


def attack(sets, families=FAMILIES, joint=False, zeros_are_shown=True, may_be_small=None):
    """All that an outsider learns from the sets together.

    - joint: one system of all families, instead of one for each.
    - may_be_small: a filter on targets that are sums, for who knows the truth and wants to save time.
    """
    report = Report()
    for family in [families] if joint else [[each] for each in families]:
        if "cost" in family and "sourcing" not in family:
            family = [*family, "sourcing"]
        try:
            solve(Builder(sets, family, zeros_are_shown), report, may_be_small,
                  skip=SOURCING if not joint and "cost" in family else ())
        except Infeasible:
            report.infeasible.append("+".join(family))
    return report


def solve(builder, report, may_be_small, skip=()):
    targets = [target for target in builder.targets(may_be_small) if target.figure not in skip]
    report.hidden += sum(not target.is_sum for target in targets)
    if not targets:
        return
    low, high, rows = builder.relations.presolve()
    program = Program(low, high, rows)
    is_free = high - low > 1e-12
    whole = csr_matrix(
        (numpy.concatenate([list(target.terms.values()) for target in targets]),
         numpy.concatenate([list(target.terms) for target in targets]),
         numpy.cumsum([0] + [len(target.terms) for target in targets])), shape=(len(targets), len(low)))
    values = program.first() if len(program.free) else program.base
    least = whole @ values
    greatest = least.copy()
    tolerance = 1e-3 if builder.families & {"cost", *INTERVALS} else 1e-6

    def learn(solution):
        if solution is not None:
            seen = whole @ solution
            numpy.minimum(least, seen, out=least)
            numpy.maximum(greatest, seen, out=greatest)

    for place, target in enumerate(targets):
        minimum = target.published.minimum
        terms = [(c, k) for c, k in target.terms.items() if is_free[c]]

        def is_safe():
            whole_low, whole_high = numpy.ceil(least[place] - tolerance), numpy.floor(greatest[place] + tolerance)
            return whole_high >= minimum and whole_high > whole_low

        ends = [least[place], greatest[place]]
        if terms:
            if not target.is_sum and is_safe():
                continue
            for sense, end in ((1, 1), (-1, 0)):
                found, solution = program.extreme(terms, sense)
                if found is None:
                    report.given_up += 1
                    ends[end] = sense * numpy.inf
                    continue
                ends[end] = found + sum(k * low[c] for c, k in target.terms.items() if not is_free[c])
                learn(solution)
                if not numpy.isfinite(found) and target.is_sum or not target.is_sum and is_safe():
                    break
            else:
                judge(target, *ends, tolerance, report)
        else:
            judge(target, *ends, tolerance, report)
    report.programs += program.solved


def judge(target, low, high, tolerance, report):
    add = lambda kind, low, high: report.findings.append(
        Finding(kind, target.published.name, target.cells, target.figure, float(low), float(high)))
    if target.is_sum:
        width, middle = high - low, (high + low) / 2
        unit = DOLLARS if "Cost" in target.figure else MILES if "Miles" in target.figure else SECONDS
        if width <= NEAR * abs(middle) and abs(middle) * unit > 0.01:
            add("isolated", low * unit, high * unit)
        return
    low, high = numpy.ceil(low - tolerance), numpy.floor(high + tolerance)
    if high <= low:
        add("zero" if high == 0 else "determined", low, high)
    elif high < target.published.minimum:
        add("inside" if low >= 1 else "small", low, high)
