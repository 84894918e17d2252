#!/usr/bin/env python3
"""Exports as people send them (../shared/cases), and a workbook of openpyxl against the CSV of the same rows.

Runs the command named by TRIPKPI. The last line is `N passed, N failed`.
"""
import csv
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from nightly_site import Checks

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = pathlib.Path(os.environ.get("CHECK_SHARED", ROOT.parent / "shared")) / "cases"
HEADER = ["trip_id", "unit_notified_at", "on_scene_at", "region", "loaded_miles", "cost"]


def rows(count):
    """Made-up trips: times, numbers and texts with what needs quoting in CSV."""
    for number in range(count):
        notified = datetime.datetime(2025, 1, 1, 23, 50) + datetime.timedelta(hours=7 * number)
        region = ["North", "South, East", 'The "West"'][number % 3]
        yield [f"T{number:05d}", notified, notified + datetime.timedelta(seconds=300 + number % 900), region, number / 10, 100 + number * 0.37]


def workbook_gives_its_csv(tripkpi, folder, written):
    """Whether the workbook gives the bytes that the CSV gives; `written` says how openpyxl writes it."""
    import openpyxl

    book = openpyxl.Workbook(write_only=written == "streamed")
    sheet = book.create_sheet("Trips") if written == "streamed" else book.active
    if written == "titled":
        sheet.append(["Ambulance trips"])
    sheet.append(HEADER)
    with open(folder / "trips.csv", "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(HEADER)
        for row in rows(400):
            sheet.append(row)
            lines.writerow([value.isoformat(" ") if isinstance(value, datetime.datetime) else f"{value:.15g}" if isinstance(value, float) else value for value in row])
    if written == "1904":
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    book.create_sheet("Notes").append(["Synthetic."])
    book.save(folder / "trips.xlsx")
    outputs = [subprocess.run([tripkpi, "scan", name, "--format", "csv"], cwd=folder, capture_output=True, check=True).stdout for name in ("trips.xlsx", "trips.csv")]
    return outputs[0] == outputs[1] and b",400," in outputs[0]


def main():
    tripkpi = os.path.realpath(os.environ["TRIPKPI"])
    checks = Checks()
    with tempfile.TemporaryDirectory() as made:
        made = pathlib.Path(made)
        for written in ("plain", "streamed", "titled", "1904"):
            checks.hold(f"a {written} workbook", "" if workbook_gives_its_csv(tripkpi, made, written) else "it gives other figures than its CSV")
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
