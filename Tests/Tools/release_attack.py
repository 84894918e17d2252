"""The outsider: what follows from published documents alone, by linear algebra and linear programs.

Unknowns are counts, and cents, of each month × region × trip type × sourcing. A document's cells are equations over them:
a cell is the sum of its leaves, without those in the scope of a merged group that reaches beyond the cell. Where a
measure is incomplete the cell says only "at least". `confined` asks HiGHS for the least and greatest value of each count
that is not shown. `isolated` asks which sums of money over few trips are combinations of published ones.

Documents of before the partition (no `mergedGroups`) are read in the same way: there each cell is all of its leaves.
"""
import itertools
import os
from dataclasses import dataclass

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

ALL, CLASSES = "All", ("inHouse", "contracted", "unclassified")


@dataclass
class Cell:
    whole: frozenset  # its (month, region, type)
    leaves: frozenset  # those that its figures of completed trips are of
    numbers: dict
    incomplete: frozenset
    complete: bool


class Reader:
    """One document, as somebody reads it who knows what its keys mean."""

    def __init__(self, summary):
        self.regions = [name for name in summary["filters"]["regions"] if name != ALL]
        self.types = [name for name in summary["filters"]["tripTypes"] if name != ALL]
        self.months = list(dict.fromkeys(c["month"] for c in summary["cells"] if c["month"] != ALL))
        self.scopes = {}
        for group in summary.get("mergedGroups", ()):
            leaves = frozenset((group["month"], *leaf) for leaf in zip(group["regions"], group["tripTypes"]))
            self.scopes[leaves] = group["trips"]
        self.cells = [self.cell(cell) for cell in summary["cells"] if not cell["suppressed"]]

    def cell(self, cell):
        leaves = frozenset(itertools.product(
            self.months if cell["month"] == ALL else [cell["month"]],
            self.regions if cell["region"] == ALL else [cell["region"]],
            self.types if cell["tripType"] == ALL else [cell["tripType"]]))
        whole = leaves
        for scope in self.scopes:
            if not scope <= leaves:
                leaves -= scope
        return Cell(whole, leaves, {k: v for k, v in cell.items() if v is not None},
                    frozenset(cell.get("incompleteMeasures", ())), cell.get("complete", True))


class Equations:
    def __init__(self):
        self.index, self.rows, self.least, self.greatest = {}, [], [], []

    def column(self, *name):
        return self.index.setdefault(name, len(self.index))

    def row(self, columns, least, greatest):
        self.rows.append(columns)
        self.least.append(least)
        self.greatest.append(greatest)

    def matrix(self):
        columns = [c for row in self.rows for c in row]
        starts = numpy.cumsum([0] + [len(row) for row in self.rows])
        return csr_matrix((numpy.ones(len(columns)), columns, starts), (len(self.rows), len(self.index)))


def counts(documents):
    """Equations over trips by class, cancelled trips and no-shows of each leaf."""
    found = Equations()
    for reader in map(Reader, documents):
        for scope, trips in reader.scopes.items():
            found.row([found.column(*leaf, name) for leaf in scope for name in CLASSES], trips, trips)
        for cell in reader.cells:
            # Cancelled trips and no-shows are divided by themselves; what a cell leaves out of them is not published.
            others = ("cancelled",), ("noShow",)
            of = lambda *names: [found.column(*leaf, name)
                                 for leaf in (cell.whole if names in others else cell.leaves) for name in names]
            figures = {"trips": (CLASSES, None), "inHouse": (("inHouse",), "sourcing"),
                       "contracted": (("contracted",), "sourcing"), "unclassified": (("unclassified",), "sourcing"),
                       "cancelled": (("cancelled",), "cancelled"), "noShow": (("noShow",), "noShow")}
            if cell.numbers.get("sourcingBasis") == "all":
                figures["contracted"] = (("contracted", "unclassified"), "sourcing")
            for name, (parts, measure) in figures.items():
                if name in cell.numbers:
                    greatest = numpy.inf if measure in cell.incomplete else cell.numbers[name]
                    found.row(of(*parts), cell.numbers[name], greatest)
    return found


def confined(documents, at_most=10, targets=None):
    """Name → (least, greatest) of each count that cannot be everything from 0 to `at_most`: leaves' trips, their parts,
    cancelled trips and no-shows. Counts that are known to be 0 or larger than `at_most` are no finding."""
    equations = counts(documents)
    if not equations.rows:
        return {}
    matrix = equations.matrix()
    least, greatest = numpy.array(equations.least, float), numpy.array(equations.greatest, float)
    upper = numpy.isfinite(greatest)
    exact = upper & (least == greatest)
    arguments = {"A_eq": matrix[exact], "b_eq": least[exact], "A_ub": -matrix[~exact], "b_ub": -least[~exact]}
    if not (~exact).any():
        arguments = {"A_eq": matrix, "b_eq": least}
    leaves = {}
    for (*leaf, name), column in equations.index.items():
        leaves.setdefault((*leaf, name), []).append(column)
        if name in CLASSES:
            leaves.setdefault((*leaf, "trips"), []).append(column)
    found = {}
    for name, columns in leaves.items():
        if targets is not None and name not in targets:
            continue
        objective = numpy.zeros(matrix.shape[1])
        objective[columns] = 1
        low = linprog(objective, **arguments, method="highs")
        if low.status != 0:
            raise AssertionError(f"the documents contradict each other: {low.message}")
        if low.fun > at_most + 0.5:
            continue
        high = linprog(-objective, **arguments, method="highs")
        bounds = round(low.fun), at_most + 1 if high.status == 3 else round(-high.fun)
        if bounds != (0, 0) and (bounds[0] > 0 or bounds[1] < at_most):
            found[name] = bounds
    return found


