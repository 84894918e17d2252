#!/usr/bin/env python3
"""Attacks on the release, from published documents alone and with knowledge of the rule.

1. Teeth: the attacks of `release_attack.py` break a stored document of the release before the partition
   (`fixtures/suppressed-release.json`; its trips beside it), every document for staff, a release with the threshold 1 and one
   that divides a single population too finely.
2. On random populations, over the release and reports of many parts of it: no count of 1 to 10 is determined or confined
   to less than 0 to 10; no published sums of costs, miles or times combine to one over fewer than 11 trips; cost per mile and
   event times give none either.
3. Knowledge of the rule: all tables with few trips at thresholds 2 and 3 are divided by `release_partition.py`, also where trips
   lack values or share patients; among those with the same output each leaf that is not shown takes all counts below the
   threshold. A rule that joins the smallest group fails this.
4. The same for the program at threshold 11: for each leaf of a merged group and each count from 0 to 10 there is another
   population for which it prints the same document, to the byte.

What the rule does not promise (docs/privacy.md): unclassified trips of a month that are not published are 1 to 10, or of few
patients; cancelled trips and no-shows that are not published are 0 to 10, or of few patients; and in a month that is not divided by
sourcing, in-house or contracted trips are.

CHECK_ATTACKS says how many populations of 2 (20; 500 by hand), CHECK_TABLES how many tables of 4 (60; 600 by hand) and
CHECK_PASSES how many alternatives of each the program is given (15; 1000: all); CHECK_WHOLE=1 takes larger tables in 3.
"""
import collections
import csv
import itertools
import os
import pathlib
import random
import sys
import tempfile

from nightly_site import Checks
from release_attack import CHAIN, by_event_times, by_miles, confined, confined_by_rule, isolated, sums
from release_data import EVENTS, Population, counted, document, months_from, population, run
from release_partition import INTERVALS, MEASURES, Group, Release, order_of_leaves, partition

ATTACKS = int(os.environ.get("CHECK_ATTACKS", "20"))
TABLES = int(os.environ.get("CHECK_TABLES", "60"))
PASSES = int(os.environ.get("CHECK_PASSES", "15"))
WHOLE = os.environ.get("CHECK_WHOLE") == "1"
SEED = int(os.environ.get("CHECK_SEED", "7"))
FIXTURE = pathlib.Path(__file__).with_name("fixtures") / "suppressed-release"


def named(release, leaf):
    return release.names[0][leaf[0]], release.names[1][leaf[1]]


def with_value(release, trips, measure="cost"):
    """(month, region, type, class) → trips with a value of the measure."""
    found = collections.Counter()
    for trip in trips:
        if trip.status == "completed" and trip.value(measure) is not None:
            found[(trip.month, *named(release, trip.leaf), trip.sourcing)] += 1
    return found


def text_of_place(part):
    """A cell, or a group by itself."""
    return " ".join(map(str, (part["month"], part.get("population", ""), part.get("region", part.get("regions")),
                              part.get("tripType", part.get("tripTypes")))))


def event_times(summary, release, trips):
    """Sums of seconds over 1 to 10 trips that the document discloses: (place, seconds, trips)."""
    places = [INTERVALS.index(name) for name in CHAIN]
    for part, seconds, tolerance in by_event_times(summary):
        some, true = 0, 0
        for trip in trips:
            values = [trip.seconds[place] for place in places]
            region, kind = named(release, trip.leaf)
            leaves = [*zip(part["regions"], part["tripTypes"])] if "population" in part else [
                (region if part["region"] == "All" else part["region"], kind if part["tripType"] == "All" else part["tripType"])]
            if trip.status == "completed" and 0 < sum(value is not None for value in values) < 5 \
                    and part["month"] in ("All", trip.month) and (region, kind) in leaves \
                    and part.get("population") in (None, "completed", trip.sourcing):
                some += 1
                true += (values[0] or 0) - sum(value or 0 for value in values[1:])
        if 0 < some < 11 and abs(seconds - true) <= tolerance + 1:
            yield text_of_place(part), seconds, some


