#!/usr/bin/env python3
"""Check the alert rules of data/prometheus with promtool, and against the metrics that runs write.

The tests of the rules must fail when a rule is changed. Without promtool only the metrics are checked: every metric and label
that a rule names must be in the file of a run that succeeds, of one with a failed export, and of one that fails, which has no
counts of exports.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from nightly_site import ROOT, Checks, Site

FOLDER = ROOT / "data/prometheus"
RULES, TESTS = FOLDER / "tripkpi.rules.yml", FOLDER / "tripkpi.rules.test.yml"
ALERTS = ROOT / "docs/alerts.md"
# Where scripts/bootstrap.sh puts promtool.
os.environ["PATH"] += f"{os.pathsep}{ROOT / '.build/tools'}"
# What is changed in the rules one by one, to see the tests fail.
CHANGES = (
    ("26 * 3600", "52 * 3600"), ("or absent(", "and absent("), ("exit_code != 0", "exit_code > 74"),
    ("unless ignoring (outcome)", "and ignoring (outcome)"), ('{outcome="failed"} > 0\n        labels', '{outcome="failed"} > 5\n        labels'),
    ("or absent(tripkpi_last_success", "and absent(tripkpi_last_success"), ("or tripkpi_last_completion", "and tripkpi_last_completion"),
    ("4 * 86400", "8 * 86400"), ("7 * 86400", "14 * 86400"), ("for: 45m", "for: 5m"), ("severity: warning", "severity: info"),
)
checks = Checks()


def promtool(*words):
    return subprocess.run(["promtool", *map(str, words)], capture_output=True, text=True, check=False, timeout=120)


def check_rules():
    if shutil.which("promtool") is None:
        return checks.skip("the alert rules in promtool", "there is no promtool (Debian: prometheus)")
    checked = promtool("check", "rules", RULES)
    checks.hold("promtool check rules", None if checked.returncode == 0 and "5 rules found" in checked.stdout else
                checked.stdout + checked.stderr)
    tested = promtool("test", "rules", TESTS)
    checks.hold("promtool test rules", None if tested.returncode == 0 else tested.stdout + tested.stderr)
    text = RULES.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(TESTS, folder)
        for old, new in CHANGES:
            changed = Path(folder, RULES.name)
            changed.write_text(text.replace(old, new, 1), encoding="utf-8")
            failed = old in text and promtool("test", "rules", Path(folder, TESTS.name)).returncode != 0
            checks.hold(f"the tests notice “{new}”", None if failed else f"they pass with it in place of “{old}”")
    return None


def selectors(text):
    """The metrics of all expressions, with their labels: (name, frozenset of label="value")."""
    expressions = re.findall(r"expr: (?:\|\n((?: {10}.*\n)+)|(.*))", text)
    found = set()
    for block in expressions:
        for name, labels in re.findall(r"\b(tripkpi_\w+)(?:\{([^}]*)\})?", "".join(block)):
            found.add((name, frozenset(re.findall(r'\w+="[^"]*"', labels))))
    return found


def has(metrics, name, labels):
    return any(all(label in sample for label in labels)
               for sample in re.findall(rf"^{name}(?:\{{.*\}})? [0-9.]+$", metrics, re.M))


def check_metrics():
    wanted = selectors(RULES.read_text(encoding="utf-8"))
    checks.hold("the rules name metrics", None if len(wanted) == 5 else f"they name {sorted(wanted, key=str)}")
    with tempfile.TemporaryDirectory() as folder:
        site = Site.made(Path(folder, "site"))
        metrics = site.metrics / "tripkpi.prom"
        site.succeed("sample", "--rows", "2000", "--output", "inbox/trips.csv")

        def run(what, expected, wanted=wanted):
            code, _, messages = site.tripkpi("run")
            checks.hold(f"{what} ends with {expected}", None if code == expected else f"{code}: {messages[-500:]}")
            text = metrics.read_text()
            checks.hold(f"every metric of the rules is written by {what}", *(
                f"{name}{set(labels) or ''} is not in its metrics" for name, labels in sorted(wanted, key=str)
                if not has(text, name, labels)))
            return text

        good = run("a run that succeeds", 0)
        (site.inbox / "broken.json").write_text("x{")
        run("a run with a failed export", 65)
        site.key.rename(site.key.with_suffix(".away"))
        counted = {item for item in wanted if item[0] == "tripkpi_exports"}
        failed = run("a run that fails", 78, wanted - counted)
        checks.hold("a run that fails has counted no exports", None if counted and "tripkpi_exports" not in failed else failed)
        newest = "tripkpi_newest_trip_timestamp_seconds "
        lines = [next((line for line in text.splitlines() if line.startswith(newest)), None) for text in (good, failed)]
        checks.hold("a failed run keeps the newest trip", None if lines[0] == lines[1] else str(lines))


def check_page():
    names = re.findall(r"- alert: (\w+)", RULES.read_text(encoding="utf-8"))
    page = ALERTS.read_text(encoding="utf-8")
    for name in names:
        checks.hold(f"docs/alerts.md has {name}", None if re.search(rf"^### {name}$", page, re.M) else "it has no such heading")
        checks.hold(f"{name} names its section", None if f"alerts.md#{name.lower()}\n" in RULES.read_text() else "it does not")


check_rules()
check_metrics()
check_page()
sys.exit(checks.end())
