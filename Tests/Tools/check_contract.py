#!/usr/bin/env python3
"""Check the examples and the program's own documents against the contract, and the contract against its purpose.

Every frozen and golden summary must be valid, and so must what `tripkpi` writes today: the published sets of both
audiences, reports of parts, scans of exports, an empty export. In a document of each audience each key that is left out,
added, retyped or moved must be noticed, and so must each figure that its audience may not see.
"""

import copy
import itertools
import json
import pathlib
import sys
import tempfile
from pathlib import Path

import validate_summary
from jsonschema import Draft202012Validator
from nightly_site import SECOND_NIGHT, Site, corrections, sample

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = ROOT / "data" / "contract"
EXAMPLES = [
    *sorted((ROOT / "Tests/KPIContractTests/Frozen").glob("*.json")),
    *sorted((ROOT / "Tests/ReportsTests/Snapshots").glob("summary*.json")),
]
MANIFESTS = sorted((ROOT / "Tests/PublishingTests/Snapshots").glob("manifest*.json"))


def objects(value, path=()):
    """The paths of all objects with fixed keys."""
    if isinstance(value, dict):
        if path[-1:] != ("warnings",):
            yield path
        for key, item in value.items():
            yield from objects(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from objects(item, (*path, index))


def shape(value):
    """The keys of an object and of those inside it, and the type of each value."""
    if isinstance(value, dict):
        return tuple((key, shape(item)) for key, item in value.items())
    return tuple({shape(item): None for item in value}) if isinstance(value, list) else type(value)


def small(value):
    """The same with one object of each shape in every list: each further one would only repeat what is noticed."""
    if isinstance(value, dict):
        return {key: small(item) for key, item in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [small(item) for item in {shape(item): item for item in value[::-1]}.values()][::-1]
    return value


def at(value, path):
    for step in path:
        value = value[step]
    return value


def without(target, key):
    del target[key]


def with_unknown(target, key):
    target[key + "Unknown"] = 0


def retyped(target, key):
    target[key] = [{"unexpected": True}]


def moved(target, key):
    target[key] = target.pop(key)


def damaged(summary, optional):
    """The summary with one thing wrong in each copy, and what is wrong. Documents from before `optional` keys lack them."""
    for path in objects(summary):
        for key in list(at(summary, path)):
            is_last = key == list(at(summary, path))[-1]
            for damage in (without, with_unknown, retyped, moved):
                if damage is moved and is_last or damage is without and key in optional:
                    continue
                copied = copy.deepcopy(summary)
                damage(at(copied, path), key)
                yield copied, f"{'.'.join(map(str, path)) or '$'}: {key} {damage.__name__}"


def is_as_described(summary, schema, validator, only_order=False):
    """Whether the schema describes it, and the order of its keys. The order is nothing to a validator, which is slow."""
    return not any(True for _ in validate_summary.order_faults(schema, summary, schema)) and (only_order or validator.is_valid(summary))


def manifest_faults(manifest, schema):
    for error in validate_summary.strict(schema).iter_errors(manifest):
        yield f"{error.json_path}: breaks `{error.validator}`"
    yield from validate_summary.order_faults(schema, manifest, schema)


def documents(folder):
    """Name → summary that the program writes: every way in which it writes one, for each audience."""
    site = Site.made(pathlib.Path(folder) / "site")
    sample(site.inbox / "trips.csv", 4000, 3)
    site.succeed("run", "--quiet")
    corrections(site.inbox / "trips.csv", site.inbox / "corrections.csv", every=40)
    site.epoch = SECOND_NIGHT
    site.succeed("run", "--quiet")
    (pathlib.Path(folder) / "empty.csv").write_text("trip_id,service_date,region,trip_type,status\n", encoding="utf-8")
    found = {f"{audience} set": site.summary(audience) for audience in ("release", "staff")}
    for audience in ("release", "staff"):
        for what, words in {"report of a month": ("report", "--month", "2026-02"),
                            "report of a region": ("report", "--region", "North"),
                            "report of a type": ("report", "--type", "Emergency", "--from", "2026-02"),
                            "scan": ("scan", "inbox/trips.csv"), "scan of no trips": ("scan", "../empty.csv")}.items():
            output, _ = site.succeed(*words, "--audience", audience, "--quiet", "--format", "json")
            found[f"{audience}: {what}"] = json.loads(output)
    (site.folder / "omit.yaml").write_text((site.folder / "tripkpi.yaml").read_text() + "missing_counts: omit\n",
                                           encoding="utf-8")
    for audience, words in (("release", ()), ("release", ("--region", "North")), ("staff", ())):
        output, _ = site.succeed("report", *words, "--config", "omit.yaml", "--audience", audience, "--quiet", "--format", "json")
        found[f"{audience}: without missing counts {' '.join(words)}".strip()] = json.loads(output)
    return found


def cut(summary):
    """A summary with two of its cells, one of each kind that the audience has; since 1.2 with the groups of one month."""
    summary = copy.deepcopy(summary)
    if summary.get("groups") and summary["mergedGroups"]:
        month = summary["mergedGroups"][0]["month"]
        for key in ("cells", "groups", "mergedGroups"):
            summary[key] = [one for one in summary[key] if one["month"] == month]
    hidden = [cell for cell in summary["cells"] if cell["suppressed"]]
    summary["cells"] = [summary["cells"][0], (hidden or summary["cells"])[-1]]
    summary["privacy"]["suppressedCells"] = sum(cell["suppressed"] for cell in summary["cells"])
    return summary


def overshown(summary):
    """A release with one thing that its readers may not see in each copy, and what it is."""
    hidden = next(i for i, cell in enumerate(summary["cells"]) if cell["suppressed"])
    for key in ("trips", "cancelled", "inHouse", "totalCost", "loadedMiles", "costPerLoadedMile"):
        copied = copy.deepcopy(summary)
        copied["cells"][hidden][key] = 12
        yield copied, f"a suppressed cell shows {key}"
    for key in [key for key, value in summary["quality"].items() if value is None]:
        copied = copy.deepcopy(summary)
        copied["quality"][key] = 3
        yield copied, f"quality.{key} is shown"
    for code in summary["quality"]["warnings"]:
        copied = copy.deepcopy(summary)
        copied["quality"]["warnings"][code] = 3
        yield copied, f"warning {code} is shown"
    for key, value in {"exports": {"loaded": 1, "failed": 0, "waived": 0}, "missingDayCount": 0, "missingDays": []}.items():
        copied = copy.deepcopy(summary)
        copied["quality"][key] = value
        yield copied, f"quality.{key} is there"
    for interval in validate_summary.INTERVALS:
        copied = copy.deepcopy(summary)
        copied["cells"][0][interval]["p50"] = (copied["cells"][0][interval]["p50"] or 0) + 1
        yield copied, f"{interval}.p50 is not rounded"
        copied = copy.deepcopy(summary)
        copied["groups"][0][interval]["p90"] = (copied["groups"][0][interval]["p90"] or 0) + 1
        yield copied, f"{interval}.p90 of a group is not rounded"
    copied = copy.deepcopy(summary)
    copied["mergedGroups"][0]["trips"] = copied["privacy"]["minimumCell"] - 1
    yield copied, "a merged group is too small"
    copied = copy.deepcopy(summary)
    copied["mergedGroups"].append(copied["mergedGroups"][0])
    yield copied, "two groups share a region and trip type"
    # One of a single place and one of several, of each population.
    kinds = {(group["population"], len(group["regions"]) > 1): index for index, group in enumerate(summary["groups"])}
    for index in kinds.values():
        group = summary["groups"][index]
        for trips, what in ((group["trips"] + 1, "has another trip"), (summary["privacy"]["minimumCell"] - 1, "is too small")):
            copied = copy.deepcopy(summary)
            copied["groups"][index]["trips"] = trips
            yield copied, f"a group {what}: {group['month']} {group['population']}"
    copied = copy.deepcopy(summary)
    copied["groups"][0]["population"] = "contracted" if copied["groups"][0]["population"] != "contracted" else "inHouse"
    yield copied, "a group is of another population"
    copied = copy.deepcopy(summary)
    copied["groups"].insert(1, copied["groups"][0])
    yield copied, "two groups of a population share a region and trip type"
    for key, name in {"inHouseShare": "inHouse", "costPerTrip": "cost", "totalCost": "cost", "loadedMileRatio": "loadedMiles",
                      "costPerLoadedMile": "costPerLoadedMile", "trips": "trips"}.items():
        copied = copy.deepcopy(summary)
        cell = copied["cells"][0]
        cell["incompleteMeasures"] = [name]
        if cell[key] is None:
            cell[key] = 1
        yield copied, f"{key} is shown, and {name} is named"
    for name in ("sourcing", "costBySourcing"):
        copied = copy.deepcopy(summary)
        copied["cells"][0]["incompleteMeasures"] = [name]
        yield copied, f"incompleteMeasures names {name}, which is of 1.1"
    copied = copy.deepcopy(summary)
    copied["audience"] = "staff"
    yield copied, "a release calls itself staff"


def overcounted(summary):
    """A release without counts of missing values with one such count, or what gives it back, in each copy."""
    for key, value in {"costedTrips": 12, "costPerTrip": 7.00}.items():
        copied = copy.deepcopy(summary)
        copied["cells"][0][key] = value
        yield copied, f"without missing counts: {key} is shown"
    for interval in validate_summary.INTERVALS:
        for key, value in {"used": 12, "excluded": 3, "mean": 7.0}.items():
            copied = copy.deepcopy(summary)
            copied["cells"][0][interval][key] = value
            yield copied, f"without missing counts: {interval}.{key} is shown"
    for key in ("avgDuration", "cost"):
        copied = copy.deepcopy(summary)
        copied[key] = 7.0
        yield copied, f"without missing counts: {key} is shown"
        copied = copy.deepcopy(summary)
        copied["withheldHeadlines"].remove(key)
        yield copied, f"without missing counts: {key} is not named"
    for key, value in {"missingCounts": "published", "audience": "staff"}.items():
        copied = copy.deepcopy(summary)
        (copied["privacy"] if key == "missingCounts" else copied)[key] = value
        yield copied, f"without missing counts: {key} is {value}"
    copied = copy.deepcopy(summary)
    copied["qualityShares"]["tripsWithCost"] = 97
    yield copied, "without missing counts: tripsWithCost is shown"


def hidden_from_staff(summary):
    """A staff document with one thing that staff must see left out in each copy, and what it is."""
    for key in ("trips", "cancelled", "noShow", "inHouse", "contracted", "unclassified", "totalCost", "costedTrips"):
        copied = copy.deepcopy(summary)
        copied["cells"][0][key] = None
        yield copied, f"staff: {key} is null"
    for key in ("read", "added", "rejected"):
        copied = copy.deepcopy(summary)
        copied["quality"][key] = None
        yield copied, f"staff: quality.{key} is null"
    for key, value in {"complete": False, "sourcingSuppressed": True, "suppressed": True, "sourcingBasis": "all",
                       "incompleteMeasures": ["cost"]}.items():
        copied = copy.deepcopy(summary)
        copied["cells"][0][key] = value
        yield copied, f"staff: {key} is {value}"
    copied = copy.deepcopy(summary)
    copied["audience"] = "release"
    yield copied, "a staff document calls itself release"


def main():
    passed, failures = 0, []
    schemas = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(CONTRACT.glob("*.schema.json"))}
    for name, schema in schemas.items():
        Draft202012Validator.check_schema(schema)
        passed += 1
        if "/v1/" not in schema["$id"]:
            failures.append(f"{name}: its $id does not name the major version")
    schema = schemas["kpi-summary.v1.schema.json"]
    validator = validate_summary.strict(schema)
    if len(EXAMPLES) < 2:
        failures.append("there are no examples to check")
    for example in EXAMPLES:
        found = list(validate_summary.faults(json.loads(example.read_text(encoding="utf-8")), schema, validator))
        passed += not found
        failures += [f"{example.name}: {fault}" for fault in found]
    for manifest in MANIFESTS:
        found = list(manifest_faults(json.loads(manifest.read_text(encoding="utf-8")), schemas["manifest.v1.schema.json"]))
        passed += not found
        failures += [f"{manifest.name}: {fault}" for fault in found]
    if not MANIFESTS:
        failures.append("there is no manifest to check")
    with tempfile.TemporaryDirectory(prefix="tripkpi-contract-") as folder:
        written = documents(folder)
    for name, summary in written.items():
        found = list(validate_summary.faults(summary, schema, validator))
        if (summary["contractVersion"], summary.get("audience")) != ("1.2", name.split()[0].rstrip(":")):
            found.append("is not of version 1.2 and of its audience")
        passed += not found
        failures += [f"{name}: {fault}" for fault in found[:5]]
    release, staff, omitted = (written[name] for name in ("release set", "staff set", "release: without missing counts"))
    optional = [key for properties in (schema["properties"], schema["$defs"]["cell"]["properties"])
                for key, value in properties.items() if "Added after 1.1." in value.get("description", "")]
    old = json.loads((ROOT / "Tests/KPIContractTests/Frozen/summary-1.0.json").read_text(encoding="utf-8"))
    # What is damaged is valid before: else nothing would be noticed by the damage.
    release, staff, old, omitted = (cut(whole) for whole in (release, staff, old, omitted))
    for name, whole in {"release": release, "staff": staff, "1.0": old, "omitted": omitted}.items():
        found = list(validate_summary.faults(whole, schema, validator))
        passed += not found
        failures += [f"cut {name}: {fault}" for fault in found[:5]]
    noticed = []
    for whole in (release, staff, old, omitted):
        part = small(whole)
        noticed.append((is_as_described(part, schema, validator), "a small document is not valid, so that its damage is none"))
        for copied, what in damaged(part, optional):
            noticed.append((not is_as_described(copied, schema, validator, what.endswith(moved.__name__)), what))
    for copied, what in itertools.chain(overshown(release), overcounted(omitted), hidden_from_staff(staff)):
        noticed.append((not validator.is_valid(copied) or any(True for _ in validate_summary.contradictions(copied)), what))
    passed += sum(is_noticed for is_noticed, _ in noticed)
    failures += [f"not noticed: {what}" for is_noticed, what in noticed if not is_noticed]
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
