#!/usr/bin/env python3
"""Hold the attack itself to enumeration: on tiny tables all tables of whole numbers that show the same can be listed.

In two dimensions its verdict on each hidden count must be that of the list; in three it may only be weaker, since there
linear programs have corners that are not whole. The last line is `N passed, N failed`.
"""
import itertools
import json
import os
import random
import sys

from attack import ALL, PublishedSet, attack
from nightly_site import Checks

SEED = int(os.environ.get("TRIPKPI_SEED", 1))


def main(count=60):
    """The attack against enumeration, on tables so small that all their solutions can be listed."""
    checks, generator, wrong, asked = Checks(), random.Random(SEED), [], 0
    for number in range(count):
        axes = [range(generator.choice((1, 2))), range(generator.choice((2, 3))), range(2)]
        values = {leaf: generator.choice((0, 1, 2, 3, 5, 8, 12)) for leaf in itertools.product(*axes)}
        zeros = generator.random() < 0.5
        found, hidden = tiny_set(generator, axes, values, zeros)
        ranges = enumerate_ranges(found, hidden, zeros)
        parts = lambda key: frozenset(found.leaves(key))  # what has the same leaves is told once
        report = attack([found], ["status"], zeros_are_shown=zeros)
        kinds = {parts(finding.cells[0]): finding for finding in report.findings if finding.figure == "trips"}
        is_flat = sum(len(axis) > 1 for axis in axes) < 3  # only then have linear programs whole corners
        for key, (low, high) in ranges.items():
            asked += 1
            kind = kinds[parts(key)].kind if parts(key) in kinds else None
            expected = ("zero" if high == 0 else "determined") if low == high else (
                "inside" if low else "small") if high < 11 else None
            if kind != expected and (is_flat or kind is not None):
                wrong.append(f"table {number}, {'/'.join(key)}: {kind}, by enumeration {expected} ({low} to {high})")
    print(f"enumeration: {asked} hidden counts of {count} tables")
    checks.hold("enumeration", *wrong[:5], None if asked > 100 else "too few counts were compared")
    return checks.end()


def tiny_set(generator, axes, values, zeros):
    """A summary of nothing but trips, some of them hidden at random."""
    names = [[f"2025-{n + 1:02d}" for n in axes[0]], [f"R{n}" for n in axes[1]], [f"T{n}" for n in axes[2]]]
    cells, hidden = [], []
    for place in itertools.product(*([None, *axis] for axis in axes)):
        trips = sum(v for leaf, v in values.items() if all(p is None or p == q for p, q in zip(place, leaf)))
        key = tuple(ALL if p is None else names[axis][p] for axis, p in enumerate(place))
        is_hidden = any(p is not None for p in place) and generator.random() < 0.45 and (trips > 0 or not zeros)
        hidden += [key] if is_hidden else []
        cells.append({"month": key[0], "region": key[1], "tripType": key[2], "trips": None if is_hidden else trips})
    total = sum(values.values())
    summary = {"cells": cells, "privacy": {"minimumCell": 11}, "totalTrips": total, "months": [], "chartData": [],
               "comparisons": [], "quality": {"added": total + 50, "warnings": {}}}
    return PublishedSet(json.dumps(summary)), hidden


def enumerate_ranges(found, hidden, zeros):
    """Least and greatest of each hidden count, over all tables of whole numbers that show what is shown."""
    leaves = found.leaves((ALL, ALL, ALL))
    of = {key: [leaves.index(leaf) for leaf in found.leaves(key)] for key in found.cells}
    rows = [(of[key], *((cell["trips"],) * 2 if "trips" in cell else (int(zeros), 10 ** 9)))
            for key, cell in found.cells.items()]
    rows += [(of[(month, ALL, ALL)], 0, 10 ** 9) for month in found.months]
    ending = [[row for row in rows if max(row[0]) == place] for place in range(len(leaves))]
    running = [[row for row in rows if place in row[0]] for place in range(len(leaves))]
    ranges, values = {}, [0] * len(leaves)

    def fill(place):
        if place == len(leaves):
            for key in hidden:
                value = sum(values[n] for n in of[key])
                low, high = ranges.get(key, (value, value))
                ranges[key] = min(low, value), max(high, value)
            return
        most = min(high - sum(values[n] for n in parts if n < place) for parts, _, high in running[place])
        for value in range(max(0, most) + 1 if most >= 0 else 0):
            values[place] = value
            if all(low <= sum(values[n] for n in parts) <= high for parts, low, high in ending[place]):
                fill(place + 1)
        values[place] = 0

    fill(0)
    return ranges


if __name__ == "__main__":
    sys.exit(main())
