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


def closed(schema, is_old):
    """The schema with no key allowed in an object beyond those it describes, and all of them required.

    Of an old document only those keys are required that were there from the first.
    """
    if isinstance(schema, list):
        return [closed(item, is_old) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value, is_old) for key, value in schema.items()}
    if "required" in result and "additionalProperties" not in result:
        result["additionalProperties"] = False
        if not is_old:
            result["required"] = list(result["properties"])
    return result


def order_faults(schema, value, root, path="$"):
    """Places where the keys stand in another order than in the schema."""
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
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
    parts = ["added", "updated", "unchanged", "superseded", "skipped", "rejected"]
    if (quality["read"] is None) != (quality["added"] is None):
        yield "quality.read and quality.added are not hidden together"
    if quality["read"] is not None and quality["read"] != sum(quality[part] for part in parts):
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
    for index, cell in enumerate(summary["cells"]):
        for name in INTERVALS:
            interval = cell[name]
            if interval["used"] is not None and interval["used"] + interval["excluded"] != cell["trips"]:
                yield f"$.cells[{index}].{name}: used and excluded are not the trips"
        split = [cell["inHouse"], cell["contracted"], cell["unclassified"]]
        if None not in split and sum(split) != cell["trips"]:
            yield f"$.cells[{index}]: the split does not add up to the trips"


def strict(schema, is_old=False):
    """A validator of the schema that knows no keys but the schema's; an old document may lack those added later."""
    return Draft202012Validator(closed(schema, is_old))


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
