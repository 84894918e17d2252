#!/usr/bin/env python3
"""Exports as people send them (../shared/cases), and what they must give.

Runs the command named by TRIPKPI. The last line is `N passed, N failed`.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from nightly_site import Checks

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = pathlib.Path(os.environ.get("CHECK_SHARED", ROOT.parent / "shared")) / "cases"


def main():
    tripkpi = os.path.realpath(os.environ["TRIPKPI"])
    checks = Checks()
    with tempfile.TemporaryDirectory() as made:
        made = pathlib.Path(made)
        if not (CASES / "check.py").exists():
            checks.skip("exports as people send them", "../shared/cases is not there")
        else:
            subprocess.run([sys.executable, CASES / "make.py", made], check=True, capture_output=True)
            told = subprocess.run([sys.executable, CASES / "check.py", tripkpi, made], check=False, capture_output=True, text=True).stdout.splitlines()
            right, count = map(int, re.fullmatch(r"(\d+) right of (\d+)", told[-1]).groups())
            for line in told[:-1]:
                checks.hold("a case", line)
            for _ in range(right):
                checks.hold("a case")
            checks.hold("the cases", "" if count >= 40 else "too few are made")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