def findings(documents, release, trips, measures=MEASURES):
    """What the documents disclose of 1 to 10 trips, by the kind of attack."""
    found = {"counts": [f"{name} lies in {bounds}" for name, bounds in confined(documents).items()]}
    for measure in measures:
        broken, small = isolated(sums(documents, measure), with_value(release, trips, measure))
        found[f"sums of {measure}"] = [f"the {measure} of {count} trips is a combination" for _, count, _ in broken] + [
            f"{len(small)} sets of columns over 1 to 10 trips"] * bool(small)
    found["cost per mile"] = [
        f"{text_of_place(part)}: {dollars:.2f} dollars are over" for summary in documents
        for part, dollars, tolerance in by_miles(summary) if abs(dollars) > tolerance]
    found["event times"] = [f"{place}: {seconds:.0f} s are of {some} trips" for summary in documents
                            for place, seconds, some in event_times(summary, release, trips)]
    return found


# Teeth: what is broken.

def stored_release(checks):
    """The release as it was before the partition: what this check must break."""
    summary = document(FIXTURE.with_suffix(".json").read_text())
    rows = list(csv.DictReader(FIXTURE.with_suffix(".csv").open(newline="")))
    regions, types = ["Region1", "Region2", "Region3"], ["Type1", "Type2"]
    trips = [counted(row, regions, types) for row in rows]
    release = Release(trips, regions, types)
    broken, _ = isolated(sums([summary]), with_value(release, trips))
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


def too_fine(release):
    """The release with one group of a completed population divided by trip type or region; None: there is none to divide."""
    for month, populations in release.months.items():
        for own in populations.values():
            for group in own.groups or ():
                parts = [Group([leaf], [trip for trip in group.trips if trip.leaf == leaf], own.published, 1) for leaf in group.leaves]
                if len(parts) > 1 and any(0 < len(part.trips) < 11 for part in parts) and group.measures:
                    own.groups = [other for other in own.groups if other is not group] + parts
                    return release
    return None


def broken_releases(checks, seeds=6):
    """Releases of the reference: with the threshold 1, and with a group that is divided."""
    seen = 0
    for seed in range(seeds):
        data = population(f"teeth {SEED} {seed}", 2, 2, 2, 10)
        of = lambda **options: Release(data.trips, data.regions, data.types, keep=data.keep, **options)
        few = any(0 < count < 11 for count in collections.Counter((t.month, t.leaf, t.sourcing) for t in data.trips
                                                                   if t.status == "completed").values())
        for what, release in (("the threshold 1", of(threshold=1)), ("a group that is divided", too_fine(of()))):
            table = release and release.select()
            if table is None or not few:
                continue
            seen += 1
            found = findings([table.document()], release, data.trips, ["cost"])
            checks.hold(f"teeth: seed {SEED} {seed}, a release with {what}", not found["counts"] and "no count is found")
        sound = of().select()
        if sound is not None:
            found = findings([sound.document()], sound.release, data.trips)
            checks.hold(f"seed {SEED} {seed}, the reference's release", *(line for lines in found.values() for line in lines[:2]))
    checks.hold("teeth: there are releases to break", seen < seeds and f"only {seen}")


# What must hold.

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
                      rng.choice((4, 10, 20, 40)))
    release = Release(data.trips, data.regions, data.types, keep=data.keep)
    path, texts = data.write(folder), []
    for words in parts(rng, data):
        text = run(folder, "report", path, "--audience", "release", "--format", "json", *words, expect=65)
        texts += [text] if text else []
    if not texts:
        return
    documents = [document(text) for text in texts]
    what = f"seed {SEED} {seed}, {len(documents)} documents"
    for kind, lines in findings(documents, release, data.trips).items():
        checks.hold(f"{what}, {kind}", *lines[:5])
    staff = document(run(folder, "scan", path, "--format", "json", "--audience", "staff"))
    true = collections.Counter((t.month, *named(release, t.leaf), "trips") for t in data.trips if t.status == "completed")
    few = set(sorted(name for name, count in true.items() if 0 < count < 11)[:10])
    found = confined([staff], targets=few)
    checks.hold(f"{what}, teeth", *(f"{name} is not found for staff" for name in list(few - found.keys())[:3]))
    costs = with_value(release, data.trips)
    if any(count < 11 for count in costs.values()):
        checks.hold(f"{what}, teeth of costs", not isolated(sums([staff]), costs, pairs=False)[0] and "none isolated")


# Knowledge of the rule.

