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
from dataclasses import dataclass, field

import numpy
from scipy.sparse import csr_matrix

from linear_program import Infeasible, Program
from published_set import ALL, FAMILIES, INTERVALS, SOURCING, PublishedSet
from relations import DOLLARS, MILES, SECONDS, Builder

__all__ = ["ALL", "FAMILIES", "SOURCING", "PublishedSet", "attack"]
NEAR = 0.10  # a sum is exposed when it is known to a tenth of itself


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
class Report:
    findings: list = field(default_factory=list)
    hidden: int = 0  # hidden counts that were asked about
    programs: int = 0  # linear programs solved
    infeasible: list = field(default_factory=list)  # families whose relations contradict each other
    given_up: int = 0

    def of(self, *kinds):
        return [finding for finding in self.findings if finding.kind in kinds]


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
