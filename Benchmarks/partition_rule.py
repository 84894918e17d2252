#!/usr/bin/env python3
"""Whether the rule of decision 0030 discloses small counts: all tables of few trips are divided.

    python3 Benchmarks/partition_rule.py --enumerate REGIONS TYPES THRESHOLD [MOST] [--by-type] [--values measure|patients]

Prints merged leaves for which the groups and their totals exclude a count below the threshold, over all tables of at most MOST
trips (default: four times the threshold). With `--values` trips may lack the value of a measure, or share patients. The rule is
`Tests/Tools/release_partition.py`; `release_utility.py` shows how much it shows.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Tools"))
from release_attack import confined_by_rule  # noqa: E402
from release_partition import partition  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--enumerate", nargs="+", type=int, metavar="NUMBER", required=True)
    parser.add_argument("--by-type", action="store_true")
    parser.add_argument("--values", choices=("measure", "patients"))
    options = parser.parse_args()
    regions, types, threshold, *most = options.enumerate
    outputs = merged = confined = 0
    for total in range(threshold, (most or [4 * threshold])[0] + 1):
        more, hidden, found = confined_by_rule(partition, regions, types, total, threshold, int(options.by_type), options.values)
        outputs, merged, confined = outputs + more, merged + hidden, confined + len(found)
        for leaf, groups in found[:5]:
            print(f"{leaf} cannot have each count below {threshold} in {[(sorted(group), *rest) for group, *rest in groups]}")
    print(f"{outputs} outputs, {merged} merged leaves, {confined} confined")
    return 1 if confined else 0


if __name__ == "__main__":
    sys.exit(main())