def smallest_joins(trips, is_large, threshold, line):
    """A rule that decides by the counts of small parts: the rest joins the line's smallest large leaf, else all do."""
    order = order_of_leaves(trips, line)
    if not is_large(order):
        return None
    alone, groups = [leaf for leaf in order if is_large([leaf])], []
    for own in sorted({leaf[line] for leaf in order}):
        rest = [leaf for leaf in order if leaf[line] == own and leaf not in alone]
        joined = sorted((leaf for leaf in alone if leaf[line] == own), key=trips.get)[:1]
        if any(trips[leaf] for leaf in rest):
            if not is_large(rest + joined):
                return [order]
            groups.append(rest if is_large(rest) else rest + joined)
    taken = set(itertools.chain(*groups))
    return groups + [[leaf] for leaf in alone if leaf not in taken]


# Regions, types, threshold, most trips; with values and with patients, most trips.
SHAPES = [(2, 2, 2, 12, 9), (2, 2, 3, 16, 9), (2, 3, 2, 9, 6), (3, 2, 2, 9, 6), (3, 1, 3, 16, 12), (1, 3, 3, 16, 12)]
LARGER_SHAPES = [(2, 2, 3, 24, 12), (2, 3, 2, 12, 9), (3, 2, 2, 12, 9), (2, 3, 3, 15, 8), (3, 2, 3, 15, 8), (3, 3, 2, 11, 7),
                 (2, 4, 2, 11, 7), (4, 2, 2, 11, 7), (5, 1, 3, 16, 9), (1, 5, 3, 16, 9)]


def scaled(checks):
    for regions, types, threshold, most, most_with_values in SHAPES + (LARGER_SHAPES if WHOLE else []):
        for line, values in itertools.product((0, 1), (None, "measure", "patients")):
            outputs, merged, found = 0, 0, []
            for total in range(threshold, (most_with_values if values else most) + 1):
                more, hidden, confined_leaves = confined_by_rule(partition, regions, types, total, threshold, line, values)
                outputs, merged, found = outputs + more, merged + hidden, found + confined_leaves
            what = f"{regions} x {types} leaves, threshold {threshold}, line {line}, {values or 'trips alone'}"
            checks.hold(f"{what}: {outputs} outputs, {merged} merged leaves", found and f"{len(found)} cannot have each count below the threshold: {found[0]}",
                        not merged and "nothing is merged")
    found = [leaf for total in range(3, 12) for leaf in confined_by_rule(smallest_joins, 1, 3, total, 3)[2]]
    checks.hold("teeth: a rule that joins the smallest group", not found and "no count is confined")
    # At threshold 1 nothing is hidden from anybody.
    table = {(0, 0): 0, (0, 1): 1, (1, 0): 3, (1, 1): 2}
    checks.hold("teeth: threshold 1", any(len(group) > 1 for group in partition(table, lambda some: any(map(table.get, some)), 1))
                and "groups are merged")


def divided(counts, line):
    """The groups of trips that have every value, each of another patient."""
    return partition(counts, lambda some: sum(map(counts.get, some)) >= 11, 11, line)


def alternative(rng, counts, group, leaf, value, line):
    """Another table with the same groups and the same trips in each, and `value` trips in `leaf`; None if none was found."""
    as_sets = lambda groups: {frozenset(one) for one in groups}
    groups, left = as_sets(divided(counts, line)), sum(map(counts.get, group)) - value
    others = [other for other in order_of_leaves(group, line) if other != leaf]

    def filled(order, most, most_of_line):
        """Small counts one leaf after another, as far as the trips go."""
        found, rest, of_line = dict.fromkeys(others, 0), left, collections.Counter({leaf[line]: value})
        for other in order:
            found[other] = max(0, min(most, rest, most_of_line - of_line[other[line]]))
            rest, of_line[other[line]] = rest - found[other], of_line[other[line]] + found[other]
        return found if rest == 0 else None

    def bases():
        """As it is; else with one trip of another group in another leaf of that."""
        yield counts
        for other in divided(counts, line):
            most = max(other, key=counts.get)
            for taker in other if leaf not in other else ():
                if taker != most:
                    yield {**counts, most: counts[most] - 1, taker: counts[taker] + 1}

    def candidates():
        for large, helper, some in itertools.product(others, others, (0, 1, 5, 10)):
            if helper != large or some == 0:
                yield {**dict.fromkeys(others, 0), helper: some, large: left - some}
        for order in (others, others[::-1]):
            yield filled(order, 10, 10)
            yield filled(order, 10, 10 ** 6)
        for _ in range(300):
            found, rest = dict.fromkeys(others, 0), left
            for other in rng.sample(others, len(others)):
                found[other] = min(rest, rng.choice((0, 1, 3, 10, 10, 11, rng.randint(0, 40))))
                rest -= found[other]
            found[rng.choice(others)] += rest
            yield found

    for base in bases() if left >= 0 else ():
        for found in candidates():
            if found is not None and min(found.values()) >= 0:
                table = {**base, leaf: value, **found}
                if as_sets(divided(table, line) or ()) == groups:
                    return table
    return None


