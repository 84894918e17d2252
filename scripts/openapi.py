#!/usr/bin/env python3
"""Makes data/contract/openapi.json, which `tripkpi serve` serves, from openapi.yaml and the JSON schemas beside it.

    openapi.py [--check]

Every schema that the YAML names by its file becomes a component, so the result needs no other file. --check writes nothing and
ends with 1 where the file is not the one that would be written. Needs PyYAML.
"""
import json
import sys
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parent.parent / "data/contract"


def name_of(path):
    """kpi-summary.v1.schema.json → KpiSummary; with #/$defs/row → KpiSummaryRow."""
    file, _, inside = path.partition("#/$defs/")
    words = file.split(".")[0].split("-") + ([inside] if inside else [])
    return "".join(word[:1].upper() + word[1:] for word in words)


def bundled():
    document = yaml.safe_load((FOLDER / "openapi.yaml").read_text(encoding="utf-8"))
    schemas = document["components"]["schemas"]

    def add(reference, base):
        """The component that a reference of a file becomes."""
        path = base + reference if reference.startswith("#") else reference
        name = name_of(path)
        if name not in schemas:
            file, _, inside = path.partition("#/$defs/")
            whole = json.loads((FOLDER / file).read_text(encoding="utf-8"))
            part = whole["$defs"][inside] if inside else {k: v for k, v in whole.items() if k not in ("$defs", "$schema", "$id")}
            schemas[name] = {}
            schemas[name] = walk(part, file)
        return {"$ref": f"#/components/schemas/{name}"}

    def walk(node, base):
        if isinstance(node, list):
            return [walk(one, base) for one in node]
        if not isinstance(node, dict):
            return node
        made = {key: walk(value, base) for key, value in node.items() if key != "$ref"}
        if "$ref" in node:
            reference = node["$ref"]
            outside = ".json" in reference or (base and reference.startswith("#"))
            made |= add(reference, base) if outside else {"$ref": reference}
        return made

    for key in ("paths", "components"):
        for name, node in list(document[key].items()):
            made = walk(node, "")
            if isinstance(document[key][name], dict) and document[key][name] is schemas:
                schemas.update(made)
            else:
                document[key][name] = made
    return json.dumps(document, indent=1, ensure_ascii=False, sort_keys=False) + "\n"


def main():
    target, text = FOLDER / "openapi.json", bundled()
    if "--check" in sys.argv[1:]:
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            print("data/contract/openapi.json is not made of openapi.yaml: run scripts/openapi.py", file=sys.stderr)
            sys.exit(1)
        return
    target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
