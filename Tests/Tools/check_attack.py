#!/usr/bin/env python3
"""Attacks on the release, from published documents alone and with knowledge of the rule.

1. Teeth: the attacks of `release_attack.py` break a stored document of the release before the partition
   (`fixtures/suppressed-release.json`; its trips beside it), and every document for staff.
2. On random populations, over the release and reports of many parts of it: no count of 1 to 10 is determined or confined
   to less than 0 to 10; no published sums combine to one over fewer than 11 trips; event times do not telescope to one.
3. Knowledge of the rule: all tables with few trips at thresholds 2, 3 and 4 are divided by `release_partition.py`; among
   those with the same output each leaf that is not shown takes all counts below the threshold.
4. The same for the program at threshold 11: for each leaf of a merged group and each count from 0 to 10 there is another
   population for which it prints the same document, to the byte.

TRIPKPI_ATTACKS says how many populations of 2 (20; 500 by hand), TRIPKPI_TABLES how many tables of 4 (60; 600 by hand) and
TRIPKPI_PASSES how many alternatives of each the program is given (15; 1000: all); TRIPKPI_WHOLE=1 takes larger tables in 3.
"""
import collections
import csv
import os
import pathlib
import random
import sys
import tempfile

from nightly_site import Checks
from release_attack import CHAIN, by_event_times, by_miles, confined, isolated, money
from release_data import EVENTS, Population, counted, document, months_from, population, run
from release_partition import INTERVALS, Release, order_of_leaves, partition

ATTACKS = int(os.environ.get("TRIPKPI_ATTACKS", "20"))
TABLES = int(os.environ.get("TRIPKPI_TABLES", "60"))
PASSES = int(os.environ.get("TRIPKPI_PASSES", "15"))
WHOLE = os.environ.get("TRIPKPI_WHOLE") == "1"
SEED = int(os.environ.get("TRIPKPI_SEED", "7"))
FIXTURE = pathlib.Path(__file__).with_name("fixtures") / "suppressed-release"


def named(release, leaf):
    return release.names[0][leaf[0]], release.names[1][leaf[1]]


def costed(release, trips):
    """(month, region, type, class) → trips with a cost."""
    found = collections.Counter()
    for trip in trips:
        if trip.status == "completed" and trip.cents is not None:
            found[(trip.month, *named(release, trip.leaf), trip.sourcing)] += 1
    return found


def event_times(summary, release, trips):
    """Sums of seconds over 1 to 10 trips that the document tells: (cell, seconds, trips)."""
    places = [INTERVALS.index(name) for name in CHAIN]
    for cell, seconds, tolerance in by_event_times(summary):
        some, true = 0, 0
        for trip in trips:
            values = [trip.seconds[place] for place in places]
            if trip.status == "completed" and 0 < sum(value is not None for value in values) < 5 \
                    and cell["month"] in ("All", trip.month) and cell["region"] in ("All", release.names[0][trip.region]) \
                    and cell["tripType"] in ("All", release.names[1][trip.kind]):
                some += 1
                true += (values[0] or 0) - sum(value or 0 for value in values[1:])
        if 0 < some < 11 and abs(seconds - true) <= tolerance + 1:
            yield f"{cell['month']} {cell['region']} {cell['tripType']}", seconds, some