def money(documents, publishes=None):
    """Rows over (leaf, class): the published sums of cents, each with the columns it is of.

    `publishes(month, leaves' names, measure)` tells the outsider which groups show a measure, where a cell leaves some out;
    without it such a cell is no equation.
    """
    found = Equations()
    for reader in map(Reader, documents):
        for cell in reader.cells:
            numbers, mixed = cell.numbers, cell.numbers.get("sourcingBasis") == "all"
            for name, parts, measure in (
                    ("totalCost", CLASSES, "cost"), ("inHouseCost", ("inHouse",), "costBySourcing"),
                    ("contractedCost", ("contracted", "unclassified") if mixed else ("contracted",), "costBySourcing")):
                if name not in numbers:
                    continue
                leaves = cell.leaves
                if measure in cell.incomplete:
                    if publishes is None:
                        continue
                    leaves = [leaf for leaf in leaves if publishes(leaf, measure)]
                found.row([found.column(*leaf, part) for leaf in leaves for part in parts], float(numbers[name]), None)
            # What the document says to be 0: a cell that is all in-house has no other cost.
            known = [name for name in CLASSES if numbers.get(name) == 0]
            if len(known) > 0 and "sourcing" not in cell.incomplete and cell.complete:
                for leaf in cell.leaves:
                    for part in known:
                        found.row([found.column(*leaf, part)], 0.0, None)
            if numbers.get("trips") == 0 and cell.complete:
                for leaf in cell.leaves:
                    for part in CLASSES:
                        found.row([found.column(*leaf, part)], 0.0, None)
    return found


def isolated(equations, weights, fewer_than=11, pairs=True):
    """(columns, trips, value) of sums over 1 to `fewer_than - 1` trips that are combinations of published sums; and the
    atoms over so few trips, which a partition does not have.

    Columns that stand in the same rows always come together: such an atom is the least that can be isolated. Single atoms,
    and pairs of small ones, are tested by rank. `weights`: column name → trips with a cost, the truth.
    """
    names = {column: name for name, column in equations.index.items()}
    matrix = equations.matrix().toarray()
    values = numpy.array(equations.least)
    atoms = {}
    for column in range(matrix.shape[1]):
        atoms.setdefault(matrix[:, column].tobytes(), []).append(column)
    trips = lambda columns: sum(weights.get(names[column], 0) for column in columns)
    small = [columns for columns in atoms.values() if 0 < trips(columns) < fewer_than and matrix[:, columns[0]].any()]
    # Coordinates: atoms instead of columns.
    order = list(atoms.values())
    compact = numpy.array([matrix[:, columns[0]] for columns in order]).T
    place = {columns[0]: number for number, columns in enumerate(order)}
    inverse, found = numpy.linalg.pinv(compact.T) if small else None, []
    for chosen in [(one,) for one in small] + list(itertools.combinations(small if pairs else (), 2)):
        if sum(map(trips, chosen)) >= fewer_than:
            continue
        target = numpy.zeros(len(order))
        target[[place[columns[0]] for columns in chosen]] = 1
        answer = inverse @ target
        if numpy.abs(compact.T @ answer - target).max() < 1e-7:
            found.append(([names[column] for columns in chosen for column in columns], sum(map(trips, chosen)),
                          float(answer @ values)))
    return found, small


def by_miles(summary):
    """(cell, dollars, tolerance): total cost less cost per mile × miles. Before the partition this was the cost of the trips
    without loaded miles."""
    for cell in summary["cells"]:
        rate, miles, cost = (cell.get(name) for name in ("costPerLoadedMile", "loadedMiles", "totalCost"))
        if rate and miles and cost is not None:
            yield cell, float(cost - rate * miles), float(miles) * 0.005 + float(rate) * 0.05 + 0.01


CHAIN = ("duration", "response", "scene", "transport", "turnaround")


def by_event_times(summary):
    """(cell, seconds, tolerance): duration less its parts, where all five means are there. It is 0 over trips that have all
    five intervals, so it is a sum over the trips that lack one."""
    for cell in summary["cells"]:
        if set(cell.get("incompleteMeasures", ())) & set(CHAIN) or not all((cell.get(n) or {}).get("used") for n in CHAIN):
            continue
        if any(cell[name].get("mean") is None for name in CHAIN):
            continue
        sums = [float(cell[name]["mean"] * cell[name]["used"]) for name in CHAIN]
        yield cell, sums[0] - sum(sums[1:]), 0.05 * sum(cell[name]["used"] for name in CHAIN)
