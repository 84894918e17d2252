"""Linear relations between unknowns, and the least and greatest value that they leave to a sum of them."""
import highspy
import numpy
from scipy.sparse import csr_matrix


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
