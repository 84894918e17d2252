"""The outsider: what follows from published documents alone, by linear algebra and linear programs.

Unknowns are counts, and sums of values, of each month × region × trip type × population. The groups and cells of a document are
equations over them: a group is the sum of its leaves, a cell of all its leaves. A count that `incompleteMeasures` names is only "at
least". `confined` asks HiGHS for the least and greatest value of each count that is not shown. `isolated` asks which sums of values
over few trips are combinations of published ones.

Documents without `groups` are read in the same way: those for staff, and those of before the partition, where each cell is all of
its leaves.
"""
import itertools
import os
from dataclasses import dataclass

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy
from release_partition import CLASSES, COMPLETED, INTERVALS, MEASURES, NOT_RUN
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

ALL = "All"
# More trips than any made-up population has.
LARGE = 1_000_000
# What each count of a cell counts, and its name in `incompleteMeasures`.
COUNTS = {"trips": CLASSES, **{name: (name,) for name in (*CLASSES, *NOT_RUN)}}
# The published sums of values: measure → figure → the classes that it is of, its name in `incompleteMeasures`.
SUMS = {"cost": {"totalCost": (CLASSES, "cost"), "inHouseCost": (("inHouse",), "inHouseCost"),
                 "contractedCost": (("contracted",), "contractedCost")},
        **{name: {name: (CLASSES, name)} for name in MEASURES if name != "cost"}}


@dataclass
class Part:
    """A cell, or a group by itself."""
    leaves: frozenset  # (month, region, type)
    classes: tuple  # of a group: those that it counts; empty: of a cell
    numbers: dict
    incomplete: frozenset

    def sum_of(self, measure, figure):
        """Of an interval: its mean times the trips that have it."""
        if measure not in INTERVALS:
            return None if self.numbers.get(figure) is None else float(self.numbers[figure])
        own = self.numbers.get(measure) or {}
        if own.get("used") is None or own.get("mean") is None and own["used"] > 0:
            return None
        return float(own["used"] * (own["mean"] or 0))


class Reader:
    """One document, as somebody reads it who knows what its keys mean."""

    def __init__(self, summary):
        self.regions = [name for name in summary["filters"]["regions"] if name != ALL]
        self.types = [name for name in summary["filters"]["tripTypes"] if name != ALL]
        self.months = list(dict.fromkeys(c["month"] for c in summary["cells"] if c["month"] != ALL))
        self.cells = [self.cell(cell) for cell in summary["cells"] if not cell["suppressed"]]
        self.groups = [Part(
            frozenset((group["month"], *leaf) for leaf in zip(group["regions"], group["tripTypes"])),
            CLASSES if group["population"] == "completed" else (group["population"],), group, frozenset())
            for group in summary.get("groups", ())]

    def cell(self, cell):
        leaves = itertools.product(
            self.months if cell["month"] == ALL else [cell["month"]],
            self.regions if cell["region"] == ALL else [cell["region"]],
            self.types if cell["tripType"] == ALL else [cell["tripType"]])
        return Part(frozenset(leaves), (), cell, frozenset(cell.get("incompleteMeasures", ())))

    def empty(self):
        """(leaf, class) without trips: no group of the month's population has the leaf."""
        held, met = set(), set()
        for group in self.groups:
            for name in group.classes:
                held |= {(*leaf, name) for leaf in group.leaves}
                met |= {(leaf[0], name) for leaf in group.leaves}
        for month, name in met:
            for leaf in itertools.product([month], self.regions, self.types):
                if (*leaf, name) not in held:
                    yield (*leaf, name)


class Equations:
    def __init__(self):
        self.index, self.rows, self.least, self.greatest = {}, [], [], []

    def row(self, names, least, greatest=None):
        """Without a greatest value: exactly the least."""
        self.rows.append([self.index.setdefault(name, len(self.index)) for name in names])
        self.least.append(least)
        self.greatest.append(least if greatest is None else greatest)

    def matrix(self):
        columns = [c for row in self.rows for c in row]
        starts = numpy.cumsum([0] + [len(row) for row in self.rows])
        return csr_matrix((numpy.ones(len(columns)), columns, starts), (len(self.rows), len(self.index)))


