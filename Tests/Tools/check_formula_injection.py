#!/usr/bin/env python3
"""Opens what tripkpi writes from hostile names in spreadsheets, and shows that nothing in it is a formula.

Names of regions and trip types, and texts of a query's answer, are the usual payloads. In CSV: no field that is no
number begins like a formula, and LibreOffice makes no formula of any. In XLSX: openpyxl and LibreOffice see the names
as text, and every formula that is there is one of ours. Negative amounts stay numbers in both.
Needs openpyxl and soffice (Debian: libreoffice-calc); TRIPKPI names the program. Prints what fails, then
`N passed, N failed`; exit 1 if anything does.
"""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import openpyxl

from nightly_site import Checks, has_office

ROOT = Path(__file__).resolve().parents[2]
TRIPKPI = os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi"))
PAYLOADS = [
    "=1+1", "+1+1", "-1+1", "@SUM(1,1)", "=cmd|' /C calc'!A0", "=HYPERLINK(\"http://example.org\",\"x\")",
    "\uff1d1+1", "\uff0b1+1", "\uff0d1+1", "\uff201+1",
    "=WEBSERVICE(\"http://example.org\")",
]
# These cannot be names of regions; a query can make them.
CONTROL = ["\u200b=1+1", "\t=1+1", "\r=1+1", "\n=1+1", "  =1+1", "\ufeff=1+1", "\u00a0=1+1"]
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b"
OURS = re.compile(r"^=(SUMIFS\(|IFERROR\(|IF\(|SUM\(|ROUND\()?[-+*/(),:$A-Z0-9.!\"'<> a-zA-Z]*$")
checks = Checks()


def check(condition, message):
    checks.hold(message, None if condition else "does not hold")


def is_number(text):
    return re.fullmatch(r"-?\d+(\.\d+)?", text) is not None


def is_hostile(text):
    seen = re.sub(r"^[\s\x00-\x1f\u00a0\u00ad\u200b-\u200f\u2060\ufeff]+", "", text)
    return bool(text) and (text[0] in "\t\r\n" or (bool(seen) and seen[0] in SIGNS)) and not is_number(text)


def run(arguments, folder, **more):
    environment = dict(os.environ, TRIPKPI_DATA=str(ROOT / "data"), XDG_CONFIG_HOME="/nonexistent",
                       SOURCE_DATE_EPOCH="1767225600", TRIPKPI_AUDIT_LOG=str(folder / "audit.jsonl"))
    return subprocess.run([TRIPKPI, *arguments], cwd=folder, env=environment, capture_output=True, **more)


def convert(path, form, folder):
    profile = f"-env:UserInstallation=file://{folder}/office"
    subprocess.run(["soffice", profile, "--headless", "--convert-to", form, "--outdir", str(folder), str(path)],
                   check=True, capture_output=True, timeout=180)
    return folder / (path.stem + "." + form.split(":")[0])