# The populations that have tables, by what their rows say.
TABLED = {"inHouse": ("completed", "QN"), "contracted": ("completed", "QM"), "cancelled": ("cancelled", "QN")}


def table_rows(counts, data, line, trips):
    """The rows of a population; `trips` is what they have besides their places, by group."""
    names = (["?", *data.regions], ["?", *data.types])
    for group in divided(counts, line):
        places = [leaf for leaf in sorted(group) for _ in range(counts[leaf])]
        for (r, t), own in zip(places, trips[frozenset(group)]):
            yield {**own, "region": names[0][r], "trip_type": names[1][t]}


def real_tables(checks, folder):
    """Months of one export; in the alternatives of a pass each month has another population."""
    for regions, types, keep in ((1, 1, "region"), (2, 1, "region"), (2, 2, "type"), (3, 2, "region")):
        rng, line = random.Random(f"{SEED} {regions} {types}"), int(keep == "type")
        data = Population([f"R{n}" for n in range(1, regions + 1)], [f"T{n}" for n in range(1, types + 1)], keep)
        leaves = [(r, t) for r in range(regions + 1) for t in range(types + 1)]
        tables, trips, others = {}, {}, {}
        missing = hidden = 0
        for month, name in itertools.product(months_from("2010-01", max(1, TABLES // 12)), TABLED):
            place = month, name
            while True:
                counts = {leaf: rng.choice((0, 0, 1, 3, 8, 10, 12, 30)) for leaf in leaves}
                groups = divided(counts, line)
                if groups and any(len(group) > 1 for group in groups):
                    break
            tables[place], (status, modifier) = counts, TABLED[name]
            trips[place] = {frozenset(group): [
                {"trip_id": f"{month}-{name}-{n}-{min(group)}", "updated_at": "2009-01-01 00:00:00", "status": status,
                 "service_date": f"{month}-{1 + n % 28:02d}", "patient_id": f"P{month}{name}{n}{min(group)}",
                 EVENTS[0]: f"{month}-{1 + n % 28:02d} 08:00:{n % 60:02d}",
                 EVENTS[5]: f"{month}-{1 + n % 28:02d} 09:{n % 50:02d}:00",
                 "hcpcs_modifiers": modifier, "cost": f"{rng.randint(100, 99999) / 100:.2f}",
                 "loaded_miles": f"{rng.randint(1, 400) / 10}"}
                for n in range(sum(map(counts.get, group)))] for group in groups}
            others[place] = []
            for group in groups:
                for leaf in sorted(group) if len(group) > 1 else ():
                    found = [other for value in range(11) if (other := alternative(rng, counts, group, leaf, value, line))]
                    # A large leaf that joins the others in every alternative is not small.
                    if found or counts[leaf] < 11:
                        hidden, missing = hidden + 1, missing + 11 - len(found)
                        others[place] += found
        what = f"{regions + 1} x {types + 1} leaves, keep {keep}, {hidden} leaves not shown"
        checks.hold(f"{what}: alternatives", missing and f"none was found for {missing} counts of 0 to 10")
        write = lambda which: data.write(folder, rows=[
            row for place in tables for row in table_rows(which(place), data, line, trips[place])])
        scan = lambda which: run(folder, "scan", write(which), "--audience", "release", "--format", "json")
        first, different = scan(tables.get), 0
        for place in others:
            rng.shuffle(others[place])
        for turn in range(min(PASSES, max(map(len, others.values())))):
            text = scan(lambda place: (others[place] or [tables[place]])[turn % max(1, len(others[place]))])
            different += text != first
        checks.hold(f"{what}: the program prints the same", different and f"{different} other documents")


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stored_release(checks)
        broken_releases(checks)
        for seed in range(ATTACKS):
            attack(checks, seed, folder)
        scaled(checks)
        real_tables(checks, folder)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
