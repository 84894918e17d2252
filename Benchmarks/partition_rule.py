#!/usr/bin/env python3
"""The rule of decision 0030, before it is built: whether it discloses small counts, and how much it shows.

    python3 Benchmarks/partition_rule.py --enumerate REGIONS TYPES THRESHOLD [LARGEST]
    .build/venv/bin/python Benchmarks/partition_rule.py --utility

`--enumerate` divides every table whose counts are at most LARGEST (default: three times the threshold), and prints merged
leaves for which the groups and their totals exclude a count below the threshold. `--utility` simulates 24 months of sites
and prints shares in per cent; it needs numpy.
"""
import argparse
import itertools
import sys

REGION, TYPE = 0, 1


class PartitionRule:
    def __init__(self, threshold=11):
        self.threshold = threshold

    @staticmethod
    def rank(leaf):
        """Unassigned (code 0) first, then from the end of the lists."""
        region, trip_type = leaf
        unassigned = 0 if (region, trip_type) == (0, 0) else 1 if region == 0 else 2 if trip_type == 0 else 3
        return unassigned, -region, -trip_type

    def partition(self, trips, is_large):
        """The groups of a population; None: it is not published.

        trips: of each leaf. is_large: whether some leaves together have enough trips, patients and values."""
        order = sorted(trips, key=self.rank)
        small = self.threshold - 1

        def count(leaves):
            return sum(trips[leaf] for leaf in leaves)

        def has(leaves, least):
            return count(leaves) >= least and is_large(leaves)

        def is_hidden_alone(leaves, parts):
            return is_large(leaves) and count(leaves) <= small * (parts - 1)

        if not is_large(order):
            return None
        large = [leaf for leaf in order if is_large([leaf])]
        free = set(large)
        regions = [[leaf for leaf in order if leaf[REGION] == region]
                   for region in sorted({leaf[REGION] for leaf in order}, key=lambda region: (region != 0, -region))]
        rests = [[leaf for leaf in region if leaf not in free] for region in regions]
        if sum(map(count, rests)) == 0:
            return [[leaf] for leaf in large]
        is_single = sum(len(rest) for region, rest in zip(regions, rests) if count(region)) == 1
        joining = 2 if is_single else 1
        groups, failing, others = [], [], []
        for region, rest in zip(regions, rests):
            if not rest:
                others.append(region)
                continue
            own = [leaf for leaf in region if leaf in free][:joining]
            joined = rest + own
            if is_hidden_alone(rest, len(rest)):
                group = rest
            elif len(own) == joining and has(joined, 2 * self.threshold - 1):
                group = joined
            elif len(region) > joining and has(region, 2 * self.threshold - 1):
                group = region
            else:
                failing.append(region)
                continue
            groups.append(group)
            free.difference_update(group)
            others.append(region)
        if any(map(count, failing)):
            pool = list(itertools.chain(*failing))
            free.difference_update(pool)
            if not is_hidden_alone(pool, len(failing)):
                if not others:
                    return [order]
                first = [leaf for leaf in others[0] if leaf in free][:1]
                if first and len(pool) > 1 and has(pool + first, 2 * self.threshold - 1):
                    pool += first
                else:
                    pool += others[0]
                    groups = [group for group in groups if group[0] not in others[0]]
                    if len(pool) < 3 or not has(pool, 3 * self.threshold - 2):
                        return [order]
            groups.append(pool)
            free.difference_update(pool)
        return groups + [[leaf] for leaf in large if leaf in free]


def enumerate_tables(regions, types, threshold, largest):
    rule = PartitionRule(threshold)
    leaves = [(region, trip_type) for region in range(regions) for trip_type in range(types)]
    outputs = {}
    for counts in itertools.product(range(largest + 1), repeat=len(leaves)):
        trips = dict(zip(leaves, counts))
        groups = rule.partition(trips, lambda some: sum(trips[leaf] for leaf in some) >= threshold)
        if groups is None:
            continue
        output = tuple(sorted((tuple(sorted(group)), sum(trips[leaf] for leaf in group)) for group in groups))
        for possible, number in zip(outputs.setdefault(output, [set() for _ in leaves]), counts):
            possible.add(number)
    confined = 0
    for output, possible in outputs.items():
        # Of larger totals not all tables were made.
        if any(total > largest for _, total in output):
            continue
        for leaf, found in zip(leaves, possible):
            is_merged = any(leaf in group and len(group) > 1 for group, _ in output)
            if is_merged and min(found) < threshold and not set(range(threshold)) <= found:
                confined += 1
                print(f"{leaf} has only {sorted(found)} in {output}")
    print(f"{len(outputs)} outputs, {confined} leaves confined")
    return confined


# Of a completed trip: how often it has each of eight measures.
VALUES = (0.97, 0.95, 0.9, 0.93, 0.96, 0.9, 0.94, 0.95)