def counts(documents):
    """Equations over the trips of each leaf and population."""
    found = Equations()
    for reader in map(Reader, documents):
        for group in reader.groups:
            found.row([(*leaf, name) for leaf in group.leaves for name in group.classes], group.numbers["trips"])
        for name in reader.empty():
            found.row([name], 0)
        for cell in reader.cells:
            for figure, classes in COUNTS.items():
                if cell.numbers.get(figure) is not None:
                    is_at_least = figure in cell.incomplete
                    found.row([(*leaf, name) for leaf in cell.leaves for name in classes], cell.numbers[figure],
                              numpy.inf if is_at_least else None)
    return found


def confined(documents, at_most=10, targets=None):
    """Name → (least, greatest) of each count that cannot be everything from 0 to `at_most`: trips of each leaf and
    population, and all completed trips of a leaf. Counts that are known to be 0 or larger than `at_most` are no finding."""
    equations = counts(documents)
    if not equations.rows:
        return {}
    matrix = equations.matrix()
    least, greatest = numpy.array(equations.least, float), numpy.array(equations.greatest, float)
    exact = least == greatest
    arguments = {"A_eq": matrix[exact], "b_eq": least[exact], "A_ub": -matrix[~exact], "b_ub": -least[~exact]}
    if exact.all():
        arguments = {"A_eq": matrix, "b_eq": least}
    elif not exact.any():
        arguments = {"A_ub": -matrix, "b_ub": -least}
    leaves = {}
    for (*leaf, name), column in equations.index.items():
        leaves[(*leaf, name)] = [column]
        if name in CLASSES:
            leaves.setdefault((*leaf, "trips"), []).append(column)
    # Each answer of HiGHS is a table that the documents allow. A count that is 0 in one of them and large in another is not
    # confined, and needs no question of its own.
    allowed = numpy.empty((0, matrix.shape[1]))

    def extreme(columns, sign):
        """The least value (sign 1) or the greatest one (-1)."""
        nonlocal allowed
        objective = numpy.zeros(matrix.shape[1])
        objective[columns] = sign
        answer = linprog(objective, bounds=(0, LARGE), method="highs", **arguments)
        if answer.status != 0:
            raise AssertionError(f"the documents contradict each other: {answer.message}")
        allowed = numpy.vstack([allowed, answer.x])
        return round(sign * answer.fun)

    found = {}
    for name, columns in leaves.items():
        if targets is not None and name not in targets:
            continue
        seen = allowed[:, columns].sum(axis=1)
        least = 0 if (seen < 0.5).any() else extreme(columns, 1)
        if least > at_most:
            continue
        greatest = at_most + 1 if least == 0 and (seen > at_most - 0.5).any() else extreme(columns, -1)
        if (least, greatest) != (0, 0) and (least > 0 or greatest < at_most):
            found[name] = least, greatest
    return found


def sums(documents, measure="cost"):
    """Rows over (leaf, class): the published sums of a measure's values, each with the columns it is of."""
    found = Equations()
    for reader in map(Reader, documents):
        for name in reader.empty():
            found.row([name], 0.0)
        for group in reader.groups:
            # A group's own figure is called as a cell's that is of all completed trips.
            value = group.sum_of(measure, "totalCost" if measure == "cost" else measure)
            if value is not None:
                found.row([(*leaf, name) for leaf in group.leaves for name in group.classes], value)
        showing = [group for group in reader.groups if group.numbers["population"] in COMPLETED
                   and group.sum_of(measure, "totalCost" if measure == "cost" else measure) is not None]
        for cell in reader.cells:
            for figure, (classes, entry) in SUMS[measure].items():
                value = cell.sum_of(measure, figure)
                if value is None:
                    continue
                names = [(*leaf, name) for leaf in cell.leaves for name in classes]
                if entry in cell.incomplete:
                    # "At least": of those groups inside the cell that show the measure.
                    names = [(*leaf, name) for group in showing if group.leaves <= cell.leaves
                             for leaf in group.leaves for name in group.classes]
                found.row(names, value)
            # What a cell shows as 0 has no values.
            for figure, classes in COUNTS.items():
                if cell.numbers.get(figure) == 0 and figure not in cell.incomplete:
                    for leaf in cell.leaves:
                        for name in classes:
                            found.row([(*leaf, name)], 0.0)
    return found


