#!/usr/bin/env python3
"""Hold summaries to data/contract/kpi-summary.v1.schema.json.

usage: validate_summary.py SUMMARY.json...

Exits 1 if a summary breaks the schema, has a key the schema does not know (readers must bear new keys, but ours are
all described), has its keys in another order than the schema's, or contradicts itself. Says where, never what value.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

CONTRACT = Path(__file__).resolve().parents[2] / "data" / "contract"
INTERVALS = ["duration", "response", "turnout", "scene", "transport", "turnaround"]


# What a cell of a release of 1.1 publishes of each measure that `incompleteMeasures` may name.
FIGURES = {"cancelled": ["cancelled"], "noShow": ["noShow"],
           "sourcing": ["inHouse", "contracted"], "cost": ["totalCost", "costedTrips"],
           "costBySourcing": ["inHouseCost", "contractedCost"], "loadedMiles": ["loadedMiles"],
           "unloadedMiles": ["unloadedMiles"]}
# The counts of a cell since 1.2, and the populations that they are of.
COMPLETED = ("inHouse", "contracted", "unclassified", "completed")
NOT_RUN = ("cancelled", "noShow")
COUNTS = {"trips": COMPLETED, **{name: (name,) for name in (*COMPLETED[:3], *NOT_RUN)}}


def closed(schema):
    """The schema with no key allowed in an object beyond those it describes.

    Conditions (`if`, `then`) describe a part of an object and stay as they are: only a schema that says `type: object`
    describes all of one.
    """
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if result.get("type") == "object" and "properties" in result and "additionalProperties" not in result:
        result["additionalProperties"] = False
    return result


def order_faults(schema, value, root, path="$"):
    """Places where the keys stand in another order than in the schema."""
    while "$ref" in schema or isinstance(value, dict) and "anyOf" in schema:
        # An object or null: the object's schema stands first.
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema["anyOf"][0]
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from order_faults(schema.get("items", {}), item, root, f"{path}[{index}]")
    elif isinstance(value, dict):
        if "properties" in schema and list(value) != [key for key in schema["properties"] if key in value]:
            yield f"{path}: the keys are not in the contract's order"
        for key, item in value.items():
            yield from order_faults(schema.get("properties", {}).get(key, {}), item, root, f"{path}.{key}")


def contradictions(summary):
    """What no schema can say."""
    if len(summary["months"]) != len(summary["chartData"]):
        yield "$.chartData: not as long as months"
    if set(summary["months"]) & set(summary["withheldMonths"]):
        yield "$.withheldMonths: names a month that is shown"
    quality = summary["quality"]
    parts = ["added", "updated", "unchanged", "superseded", "skipped", "rejected"] + ["merged"] * ("merged" in quality)
    hidden = [part for part in ["read", *parts] if quality[part] is None]
    if hidden and hidden != ["read", *parts] and hidden != ["read", "added"]:  # the latter in documents of 1.0
        yield "$.quality: counts are not hidden together"
    if not hidden and quality["read"] != sum(quality[part] for part in parts):
        yield "$.quality: read is not the sum of its parts"
    if summary["privacy"]["suppressedCells"] != sum(cell["suppressed"] for cell in summary["cells"]):
        yield "$.privacy.suppressedCells: not the number of suppressed cells"
    restated = [restatement["month"] for restatement in summary.get("restatements", [])]
    if restated != sorted(set(restated)):
        yield "$.restatements: not in the order of their months, or a month twice"
    missing = quality.get("missingDays")
    if (missing is None) != (quality.get("missingDayCount") is None):
        yield "$.quality: missingDays and missingDayCount do not go together"
    elif missing is not None and len(missing) != min(quality["missingDayCount"], 31):
        yield "$.quality.missingDays: not as many as missingDayCount says"
    if list(quality["warnings"]) != sorted(quality["warnings"]):
        yield "$.quality.warnings: not sorted"
    is_old = summary["contractVersion"] in ("1.0", "1.1")
    for index, cell in enumerate(summary["cells"]):
        left_out = cell.get("incompleteMeasures", [])

        def adds_up(parts, *measures):
            """Of an incomplete measure some trips are left out; before 1.2 of those that `trips` counts."""
            if not {*measures} & {*left_out}:
                return parts == cell["trips"]
            return parts < cell["trips"] if is_old else parts <= cell["trips"]

        for name in INTERVALS:
            interval = cell[name]
            if interval["used"] is not None and not adds_up(interval["used"] + interval["excluded"], name):
                yield f"$.cells[{index}].{name}: used and excluded are not the trips"
        split = [cell["inHouse"], cell["contracted"], cell["unclassified"]]
        if cell.get("sourcingBasis") == "all":
            split.pop()
        if None not in split and not adds_up(sum(split), "sourcing", *COMPLETED):
            yield f"$.cells[{index}]: the split does not add up to the trips"
    for index, group in enumerate(summary.get("groups", [])):
        for name in INTERVALS:
            if group["population"] in COMPLETED and group[name]["used"] is not None \
                    and group[name]["used"] + group[name]["excluded"] != group["trips"]:
                yield f"$.groups[{index}].{name}: used and excluded are not the trips"
    if summary.get("audience") == "release":
        yield from means_contradictions(summary)
        yield from release_contradictions(summary) if is_old else group_contradictions(summary)


def means_contradictions(summary):
    is_old = summary["contractVersion"] == "1.1"
    for name in INTERVALS:
        means = {cell[name]["mean"] is None for cell in summary["cells"]
                 if cell[name]["used"] and (is_old or name not in cell["incompleteMeasures"])}
        if len(means) > 1:
            yield f"$.cells: the mean of {name} is null in some cells that have such trips"


def group_contradictions(summary):
    """Since 1.2: groups that are too small or overlap, and counts of cells that are not those of the groups inside."""
    minimum, seen, by_month = summary["privacy"]["minimumCell"], {}, {}
    months = {cell["month"] for cell in summary["cells"]}
    populations = (*COMPLETED, *NOT_RUN)
    for index, group in enumerate(summary["groups"]):
        path = f"$.groups[{index}]"
        if 0 < group["trips"] < minimum:
            yield f"{path}: has fewer trips than a group must have"
        if group["month"] not in months:
            yield f"{path}: is of a month that is not shown"
        if len(group["regions"]) != len(group["tripTypes"]):
            yield f"{path}: its regions and trip types are not pairs"
        leaves = {*zip(group["regions"], group["tripTypes"])}
        for leaf in leaves:
            if seen.setdefault((group["month"], group["population"], leaf), path) != path:
                yield f"{path}: {seen[group['month'], group['population'], leaf]} may hold trips of the same region and trip type"
        by_month.setdefault(group["month"], []).append((group, leaves))
    places = [(group["month"], populations.index(group["population"])) for group in summary["groups"]]
    if places != sorted(places):
        yield "$.groups: not in the order of months and populations"
    names = ("month", "regions", "tripTypes", "trips")
    if summary["mergedGroups"] != [{name: group[name] for name in names} for group in summary["groups"]
                                   if len(group["regions"]) > 1 and group["population"] in COMPLETED]:
        yield "$.mergedGroups: not the groups of several regions and trip types"
    selected = (summary["filters"]["regions"], summary["filters"]["tripTypes"])
    for index, cell in enumerate(summary["cells"]):
        of_cell = [one for month, groups in by_month.items() if cell["month"] in ("All", month) for one in groups]

        def has(leaf):
            return all(name == wanted or wanted == "All" and (name in own or "selection" not in summary)
                       for wanted, name, own in zip((cell["region"], cell["tripType"]), leaf, selected))

        for name, own in COUNTS.items():
            # Whether Unassigned is asked for does not follow from a document of a part, if no completed trips may be there.
            if cell["suppressed"] or name in NOT_RUN and "selection" in summary:
                continue
            inside, is_partly = [], False
            for group, leaves in of_cell:
                if group["population"] in own:
                    of_leaves = {*map(has, leaves)}
                    inside += [group["trips"]] if of_leaves == {True} else []
                    is_partly = is_partly or len(of_leaves) == 2
            if is_partly and name not in cell["incompleteMeasures"]:
                yield f"$.cells[{index}].{name}: a group lies partly in it, and incompleteMeasures does not name it"
            if cell[name] is None and inside or cell[name] not in (None, sum(inside)):
                yield f"$.cells[{index}].{name}: not the sum of the groups inside"


def release_contradictions(summary):
    """Of 1.1."""
    minimum = summary["privacy"]["minimumCell"]
    cells = {(cell["month"], cell["region"], cell["tripType"]): cell for cell in summary["cells"]}
    merged = {}
    for index, group in enumerate(summary["mergedGroups"]):
        path = f"$.mergedGroups[{index}]"
        if group["trips"] < minimum:
            yield f"{path}: has fewer trips than a group must have"
        if group["month"] not in summary["months"]:
            yield f"{path}: is of a month that is not shown"
        if len(group["regions"]) != len(group["tripTypes"]):
            yield f"{path}: its regions and trip types are not pairs"
        for pair in zip(group["regions"], group["tripTypes"]):
            leaf = (group["month"], *pair)
            if leaf in merged:
                yield f"{path}: {merged[leaf]} may hold trips of the same region and trip type"
            merged[leaf] = path
            if leaf in cells and not cells[leaf]["suppressed"]:
                yield f"{path}: a region and trip type of it is published by itself"
    for index, cell in enumerate(summary["cells"]):
        path, place = f"$.cells[{index}]", (cell["month"], cell["region"], cell["tripType"])
        if "All" not in place and (place in merged) != cell["suppressed"]:
            yield f"{path}: is suppressed although no merged group may hold its trips, or the reverse"
        if cell["suppressed"]:
            continue
        if cell["trips"] and cell["trips"] < minimum:
            yield f"{path}: has fewer trips than a group must have"
        for name, figures in FIGURES.items():
            if summary["privacy"].get("missingCounts") == "omitted":
                figures = [figure for figure in figures if figure != "costedTrips"]
            if name not in cell["incompleteMeasures"] and any(cell[figure] is None for figure in figures):
                yield f"{path}: {name} is null, and incompleteMeasures does not name it"
        if "All" in place and cell["complete"] != is_complete(place, summary):
            yield f"{path}: complete is not what mergedGroups says"


def is_complete(place, summary):
    """Whether each group that reaches into the cell lies inside it. All is all of what was asked for."""
    selected = (summary["filters"]["regions"], summary["filters"]["tripTypes"])
    for group in summary["mergedGroups"]:
        if place[0] not in ("All", group["month"]):
            continue
        inside = [all(own in names if wanted == "All" else own == wanted for wanted, own, names in zip(place[1:], pair, selected))
                  for pair in zip(group["regions"], group["tripTypes"])]
        if any(inside) and not all(inside):
            return False
    return True


def strict(schema):
    """A validator of the schema that knows no keys but the schema's."""
    return Draft202012Validator(closed(schema))


def faults(summary, schema, validator):
    errors = sorted(validator.iter_errors(summary), key=lambda e: e.json_path)
    if errors:
        for error in errors:
            yield f"{error.json_path}: breaks `{error.validator}`"
        return
    yield from order_faults(schema, summary, schema)
    yield from contradictions(summary)


def main(paths):
    if not paths:
        print(__doc__, file=sys.stderr)
        return 64
    schema = json.loads((CONTRACT / "kpi-summary.v1.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = strict(schema)
    found = False
    for path in paths:
        for fault in faults(json.loads(Path(path).read_text(encoding="utf-8")), schema, validator):
            found = True
            print(f"{path}: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
