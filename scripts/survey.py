#!/usr/bin/env python3
"""What the code weighs: lines, targets, edges, and how often one thing is said twice. It prints a table; `--json` the numbers.

    scripts/survey.py [FOLDER]      a checkout; this one if none is named

Decision 0034 quotes it before and after. It reads text and knows no Swift: it counts what can be counted so.
"""
import collections
import json
import pathlib
import re
import sys

IMPORT = re.compile(r"^\s*(?:@\w+ |(?:package|public|internal|private|fileprivate) )*import (?:(?:struct|enum|class|func|protocol) )?(\w+)", re.M)
TYPE = re.compile(r"^(?:@\w+(?:\([^)]*\))? )*(?:(?:package|public|internal|private|fileprivate|final|indirect) )*"
                  r"(struct|enum|class|actor|protocol|typealias) (\w+)", re.M)
HIDDEN = re.compile(r"^(?:private|fileprivate) ", re.M)


def bare(text):
    """The code without strings and comments, so that brackets and words can be counted."""
    text = re.sub(r'"""(?:.|\n)*?"""', '""', text)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"//[^\n]*", "", text)


def parameters(code):
    """Of each function and initialiser the number of its parameters."""
    for match in re.finditer(r"(?:\bfunc \S+?|(?<!\.)\binit\??)(?:<[^(]*>)?\(", code):
        depth, count = 1, 0
        for character in code[match.end():]:
            if character in "([{":
                depth += 1
            elif character in ")]}":
                depth -= 1
                if depth == 0:
                    break
            elif character == ":" and depth == 1:
                count += 1
        yield count


def survey(root):
    sources = root / "Sources"
    files = sorted(sources.rglob("*.swift"))
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    targets = collections.Counter(file.relative_to(sources).parts[0] for file in files)
    lines = collections.Counter()
    size = collections.Counter()
    edges = collections.defaultdict(collections.Counter)
    types, misplaced, uses = {}, [], collections.Counter()
    for file, text in texts.items():
        target = file.relative_to(sources).parts[0]
        for line in text.split("\n")[:-1]:
            stripped = line.strip()
            size[target] += 1
            lines["all"] += 1
            if not stripped:
                lines["blank"] += 1
            elif stripped.startswith("//"):
                lines["comment"] += 1
            else:
                lines["code"] += 1
                if IMPORT.match(line):
                    lines["imports"] += 1
                if re.match(r"self\.(\w+) = \1$", stripped):
                    lines["self.x = x"] += 1
        for module in set(IMPORT.findall(text)):
            if module in targets and module != target:
                edges[target][module] += 1
        for match in TYPE.finditer(text):
            if HIDDEN.match(match.group(0)) or match.group(1) == "typealias":
                continue
            name = match.group(2)
            types[name] = file
            if file.stem.split("+")[0] != name:
                misplaced.append((name, file))
    words = {file: set(re.findall(r"\b[A-Z]\w+", bare(text))) for file, text in texts.items()}
    for name in types:
        uses[name] = sum(name in found for found in words.values())
    wide = [count for text in texts.values() for count in parameters(bare(text)) if count >= 9]
    manifest = (root / "Package.swift").read_text(encoding="utf-8")
    fan_out = {target: len(found) for target, found in edges.items()}
    return {
        "lines of Swift in Sources": lines["all"], "code": lines["code"], "comment": lines["comment"], "blank": lines["blank"],
        "import lines": lines["imports"], "lines `self.x = x`": lines["self.x = x"],
        "lines of Swift in Tests": sum(len(f.read_text(encoding="utf-8").split("\n")) - 1 for f in (root / "Tests").rglob("*.swift")),
        "lines of Python in Tests/Tools": sum(len(f.read_text(encoding="utf-8").split("\n")) - 1 for f in (root / "Tests/Tools").glob("*.py")),
        "files": len(files), "Swift targets": len(targets),
        "edges (imported)": sum(fan_out.values()),
        "edges that one or two files carry": sum(count <= 2 for found in edges.values() for count in found.values()),
        "three largest fan-outs": ", ".join(f"{t} {n}" for t, n in sorted(fan_out.items(), key=lambda e: (-e[1], e[0]))[:3]),
        "three largest targets": ", ".join(f"{t} {n}" for t, n in size.most_common(3)),
        "three smallest targets": ", ".join(f"{t} {n}" for t, n in size.most_common()[:-4:-1]),
        "top-level types": len(types), "types not in a file of their name": len(misplaced),
        "of them used in five files or more": sum(uses[name] >= 5 for name, _ in misplaced),
        "functions with nine parameters or more": len(wide),
        "most parameters": max(wide, default=0),
        "types named for a month": sum(bool(re.search(r"(^|[a-z])Month$", name)) for name in types),
        "literals \"All\"": sum(len(re.findall(r'"All"', text)) for text in texts.values()),
        "types named for a cell": sum(bool(re.search(r"Cells?($|[A-Z])", name)) for name in types),
        "types named Release…": sum(bool(re.match(r"Release", name)) for name in types),
        "types named …Facts": sum(bool(re.search(r"Facts", name)) for name in types),
        "types named …Plan": sum(bool(re.search(r"Plan", name)) for name in types),
    }, misplaced, uses, edges, size


def main():
    arguments = [word for word in sys.argv[1:] if not word.startswith("-")]
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    figures, misplaced, uses, edges, size = survey(root)
    if "--json" in sys.argv:
        print(json.dumps(figures, indent=2, ensure_ascii=False))
        return
    for name, figure in figures.items():
        print(f"{name:45} {figure}")
    if "--types" in sys.argv:
        for name, file in sorted(misplaced, key=lambda e: -uses[e[0]]):
            print(f"{uses[name]:4} {name} in {file.relative_to(root)}")
    if "--edges" in sys.argv:
        for target in sorted(edges, key=lambda t: -len(edges[t])):
            print(f"{target} ({size[target]}): " + ", ".join(f"{m} {n}" for m, n in edges[target].most_common()))


main()