def stored_release(checks):
    """The release as it was before the partition: what this check must break."""
    summary = document(FIXTURE.with_suffix(".json").read_text())
    rows = list(csv.DictReader(FIXTURE.with_suffix(".csv").open(newline="")))
    regions, types = ["Region1", "Region2", "Region3"], ["Type1", "Type2"]
    trips = [counted(row, regions, types) for row in rows]
    release = Release(trips, regions, types)
    broken, _ = isolated(money([summary]), costed(release, trips))
    true = collections.Counter()
    for trip in trips:
        if trip.status == "completed" and trip.cents is not None:
            true[(trip.month, *named(release, trip.leaf), trip.sourcing)] += trip.cents
    right = [trips for names, trips, value in broken if abs(100 * value - sum(true[n] for n in names)) < 1]
    checks.hold("the stored release says that its audit passed", summary["privacy"]["auditPassed"] is not True and "no")
    checks.hold("class costs break the stored release", not right and "no sum over 1 to 10 trips is isolated")
    found = 0
    for cell, dollars, tolerance in by_miles(summary):
        of = [trip for trip in trips if trip.status == "completed" and cell["month"] in ("All", trip.month)
              and cell["region"] in ("All", release.names[0][trip.region])
              and cell["tripType"] in ("All", release.names[1][trip.kind]) and trip.cents is not None and not trip.loaded]
        found += 0 < len(of) < 11 and abs(dollars - sum(trip.cents for trip in of) / 100) < tolerance
    checks.hold("cost per mile breaks the stored release", not found and "no cost of 1 to 10 trips is computed")


def parts(rng, data):
    """Words of reports of parts."""
    yield ()
    for option, names in (("--region", data.regions), ("--type", data.types)):
        for name in names:
            yield option, name
    if len(data.regions) > 2:
        yield tuple(word for name in rng.sample(data.regions, 2) for word in ("--region", name))
    yield "--region", rng.choice(data.regions), "--type", rng.choice(data.types)


def attack(checks, seed, folder):
    rng = random.Random(f"{SEED} {seed}")
    data = population(f"attack {SEED} {seed}", rng.randint(1, 3), rng.randint(1, 4), rng.randint(1, 3),
                      rng.choice((4, 10, 20)))
    release = Release(data.trips, data.regions, data.types, keep=data.keep)
    path, texts = data.write(folder), []
    for words in parts(rng, data):
        text = run(folder, "report", path, "--format", "json", *words, expect=65)
        texts += [text] if text else []
    if not texts:
        return
    documents = [document(text) for text in texts]
    what = f"seed {SEED} {seed}, {len(documents)} documents"
    checks.hold(f"{what}, counts", *(f"{name} lies in {bounds}" for name, bounds in list(confined(documents).items())[:5]))
    hidden = {(month, *named(release, leaf)): group.hidden for month, populations in release.groups.items()
              for group in populations["completed"] or () for leaf in group.scope}
    broken, small = isolated(money(documents, lambda leaf, measure: measure not in hidden.get(leaf, ())),
                             costed(release, data.trips))
    checks.hold(f"{what}, costs", *(f"the cost of {trips} trips is a combination" for _, trips, _ in broken[:3]),
                small and f"{len(small)} sets of columns over 1 to 10 trips")
    checks.hold(f"{what}, cost per mile", *(
        f"{cell['month']} {cell['region']} {cell['tripType']}: {dollars:.2f} dollars are over"
        for summary in documents for cell, dollars, tolerance in by_miles(summary) if abs(dollars) > tolerance))
    checks.hold(f"{what}, event times", *(
        f"{cell}: {seconds:.0f} s are of {some} trips"
        for summary in documents for cell, seconds, some in event_times(summary, release, data.trips)))
    staff = document(run(folder, "scan", path, "--format", "json", "--audience", "staff"))
    true = collections.Counter((t.month, *named(release, t.leaf), "trips") for t in data.trips if t.status == "completed")
    few = set(sorted(name for name, count in true.items() if 0 < count < 11)[:10])
    found = confined([staff], targets=few)
    checks.hold(f"{what}, teeth", *(f"{name} is not found for staff" for name in list(few - found.keys())[:3]))
    small_costs = [n for n in costed(release, data.trips).values() if n < 11]
    if small_costs:
        checks.hold(f"{what}, teeth of costs", not isolated(money([staff]), costed(release, data.trips), pairs=False)[0] and "none isolated")


# Knowledge of the rule.

def compositions(total, places):
    if places == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, places - 1):
            yield (first, *rest)