def isolated(equations, weights, fewer_than=11, pairs=True):
    """(columns, trips, value) of sums over 1 to `fewer_than - 1` trips that are combinations of published sums; and the
    atoms over so few trips, which a partition does not have.

    Columns that stand in the same rows always come together: such an atom is the least that can be isolated. Single atoms,
    and pairs of small ones, are tested by rank. `weights`: column name → trips with a value, the truth.
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
    for cell in summary["cells"] + summary.get("groups", []):
        rate, miles, cost = (cell.get(name) for name in ("costPerLoadedMile", "loadedMiles", "totalCost"))
        if rate and miles and cost is not None:
            yield cell, float(cost - rate * miles), float(miles) * 0.005 + float(rate) * 0.05 + 0.01


CHAIN = ("duration", "response", "scene", "transport", "turnaround")


def by_event_times(summary):
    """(cell, seconds, tolerance): duration less its parts, where all five means are there. It is 0 over trips that have all
    five intervals, so it is a sum over the trips that lack one."""
    for cell in summary["cells"] + summary.get("groups", []):
        if not all((cell.get(name) or {}).get("used") for name in CHAIN):
            continue
        if any(cell[name].get("mean") is None for name in CHAIN):
            continue
        totals = [float(cell[name]["mean"] * cell[name]["used"]) for name in CHAIN]
        yield cell, totals[0] - sum(totals[1:]), 0.05 * sum(cell[name]["used"] for name in CHAIN)


# Knowledge of the rule.

def compositions(total, places, has_values=False):
    """All tables of so many trips: of each place the trips, or the trips and how many of them have a value."""
    if places == 0:
        if total == 0:
            yield ()
        return
    for trips in range(total + 1) if places > 1 else (total,):
        for rest in compositions(total - trips, places - 1, has_values):
            for values in range(trips + 1) if has_values else (trips,):
                yield ((trips, values), *rest)


def confined_by_rule(rule, regions, types, total, threshold, line=0, values=None):
    """Of all tables with so many trips: their outputs, the merged leaves in these, and those of them for which the output excludes
    a count below the threshold.

    values: None; `measure`: trips may lack a value of a measure, whose counts are published; `patients`: the values are patients,
    whose counts are not.
    """
    leaves = [(region, kind) for region in range(regions) for kind in range(types)]
    possible = {}
    for table in compositions(total, len(leaves), values is not None):
        if values == "patients" and any(trips and not own for trips, own in table):
            continue
        of = dict(zip(leaves, table))
        all_values = sum(own for _, own in table)
        # A measure that is not published does not matter.
        matters = values == "patients" or values == "measure" and all_values >= threshold and 2 * all_values >= total

        def is_large(some):
            trips = own = 0
            for leaf in some:
                trips, own = trips + of[leaf][0], own + of[leaf][1]
            return trips >= threshold and not (matters and own < threshold and (own or values == "patients"))

        groups = rule({leaf: trips for leaf, (trips, _) in of.items()}, is_large, threshold, line)
        if groups is None:
            continue
        output = matters, frozenset(
            (frozenset(group), sum(of[leaf][0] for leaf in group),
             sum(of[leaf][1] for leaf in group) if matters and values == "measure" else None) for group in groups)
        taken = possible.setdefault(output, [0] * len(leaves))
        for place, (trips, _) in enumerate(table):
            taken[place] |= 1 << trips
    every, merged, found = (1 << threshold) - 1, 0, []
    for (_, groups), taken in possible.items():
        hidden = {leaf for group, *_ in groups if len(group) > 1 for leaf in group}
        merged += len(hidden)
        # A leaf that is large in all tables has joined the others.
        found += [(leaf, groups) for leaf, counts in zip(leaves, taken)
                  if leaf in hidden and counts & every and counts & every != every]
    return len(possible), merged, found
