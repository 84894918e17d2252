#!/usr/bin/env python3
"""Workbooks that openpyxl and LibreOffice write, against the CSV of the same rows: the same bytes of a scan.

Runs the command named by TRIPKPI. The last line is `N passed, N failed`.
"""
import csv
import datetime
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from nightly_site import Checks

HEADER = ["trip_id", "unit_notified_at", "on_scene_at", "region", "loaded_miles", "cost"]
# As people format a day and a time: built-in ones, months as names, colours, languages, quoted letters, 12 hours.
STYLES = [
    "yyyy-mm-dd hh:mm:ss", "m/d/yy h:mm", "dd/mm/yyyy hh:mm", "[$-409]m/d/yy h:mm AM/PM;@", "[$-407]d. mmmm yyyy hh:mm:ss",
    "[Red]yyyy-mm-dd hh:mm", 'dd.mm.yyyy "at" hh:mm:ss', "d-mmm-yy h:mm:ss.000", "yyyy/mm/dd\\ hh:mm:ss;@", "ddd, mmm d, yyyy h:mm AM/PM",
]
KINDS = ["plain", "streamed", "titled", "1904", "styles", "months"]


def rows(count):
    """Made-up trips: times, numbers and texts with what needs quoting in CSV."""
    for number in range(count):
        notified = datetime.datetime(2025, 1, 1, 23, 50, 1) + datetime.timedelta(hours=7 * number)
        region = ["North", "South, East", 'The "West"'][number % 3]
        yield [f"T{number:05d}", notified, notified + datetime.timedelta(seconds=300 + number % 900), region, number / 10, 100 + number * 0.37]


def written(value):
    """A value as it is in the CSV."""
    return value.isoformat(" ") if isinstance(value, datetime.datetime) else f"{value:.15g}" if isinstance(value, float) else value


def write_workbook(path, kind):
    """The rows by openpyxl, in one of the ways that people write them."""
    import openpyxl

    book = openpyxl.Workbook(write_only=kind == "streamed")
    sheet = book.create_sheet("Trips") if kind == "streamed" else book.active
    if kind == "titled":
        sheet.append(["Ambulance trips"])
        sheet.append([])
    if kind == "1904":
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    sheet.append(HEADER)
    for number, row in enumerate(rows(400)):
        if kind == "months" and number == 200:
            sheet = book.create_sheet("More")
            sheet.append(HEADER)
        sheet.append(row)
        if kind == "styles":
            for column in (2, 3):
                sheet.cell(sheet.max_row, column).number_format = STYLES[(number + column) % len(STYLES)]
    book.create_sheet("Notes").append(["Synthetic."])
    book.save(path)


def saved_again(folder, paths):
    """The files as LibreOffice saves them as workbooks."""
    target = folder / "again"
    profile = f"-env:UserInstallation=file://{folder}/profile"
    subprocess.run(
        ["soffice", profile, "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(target), *map(str, paths)],
        check=True, capture_output=True, timeout=300)
    return [target / f"{path.stem}.xlsx" for path in paths]


def main():
    tripkpi = os.path.realpath(os.environ["TRIPKPI"])
    checks = Checks()
    with tempfile.TemporaryDirectory() as made:
        made = pathlib.Path(made)
        with open(made / "csv.csv", "w", newline="", encoding="utf-8") as file:
            lines = csv.writer(file)
            lines.writerow(HEADER)
            lines.writerows([written(value) for value in row] for row in rows(400))

        def scanned(path):
            done = subprocess.run([tripkpi, "scan", path, "--format", "csv"], cwd=made, capture_output=True, check=False)
            return done.stdout if done.returncode == 0 else done.stderr

        right = scanned("csv.csv")
        checks.hold("the CSV", "" if b",400," in right else "it does not give 400 trips")
        paths = [made / f"{kind}.xlsx" for kind in KINDS]
        for kind, path in zip(KINDS, paths):
            write_workbook(path, kind)
            checks.hold(f"a workbook of openpyxl, {kind}", "" if scanned(path) == right else "it gives other figures than its CSV")
        if shutil.which("soffice") is None:
            checks.skip("workbooks of LibreOffice", "there is no soffice (Debian: libreoffice-calc)")
        else:
            for path in saved_again(made, [*paths, made / "csv.csv"]):
                checks.hold(f"{path.stem}, saved by LibreOffice", "" if scanned(path) == right else "it gives other figures than its CSV")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