def simulate(regions, types, per_month, unassigned, unclassified, months=24, threshold=11):
    import numpy

    random = numpy.random.default_rng(1)
    rule = PartitionRule(threshold)
    region_weights, type_weights = (random.dirichlet(numpy.full(count, 3.0)) for count in (regions, types))
    in_house = numpy.clip(random.normal(0.6, 0.12, (regions, types)), 0.15, 0.9)
    leaves = [(region, trip_type) for region in range(regions + 1) for trip_type in range(types + 1)]
    sums = dict.fromkeys(("trips", "rows", "leaves", "shares", "months", "totals", "monthShares", "regions", "whole"), 0)
    for _ in range(months):
        count = random.poisson(per_month)
        region = 1 + random.choice(regions, count, p=region_weights)
        trip_type = 1 + random.choice(types, count, p=type_weights)
        in_house_chance = in_house[region - 1, trip_type - 1]
        is_unassigned, is_region = random.random(count) < unassigned, random.random(count) < 0.5
        region[is_unassigned & is_region] = 0
        trip_type[is_unassigned & ~is_region] = 0
        patient = random.integers(0, max(20, int(per_month * 0.7)), count)
        population = random.choice(3, count, p=[0.93, 0.05, 0.02]) + 2
        sourcing = numpy.where(random.random(count) < in_house_chance, 0, 1)
        sourcing[random.random(count) < unclassified] = 2
        population = numpy.where(population == 2, sourcing, population)
        has_value = random.random((count, len(VALUES))) < numpy.array(VALUES)
        code = region * (types + 1) + trip_type

        def divided(members):
            places = {leaf: numpy.flatnonzero(numpy.isin(population, members) & (code == leaf[REGION] * (types + 1) + leaf[TYPE]))
                      for leaf in leaves}

            def is_large(some):
                found = numpy.concatenate([places[leaf] for leaf in some])
                if len(found) < threshold or len(numpy.unique(patient[found])) < threshold:
                    return False
                values = has_value[found].sum(0) if members[0] < 3 else numpy.zeros(1)
                return bool(numpy.all((values == 0) | (values >= threshold)))

            trips = {leaf: len(found) for leaf, found in places.items()}
            return trips, rule.partition(trips, is_large)

        parts = [divided([0]), divided([1]), divided([2])]
        has_shares = parts[0][1] is not None and parts[1][1] is not None
        if not has_shares:
            parts = [divided([0, 1, 2])]
        sums["months"] += 1
        sums["monthShares"] += has_shares
        sums["totals"] += all(groups is not None or sum(trips.values()) == 0 for trips, groups in parts)
        for trips, groups in parts:
            sums["trips"] += sum(trips.values())
            if groups is not None:
                sums["rows"] += sum(trips.values())
                sums["leaves"] += sum(trips[group[0]] for group in groups if len(group) == 1)

        def is_alone(groups, leaf):
            return not any(leaf in group and len(group) > 1 for group in groups)

        if has_shares:
            sums["shares"] += sum(trips[leaf] for trips, _ in parts[:2] for leaf in leaves
                                  if is_alone(parts[0][1], leaf) and is_alone(parts[1][1], leaf))
        for own in range(1, regions + 1):
            sums["regions"] += 1
            sums["whole"] += all(
                groups is not None and all(len({leaf[REGION] for leaf in group}) == 1 or own not in {leaf[REGION] for leaf in group}
                                           for group in groups)
                or groups is None and not any(trips[leaf] for leaf in leaves if leaf[REGION] == own)
                for trips, groups in parts)
    share = lambda name, of: f"{100 * sums[name] / max(1, sums[of]):5.1f}"  # noqa: E731
    print(f"{regions:2} × {types}, {per_month:6,} a month, unassigned {unassigned:5.1%}, unclassified {unclassified:4.0%}: "
          f"rows {share('rows', 'trips')}, leaves {share('leaves', 'trips')}, leaves with a share {share('shares', 'trips')}, "
          f"month totals {share('totals', 'months')}, month shares {share('monthShares', 'months')}, "
          f"region totals whole {share('whole', 'regions')}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--enumerate", nargs="+", type=int, metavar="NUMBER")
    parser.add_argument("--utility", action="store_true")
    options = parser.parse_args()
    if options.enumerate:
        regions, types, threshold, *largest = options.enumerate
        return 1 if enumerate_tables(regions, types, threshold, *(largest or [3 * threshold])) else 0
    for size in ((4, 2, 500), (4, 2, 5_000), (20, 6, 5_000), (20, 6, 50_000)):
        for unassigned in (0, 0.005, 0.015):
            for unclassified in (0, 0.05):
                simulate(*size, unassigned, unclassified)
    return 0


if __name__ == "__main__":
    sys.exit(main())