def all_tables(regions, types, total, threshold, keep):
    """Leaves not shown, over all outputs of tables with so many trips, that cannot have each count below the threshold."""
    leaves = [(r, t) for r in range(regions) for t in range(types)]
    taken = collections.defaultdict(lambda: [0] * len(leaves))
    for counts in compositions(total, len(leaves)):
        table = [list(counts[r * types:(r + 1) * types]) for r in range(regions)]
        groups = partition(table, None, threshold, keep)
        if groups is None:
            continue
        output = tuple((tuple(sorted(scope)), sum(table[r][t] for r, t in scope)) for scope in groups)
        for place, count in enumerate(counts):
            taken[output][place] |= 1 << count
    every, bad, hidden = (1 << threshold) - 1, 0, 0
    for output, seen in taken.items():
        within = {leaf for scope, _ in output if len(scope) > 1 for leaf in scope}
        for place, leaf in enumerate(leaves):
            if leaf in within:
                hidden += 1
                bad += seen[place] & every != every
    return hidden, bad


def scaled(checks):
    shapes = [(2, 2, 2, 12), (2, 2, 3, 16), (2, 2, 4, 16), (2, 3, 2, 8), (3, 2, 2, 8), (2, 3, 3, 9), (3, 2, 3, 9)]
    if WHOLE:
        shapes += [(2, 2, 4, 24), (2, 3, 3, 14), (3, 2, 3, 14), (3, 3, 2, 12), (2, 4, 2, 11), (4, 2, 2, 11)]
    for regions, types, threshold, most in shapes:
        for keep in ("region", "type"):
            hidden = bad = 0
            for total in range(threshold, most + 1):
                more, worse = all_tables(regions, types, total, threshold, keep)
                hidden, bad = hidden + more, bad + worse
            checks.hold(f"{regions} x {types} leaves, threshold {threshold}, keep {keep}, {hidden} leaves not shown",
                        bad and f"{bad} cannot have each count from 0 to {threshold - 1}", not hidden and "nothing is hidden")
    # At threshold 1 nothing is hidden from anybody.
    table = [[0, 1], [3, 2]]
    checks.hold("teeth: threshold 1", any(len(scope) > 1 for scope in partition(table, None, 1)) and "groups are merged")


def alternative(rng, counts, scope, leaf, value, keep):
    """Other counts of the scope's leaves, with the same sum and `value` trips in `leaf`, for which the rule forms the same
    groups; None if none was found."""
    total, groups = sum(counts[r][t] for r, t in scope), partition(counts, None, 11, keep)
    others = sorted(scope - {leaf}, key=order_of_leaves(len(counts), len(counts[0]), keep).index)

    def is_same(of_leaf):
        table = [list(line) for line in counts]
        for (r, t), count in of_leaf.items():
            table[r][t] = count
        return partition(table, None, 11, keep) == groups and table

    def line(leaf):
        return leaf[0 if keep == "region" else 1]

    def candidates():
        left = total - value
        by_line = collections.defaultdict(list)
        for other in others:
            by_line[line(other)].append(other)
        # All small, no line with more than 10 trips; then with all that its leaves hold.
        for most in (10, 20):
            for lines in (list(by_line.values()), list(by_line.values())[::-1]):
                found, rest = dict.fromkeys(others, 0), left
                for leaves in lines:
                    own = value if line(leaf) == line(leaves[0]) else 0
                    room = min(rest, max(0, (most if len(leaves) <= 2 else 10) - own))
                    for other in leaves:
                        found[other] = min(10, room)
                        rest, room = rest - found[other], room - found[other]
                if rest == 0:
                    yield found
        # All small, filled up.
        for order in (others, others[::-1]):
            found, rest = {}, left
            for other in order:
                found[other] = min(10, rest)
                rest -= found[other]
            if rest == 0:
                yield found
        # One large, and up to 10 in another.
        for large in others:
            for helper in others:
                for some in (0, 1, 5, 10 - min(value, 10), 10):
                    if helper != large and left - some >= 0:
                        yield {**dict.fromkeys(others, 0), helper: some, large: left - some}
        for _ in range(3000):
            found = dict.fromkeys(others, 0)
            rest = left
            for other in rng.sample(others, len(others)):
                found[other] = min(rest, rng.choice((0, 1, 3, 10, 10, 11, rng.randint(0, 40))))
                rest -= found[other]
            found[others[rng.randrange(len(others))]] += rest
            yield found

    if value <= total:
        for found in candidates():
            table = is_same({leaf: value, **found})
            if table:
                return table
    return None


