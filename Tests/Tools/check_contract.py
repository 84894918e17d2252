#!/usr/bin/env python3
"""Hold the published examples to the contract, and the contract to its purpose.

Every frozen and golden summary must be valid, and each key that is left out, added, retyped or moved must be noticed.
"""

import copy
import json
import sys
from pathlib import Path

import validate_summary
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = ROOT / "data" / "contract"
EXAMPLES = [
    *sorted((ROOT / "Tests/KPIContractTests/Frozen").glob("*.json")),
    *sorted((ROOT / "Tests/ReportsTests/Snapshots").glob("summary*.json")),
]
# Frozen before `restatements` and `quality.exports` were added.
OLD = {"summary-1.0.json", "summary-1.0-internal.json", "summary-1.0-no-trips.json"}
MANIFESTS = sorted((ROOT / "Tests/PublishingTests/Snapshots").glob("manifest*.json"))


def objects(value, path=()):
    """The paths of all objects with fixed keys; of a list, its first two elements stand for the rest."""
    if isinstance(value, dict):
        if path[-1:] != ("warnings",):
            yield path
        for key, item in value.items():
            yield from objects(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value[:2]):
            yield from objects(item, (*path, index))


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


def damaged(summary):
    """The summary with one thing wrong in each copy, and what is wrong."""
    for path in objects(summary):
        for key in list(at(summary, path)):
            is_last = key == list(at(summary, path))[-1]
            for damage in (without, with_unknown, retyped, moved):
                if damage is moved and is_last:
                    continue
                copied = copy.deepcopy(summary)
                damage(at(copied, path), key)
                yield copied, f"{'.'.join(map(str, path)) or '$'}: {key} {damage.__name__}"


def manifest_faults(manifest, schema):
    for error in validate_summary.strict(schema).iter_errors(manifest):
        yield f"{error.json_path}: breaks `{error.validator}`"
    yield from validate_summary.order_faults(schema, manifest, schema)


def sample():
    """A frozen summary with two of its cells."""
    summary = json.loads((ROOT / "Tests/KPIContractTests/Frozen/summary-1.0-restated.json").read_text(encoding="utf-8"))
    summary["cells"] = summary["cells"][:2]
    summary["privacy"]["suppressedCells"] = sum(cell["suppressed"] for cell in summary["cells"])
    return summary


def main():
    passed, failures = 0, []
    schemas = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(CONTRACT.glob("*.json"))}
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
        fitting = validate_summary.strict(schema, is_old=True) if example.name in OLD else validator
        found = list(validate_summary.faults(json.loads(example.read_text(encoding="utf-8")), schema, fitting))
        passed += not found
        failures += [f"{example.name}: {fault}" for fault in found]
    for manifest in MANIFESTS:
        found = list(manifest_faults(json.loads(manifest.read_text(encoding="utf-8")), schemas["manifest.v1.schema.json"]))
        passed += not found
        failures += [f"{manifest.name}: {fault}" for fault in found]
    if not MANIFESTS:
        failures.append("there is no manifest to check")
    for copied, what in damaged(sample()):
        if any(True for _ in validate_summary.faults(copied, schema, validator)):
            passed += 1
        else:
            failures.append(f"not noticed: {what}")
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