def check_csv(path, folder, name, negatives):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    for number, row in enumerate(rows, 1):
        for field in row:
            check(not is_hostile(field), f"{name}, row {number}: a field begins like a formula")
    out = folder / "converted"
    out.mkdir(exist_ok=True)
    book = openpyxl.load_workbook(convert(path, "xlsx", out))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    check(not any(cell.data_type == "f" for cell in cells), f"{name}: LibreOffice made a formula of a field")
    check(not any(cell.data_type == "e" for cell in cells), f"{name}: LibreOffice shows an error")
    found = {cell.value for cell in cells if isinstance(cell.value, (int, float))}
    for negative in negatives:
        check(negative in found, f"{name}: {negative} is no number any more")


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "tripkpi.yaml").write_text(
            "regions: " + json.dumps(PAYLOADS, ensure_ascii=False) + "\ntrip_types: "
            + json.dumps(["Emergency", *PAYLOADS[:6]], ensure_ascii=False) + "\n", encoding="utf-8")
        with open(folder / "trips.csv", "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["trip_id", "service_date", "region", "trip_type", "cost"])
            for number in range(240):
                rows.writerow([f"SYN-{number:05}", f"2024-01-{number % 20 + 10}", PAYLOADS[number % len(PAYLOADS)],
                               ["Emergency", *PAYLOADS[:6]][number % 7], "(12.50)"])
        for form in ["csv", "xlsx"]:
            result = run(["scan", "trips.csv", "--internal", "--output", f"out.{form}"], folder)
            check(result.returncode == 0, f"scan --output out.{form}: {result.stderr.decode()[-300:]}")
        if (folder / "out.csv").exists():
            text = (folder / "out.csv").read_text(encoding="utf-8")
            check(text.count("1+1") > 10, "out.csv: the names are not in it, so nothing is shown")
            check_csv(folder / "out.csv", folder, "scan csv", [-3000, -12.5])
        if (folder / "out.xlsx").exists():
            check_workbook(folder / "out.xlsx", folder)
        check(run(["load", "trips.csv"], folder).returncode == 0, "load")
        report = run(["report", "--internal", "--output", "report.csv"], folder)
        check(report.returncode == 0, f"report: {report.stderr.decode()[-300:]}")
        if report.returncode == 0:
            check_csv(folder / "report.csv", folder, "report csv", [-3000, -12.5])
        texts = " UNION ALL ".join(
            "SELECT {}, -12.5 AS amount, -7 AS count FROM (SELECT COUNT(*) FROM stg_trips)".format(
                "'" + p.replace("'", "''") + "' AS text")
            for p in PAYLOADS + CONTROL)
        answer = run(["query", "--sql", texts, "--internal", "--format", "csv"], folder)
        check(answer.returncode == 0, f"query: {answer.stderr.decode()[-300:]}")
        (folder / "query.csv").write_bytes(answer.stdout)
        check_csv(folder / "query.csv", folder, "query csv", [-12.5, -7])
    return checks.end()


def check_workbook(path, folder):
    book = openpyxl.load_workbook(path)
    names = 0
    numbers = set()
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, str) and cell.data_type == "s":
                    names += "1+1" in cell.value
                    check(not is_hostile(cell.value), f"{sheet.title}!{cell.coordinate}: text like a formula")
                if cell.data_type == "f":
                    check("1+1" not in str(cell.value) and "cmd" not in str(cell.value)
                          and OURS.match(str(cell.value)), f"{sheet.title}!{cell.coordinate}: a formula from a name: {cell.value}")
                if isinstance(cell.value, (int, float)):
                    numbers.add(cell.value)
    check(names > 10, "out.xlsx: the names are not in it, so nothing is shown")
    check(-12.5 in numbers or -3000 in numbers, "out.xlsx: negative amounts are no numbers")
    if not has_office():
        checks.skip("out.xlsx, opened and saved again", "there is no soffice (Debian: libreoffice-calc)")
        return
    out = folder / "recalculated"
    out.mkdir(exist_ok=True)
    again = openpyxl.load_workbook(convert(path, "xlsx", out), data_only=True)
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "s" and "1+1" in cell.value:
                    value = again[sheet.title][cell.coordinate].value
                    check(value == cell.value, f"{sheet.title}!{cell.coordinate}: LibreOffice shows another text")
                elif cell.data_type != "f" and isinstance(cell.value, (int, float)) and cell.value < 0:
                    value = again[sheet.title][cell.coordinate].value
                    check(value == cell.value, f"{sheet.title}!{cell.coordinate}: a negative amount changed")
    # What somebody saves the first sheets as is CSV, and opened again.
    text = convert(path, "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1", out)
    for saved in [text, *out.glob("*.csv")]:
        if not saved.exists():
            continue
        with open(saved, newline="", encoding="utf-8") as file:
            for row in csv.reader(file):
                for field in row:
                    shown = is_hostile(field) and not re.fullmatch(r"-[$\d,.]+( ?%)?|-?\$?-?[\d,.:]+%?", field)
                    check(not shown, f"{saved.name}: a field begins like a formula")


if __name__ == "__main__":
    sys.exit(main())