def table_rows(rng, month, counts, data, trips):
    """The month's rows; `trips` is what they have besides their places, in the order of the groups."""
    names = (["?", *data.regions], ["?", *data.types])
    for scope in partition(counts, None, 11, data.keep):
        leaves = [leaf for leaf in sorted(scope) for _ in range(counts[leaf[0]][leaf[1]])]
        for (r, t), own in zip(leaves, trips[frozenset(scope)]):
            yield {**own, "region": names[0][r], "trip_type": names[1][t]}


def real_tables(checks, folder):
    """Months of one export; in the alternatives of a pass each month has another population."""
    for regions, types, keep in ((1, 1, "region"), (2, 1, "region"), (2, 2, "type"), (3, 2, "region")):
        rng = random.Random(f"{SEED} {regions} {types}")
        data = Population([f"R{n}" for n in range(1, regions + 1)], [f"T{n}" for n in range(1, types + 1)], keep)
        tables, trips, others = {}, {}, {}
        missing = hidden = 0
        for month in months_from("2010-01", TABLES // 4):
            while True:
                counts = [[rng.choice((0, 0, 1, 3, 8, 10, 12, 30)) for _ in range(types + 1)] for _ in range(regions + 1)]
                groups = partition(counts, None, 11, keep)
                if groups and any(len(scope) > 1 for scope in groups):
                    break
            tables[month] = counts
            trips[month] = {frozenset(scope): [
                {"trip_id": f"{month}-{n}-{min(scope)}", "updated_at": "2009-01-01 00:00:00", "status": "completed",
                 "service_date": f"{month}-{1 + n % 28:02d}", "patient_id": f"P{month}{n}{min(scope)}",
                 EVENTS[0]: f"{month}-{1 + n % 28:02d} 08:00:{n % 60:02d}", EVENTS[5]: f"{month}-{1 + n % 28:02d} 09:{n % 50:02d}:00",
                 "hcpcs_modifiers": rng.choice(("QN", "QM")), "cost": f"{rng.randint(100, 99999) / 100:.2f}",
                 "loaded_miles": f"{rng.randint(1, 400) / 10}"}
                for n in range(sum(counts[r][t] for r, t in scope))] for scope in groups}
            others[month] = []
            for scope in groups:
                for leaf in sorted(scope) if len(scope) > 1 else ():
                    hidden += 1
                    for value in range(11):
                        other = alternative(rng, counts, scope, leaf, value, keep)
                        missing += other is None
                        others[month] += [other] if other else []
        what = f"{regions + 1} x {types + 1} leaves, keep {keep}, {hidden} leaves not shown"
        checks.hold(f"{what}: alternatives", missing and f"none was found for {missing} counts of 0 to 10")
        write = lambda which: data.write(folder, rows=[
            row for month in tables for row in table_rows(rng, month, which(month), data, trips[month])])
        first = run(folder, "scan", write(tables.get), "--format", "json")
        different = 0
        for month in others:
            rng.shuffle(others[month])
        for turn in range(min(PASSES, max(map(len, others.values())))):
            text = run(folder, "scan", write(lambda month: (others[month] or [tables[month]])[turn % max(1, len(others[month]))]),
                       "--format", "json")
            different += text != first
        checks.hold(f"{what}: the program prints the same", different and f"{different} other documents")


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stored_release(checks)
        for seed in range(ATTACKS):
            attack(checks, seed, folder)
        scaled(checks)
        real_tables(checks, folder)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
