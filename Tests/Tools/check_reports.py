#!/usr/bin/env python3
"""Holds every form of a report to its JSON, cell by cell, each read with a tool that is not tripkpi.

    check_reports.py              reports of the shipped sample and of the samples of WorkbookSampleTests

The terminal table is read back by its columns (also in plain ASCII), CSV with Python's csv, the workbooks with openpyxl.
The accessible workbook is held to the checklist of the UK Analysis Function line by line. LibreOffice opens all workbooks,
and calculates each formula again.
Prints what fails, then `N passed, N failed`; exit 1 if anything does.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import openpyxl

import accessible_checklist
import figure_marks
import workbook_figures as book_checks
from nightly_site import Checks, written_by_tests
from terminal_report import TerminalReport
from workbook_formulas import recalculation

ROOT = Path(__file__).parents[2]
# The rules of the synthetic exports.
os.environ.setdefault("TRIPKPI_RULES", "sample")
TRIPKPI = os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi"))
SAMPLE = str(ROOT / "data/samples/sample.csv.gz")
EVENTS = ["--events", str(ROOT / "data/samples/events.json"), "--events-profile", str(ROOT / "data/samples/safepassage.yaml")]
SELECTIONS = [
    ["scan", SAMPLE, "--release"], ["scan", SAMPLE], ["report", SAMPLE, "--release", "--month", "2025-03"],
    ["report", SAMPLE, "--release", "--fiscal-year", "2025", "--region", "North"],
    ["report", SAMPLE, "--release", "--from", "2025-01"],
    ["report", SAMPLE, "--month", "2024-11", "--internal", "--type", "Emergency"],
    ["report", SAMPLE, "--fiscal-year", "2024", "--audience", "staff", "--region", "West"],
]
STAMPS = {"staff": "INTERNAL: contains small counts", "release": "Disclosure-controlled: groups of 11 or more"}
checks = Checks()


class Figures:
    """Gathers what does not agree in one output, so that an output counts as one check and not as thousands."""
    def __init__(self):
        self.faults, self.count = [], 0

    def hold(self, what, *faults):
        self.count += 1
        self.faults += [f"{what}: {fault}" for fault in faults if fault]


def compare(name, check_output, *arguments, **options):
    """Holds one output; the checks of workbooks gather with the others."""
    book_checks.checks = Figures()
    check_output(*arguments, **options)
    found = book_checks.checks
    checks.hold(name, *found.faults[:10], None if found.count > 20 else "hardly anything was compared")
    return found.faults


def check(condition, message):
    book_checks.check(condition, message)


def run(*arguments, **environment):
    done = subprocess.run(
        [TRIPKPI, *arguments, "--quiet"], stdin=subprocess.DEVNULL, capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1760000000", "LC_ALL": "", "LC_CTYPE": "", "LANG": "C.UTF-8", **environment})
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


# Numbers as people read them.
def grouped(count):
    return f"{count:,}"


def in_house_share(cell):
    """One decimal, halves up, from the counts: the share of the document is rounded already."""
    if cell["inHouseShare"] is None:
        return None
    whole = cell["inHouse"] + cell["contracted"]
    tenths = (2000 * cell["inHouse"] + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10}%"


def dollars(amount):
    return f"-${-amount:,.2f}" if amount < 0 else f"${amount:,.2f}"


def clock(seconds):
    whole = int(seconds * 10 + 5) // 10 if isinstance(seconds, float) else seconds
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def change(share):
    return "0.00%" if share == 0 else f"{share * 100:+.2f}%"


class Signs:
    def __init__(self, report):
        self.hidden, self.none = report.hidden, report.none

    def show(self, value, text, hidden):
        return text(value) if value is not None else self.hidden if hidden else self.none


def marked(cell, path, text):
    """The mark says that the figure leaves out trips."""
    return lambda value: text(value) + figure_marks.mark(cell, path)


def measures(cell, signs, titles):
    response = cell["response"]
    # A share, mean or percentile that would leave out trips is not shown.
    is_left = lambda path: bool(figure_marks.mark(cell, path))
    no_response = response["used"] is None or is_left("response")
    median = signs.show(response["p50"], marked(cell, "response", clock), no_response)
    figures = [
        signs.show(cell["trips"], marked(cell, "trips", grouped), cell["suppressed"]),
        signs.show(cell["inHouseShare"], marked(cell, "inHouseShare", lambda _: in_house_share(cell)),
                   cell["sourcingSuppressed"] or is_left("inHouseShare")),
        signs.show(cell["costPerTrip"], marked(cell, "costPerTrip", dollars),
                   cell["costedTrips"] is None or is_left("costPerTrip")),
        # A mean over some trips that is null is not released.
        signs.show(cell["duration"]["mean"], marked(cell, "duration", clock), cell["duration"]["used"] != 0),
        signs.show(response["p90"], marked(cell, "response", clock), no_response),
    ]
    return figures[:4] + [median] * ("Resp.p50" in titles) + figures[4:]


def check_terminal(text, summary, name, ascii=False):
    report = TerminalReport(text, ascii)
    signs = Signs(report)
    check(all(len(line) <= 80 for line in report.lines), f"{name}: a line is longer than 80 columns")
    heads, spark = report.heads()
    for card in summary["kpiCards"]:
        value, subtitle = heads.get(card["title"], (None, None))
        wanted = {"None": signs.none}.get(card["value"], card["value"])
        check(value == wanted, f"{name}: {card['title']} is {value}, wanted {wanted}")
        check(subtitle == (card["subtitle"].replace("·", "/") if ascii else card["subtitle"]),
              f"{name}: {card['title']}: {subtitle}")
    cells = summary["cells"]
    months = summary["months"]
    one = len(months) + len(summary["withheldMonths"]) == 1
    if months:
        check_grid(report, signs, cells, latest(summary), rf"{latest(summary)}, by region", summary, name)
    if not one:
        check_grid(report, signs, cells, "All", r"All months(?: of this part)?, by region", summary, name)
        check_months(report, signs, summary, name)
    check_against(report, signs, summary, name)
    check_sparkline(spark, summary, name, ascii, one)
    check_used(report, signs, cells[0], name)
    check_quality(report, summary, name)


def check_grid(report, signs, cells, month, pattern, summary, name):
    rows, parts, titles = report.grid(pattern)
    single = {"region": len(summary["filters"]["regions"]) == 2, "tripType": len(summary["filters"]["tripTypes"]) == 2}
    wanted, hidden = {}, {}
    for cell in cells:
        key = (cell["region"], cell["tripType"])
        if cell["month"] != month or any(single[k] and cell[k] == "All" for k in single):
            continue
        if cell["tripType"] != "All" and cell["suppressed"]:
            hidden.setdefault(cell["region"], []).append(cell["tripType"])
        elif "All" in key or cell["trips"] != 0 or cell["cancelled"] != 0 or cell["noShow"] != 0:
            wanted[key] = measures(cell, signs, titles)
    check(list(rows) == list(wanted), f"{name}: {month} has the lines {list(rows)}")
    check(parts == hidden, f"{name}: {month} hides {parts}, wanted {hidden}")
    for key, figures in wanted.items():
        check(rows.get(key, [None])[0] == figures, f"{name}: {month} {key} is {rows.get(key)}, wanted {figures}")
        trend = rows.get(key, (None, None))[1]
        if trend is not None:
            check_bars(trend, history(summary, key, len(trend)), f"{name}: trend of {key}", report.ascii)


def latest(summary):
    """The latest complete month; of a report of open months only the last of them."""
    return summary["headline"]["month"] or summary["months"][-1]


def history(summary, key, count):
    """Trips of the last months up to the latest complete one: a number, None where hidden, "" where there is no such month."""
    year, month = map(int, latest(summary).split("-"))
    last = year * 12 + month - 1
    known = {c["month"]: None if c["complete"] is False else c["trips"] for c in summary["cells"] if (c["region"], c["tripType"]) == key}
    known.update({m: None for m in summary["withheldMonths"] if m not in known})
    names = [f"{n // 12:04}-{n % 12 + 1:02}" for n in range(last - count + 1, last + 1)]
    return [known.get(name, "") for name in names]


def check_bars(bars, points, place, ascii):
    """The bars rise and fall as the numbers do; a hidden one is a dot."""
    values = [p for p in points if isinstance(p, int)]
    letters = "12345678" if ascii else "▁▂▃▄▅▆▇█"
    check(len(bars) == len(points), f"{place}: {len(bars)} bars for {len(points)} months")
    for bar, point in zip(bars, points):
        if point is None:
            check(bar == ("*" if ascii else "•"), f"{place}: a hidden month is {bar!r}")
        elif point == "":
            check(bar == " ", f"{place}: a month that is not there is {bar!r}")
        elif min(values) == max(values):
            check(bar == letters[3], f"{place}: {bar!r}")
        else:
            level = (point - min(values)) * 7 // (max(values) - min(values))
            check(bar == letters[level], f"{place}: {point} is {bar!r}, wanted {letters[level]!r}")


def check_sparkline(spark, summary, name, ascii, one):
    if not spark or one:
        return
    bars, span = spark[0], spark[1]
    if len(summary["months"]) + len(summary["withheldMonths"]) >= len(bars):
        points = history(summary, ("All", "All"), len(bars))
        check_bars(bars, points, f"{name}: trips by month", ascii)
        values = [p for p in points if isinstance(p, int)]
        wanted = f"{grouped(min(values))} to {grouped(max(values))}" if values else ""
        check(span == wanted, f"{name}: range {span}")


def check_months(report, signs, summary, name):
    lines = report.months()
    compared = {c["month"]: c for c in summary["comparisons"]}
    monthly = {c["month"]: c for c in summary["cells"]
               if c["month"] != "All" and (c["region"], c["tripType"]) == ("All", "All")}
    months = sorted(set(monthly) | set(summary["withheldMonths"]))
    check(list(lines or {}) == months[-13:], f"{name}: months {list(lines or {})}")
    for month in months[-13:]:
        cell = monthly.get(month)
        if cell is None:
            check(set(lines[month]) == {signs.hidden}, f"{name}: {month} is withheld and shows {lines[month]}")
            continue
        figures = measures(cell, signs, [])
        check(lines[month][:1] + lines[month][3:] == figures, f"{name}: {month} is {lines[month]}, wanted {figures}")
        is_open = month > (summary["headline"]["month"] or "")
        for place, key in ((1, "monthOverMonth"), (2, "yearOverYear")):
            share = compared[month][key]
            check(not is_open or (share is None and lines[month][place] == "n/c"), f"{name}: {month} is under way and is compared")
            wanted = (signs.hidden, signs.none, "n/c") if share is None else (change(share),)
            check(lines[month][place] in wanted, f"{name}: {month} {key} is {lines[month][place]}, wanted {wanted}")


def check_against(report, signs, summary, name):
    found = report.against()
    compared = [c for c in summary["comparisons"] if (c["region"], c["tripType"]) == ("All", "All")]
    if summary["headline"]["month"] is None:
        return check(found is None, f"{name}: compared without complete months")
    month, rows = found
    last = next(one for one in compared if one["month"] == latest(summary))
    check(month == last["month"], f"{name}: {month} is compared")
    wanted = [
        ("the month before", "previousMonthTrips", "monthOverMonth", change),
        ("the year before", "previousYearTrips", "yearOverYear", change),
        ("12 months to", "rolling12Trips", "rolling12Cost", dollars),
        ("fiscal year", "fiscalYearToDateTrips", "fiscalYearToDateCost", dollars),
    ]
    for start, trips, other, text in wanted:
        line = next((figures for what, figures in rows.items() if what.startswith(start)), None)
        for got, value, show in zip(line or [None, None], (last[trips], last[other]), (grouped, text)):
            allowed = (signs.hidden, signs.none, "n/c") if value is None else (show(value),)
            check(got in allowed, f"{name}: {start}: {got}, wanted {allowed}")


def check_used(report, signs, overall, name):
    lines = report.used()
    sourcing = [overall[k] for k in ("inHouse", "contracted")]
    trips, costed = overall["trips"], overall["costedTrips"]
    wanted = {
        "In-house": [None if None in sourcing else sum(sourcing), overall["unclassified"]],
        "Cost/trip": [costed, None if None in (trips, costed) or figure_marks.mark(overall, "costedTrips") else trips - costed],
    }
    paths = {"In-house": "inHouseShare", "Cost/trip": "costedTrips"}
    for interval in book_checks.INTERVALS:
        wanted[interval.capitalize()] = [overall[interval]["used"], overall[interval]["excluded"]]
    for title, counts in wanted.items():
        figures = [signs.show(count, marked(overall, paths.get(title, title.lower()), grouped), True) for count in counts]
        if title.lower() in book_checks.INTERVALS:
            found = overall[title.lower()]
            text = marked(overall, title.lower(), clock)
            figures += [signs.show(found[k], text, found["used"] != 0) for k in ("mean", "p50", "p90")]
        check(lines[title][:len(figures)] == figures, f"{name}: {title} is {lines[title]}, wanted {figures}")


def check_quality(report, summary, name):
    text = report.quality()
    quality = summary["quality"]
    is_release = summary["audience"] == "release"
    check(("Counts of records and warnings are for staff" in text) == is_release, f"{name}: who sees counts of records")
    for key in ("read", "added", "updated", "unchanged", "superseded", "skipped", "rejected"):
        check(f"{key} {quality[key]}" in text if not is_release else not re.search(rf"\b{key} \d", text),
              f"{name}: {key} is not {quality[key]}")
    for code, count in quality["warnings"].items():
        check(code not in text if count is None else (f"{code} {grouped(count)}" in text) == (count > 0),
              f"{name}: {code} {count}")
    check(("Exports:" in text) == ("exports" in quality) == (not is_release), f"{name}: counts of exports")
    for key, count in quality.get("exports", {}).items():
        check(f"{count} {key}" in text, f"{name}: exports {key}")
    check(summary["privacy"]["statement"].startswith(STAMPS[summary["audience"]]), f"{name}: privacy.statement")
    check((STAMPS["staff"] in (report.lines[0], report.lines[-2])) == (not is_release), f"{name}: the stamp")
    for month in summary["withheldMonths"]:
        check(month in text, f"{name}: {month} is not said to be withheld")


CSV_NAMES = {"trip_type": "tripType", "no_show": "noShow", "in_house": "inHouse"}


def check_csv(text, summary, name):
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    merged = [group for group in summary["groups"] if len(group["regions"]) > 1]
    check(len(rows) == len(summary["cells"]) + len(merged), f"{name}: {len(rows)} lines of CSV")
    check([(row["month"], row["population"]) for row in rows[len(summary["cells"]):]]
          == [(group["month"], group["population"]) for group in merged], f"{name}: groups of the CSV")
    stamp = "; ".join([STAMPS[summary["audience"]], *summary.get("selection", [])])
    check({row["release"] for row in rows} == {stamp}, f"{name}: CSV stamps")
    check(set(list(rows[0])[4:10]) == {"suppressed", "complete", "revision_pending", "sourcing_suppressed", "sourcing_basis",
                                       "incomplete_measures"}, f"{name}: CSV flags")
    for row, cell in zip(rows, summary["cells"]):
        place = f"{name}: CSV {row['month']} {row['region']} {row['trip_type']}"
        check([row["month"], row["region"], row["trip_type"]] == [cell["month"], cell["region"], cell["tripType"]], place)
        for column, value in row.items():
            expected = csv_value(column, cell)
            if expected is not NotImplemented:
                same = (value == expected if isinstance(expected, str) else value == "" if expected is None
                        else value != "" and float(value) == float(expected))
                check(same, f"{place}, {column}: {value!r}, wanted {expected}")


def csv_value(column, cell):
    """What the JSON has for a column of the CSV, found by the words of its name."""
    words = re.sub(r"_(dollars|seconds)$", "", column).split("_")
    if words[0] in book_checks.INTERVALS:
        return cell[words[0]][words[1]]
    name = words[0] + "".join(word.capitalize() for word in words[1:])
    value = cell.get(name, NotImplemented)
    return str(value).lower() if isinstance(value, bool) else " ".join(value) if isinstance(value, list) else value


def check_accessible(book, summary, name):
    cells = summary["cells"]
    by_key = {(c["month"], c["region"], c["tripType"]): c for c in cells}
    months = sorted({c["month"] for c in cells if c["month"] != "All"} | set(summary["withheldMonths"]))
    monthly = [([m], by_key.get((m, "All", "All"))) for m in months]
    check_plain_grid(book["Months"], "MonthTotals", 1, [(["All"], by_key[("All",) * 3])] + monthly)
    check_plain_grid(book["Regions and types"], "Cells", 3,
                     [([c["month"], c["region"], c["tripType"]], c) for c in cells])
    book_checks.check_comparisons(book["Comparisons"], "Comparisons", summary, monthly)
    book_checks.check_times(book["Times"], "Times", cells)
    book_checks.check_lists(book, summary)
    book_checks.check_rounding(summary.get("audience") == "staff")
    if summary.get("restatements"):
        book_checks.check_restated(book["Restated"], summary["restatements"])
    counts = {row[1].value: row[2].value for row in book["Data quality"].iter_rows(min_row=4)}
    for key in ("read", "added", "rejected"):
        value = summary["quality"][key]
        check(counts.get(key.capitalize()) == ("hidden" if value is None else value), f"{name}: {key}")
    for code, value in summary["quality"]["warnings"].items():
        check(counts.get(code) == ("hidden" if value is None else value), f"{name}: {code}")


def check_plain_grid(sheet, table, keys, lines):
    titles, rows, _ = book_checks.table_rows(sheet, table)
    check(len(rows) == len(lines), f"{table}: {len(rows)} lines, wanted {len(lines)}")
    for row, (key, cell) in zip(rows, lines):
        check([c.value for c in row[:keys]] == key, f"{table}: line {row[0].row}")
        book_checks.compare([book_checks.plain_title(t) for t in titles], row, keys, cell, f"{table} {key}")


def check_plain_workbook(path, summary, internal, name):
    """The figures of an accessible workbook, and its checklist; its figures are values, there is nothing to calculate."""
    book = openpyxl.load_workbook(path)
    compare(f"{name}: accessible workbook", check_accessible, book, summary, name)
    for what, holds in accessible_checklist.lines(path, internal, book):
        checks.hold(f"{name}: checklist: {what}", None if holds else "does not hold")
    checks.hold(f"{name}: accessible workbook", any(
        cell.data_type == "f" for sheet in book for row in sheet.iter_rows() for cell in row) and "has a formula")
    return book


def shown_counts(summary):
    """Counts of trips with or without a value, and what is over them."""
    for cell in summary["cells"]:
        yield from (name for name in ("costedTrips", "costPerTrip") if cell[name] is not None)
        for interval in book_checks.INTERVALS:
            yield from (f"{interval}.{part}" for part in ("used", "excluded", "mean") if cell[interval][part] is not None)


def check_selection(selection, folder, index):
    name = " ".join(word for word in selection if word != SAMPLE and not word.startswith((folder, str(ROOT))))
    internal = "--release" not in selection
    summary = json.loads(run(*selection, "--format", "json"))
    checks.hold(f"{name}: audience", (summary["audience"] == "staff") != internal and f"is {summary['audience']}")
    text = run(*selection, "--long")
    omits = any(word.endswith("omit.yaml") for word in selection)
    checks.hold(f"{name}: counts of missing values", (summary["privacy"].get("missingCounts") == "omitted") != omits
                and "the document does not say the setting", ("setting missing_counts" in text) != omits
                and "the terminal does not say the setting",
                *(f"{name} is shown" for name in shown_counts(summary) if omits))
    compare(f"{name}: terminal", check_terminal, text, summary, name)
    plain = run(*selection, "--long", LANG="C")
    checks.hold(f"{name}: plain text", None if plain.isascii() else "not ASCII where the locale is C",
                "escapes in what is no terminal" if "\x1b" in plain + text else None)
    compare(f"{name}: terminal in ASCII", check_terminal, plain, summary, name, ascii=True)
    lines = run(*selection, "--format", "csv")
    compare(f"{name}: CSV", check_csv, lines, summary, name)
    book, accessible = f"{folder}/{index}.xlsx", f"{folder}/{index}-accessible.xlsx"
    run(*selection, "--output", book)
    compare(f"{name}: workbook", book_checks.check_workbook, book, summary, internal)
    recalculation.add(book, name)
    run(*selection, "--output", accessible, "--accessible")
    plain_book = check_plain_workbook(accessible, summary, internal, name)
    if index == 0:
        recalculation.add(accessible, "accessible")
        check_the_checks(summary, text, lines, book, plain_book)


def check_the_checks(summary, text, lines, book, accessible):
    """A figure that is another one in the JSON must be missed in every other form; the usual workbook is no accessible one."""
    failed = {what for what, holds in accessible_checklist.lines(book, False) if not holds}
    checks.hold("the usual workbook", None if {"no filters", "no frozen panes", "no background fill"} <= failed
                else f"fails only {failed} of the accessible one's checklist")
    for cell in (summary["cells"][0], next(c for c in summary["cells"] if c["month"] == latest(summary))):
        cell["trips"] += 1
        for form, check_form, output in (("terminal", check_terminal, text), ("CSV", check_csv, lines),
                                         ("workbook", check_accessible, accessible)):
            book_checks.checks = Figures()
            check_form(output, summary, "wrong")
            checks.hold(f"a wrong figure in {form}", None if book_checks.checks.faults else "is not noticed")
        cell["trips"] -= 1


def check_samples(folder):
    """The samples of the Swift tests have restated months, and hide other cells."""
    checks.hold("samples", written_by_tests("WorkbookSampleTests", CHECK_WORKBOOK_SAMPLES=folder))
    samples = sorted(Path(folder).glob("*.xlsx"))
    checks.hold("samples", len(samples) != 5 and f"{len(samples)}, wanted 5")
    for path in samples:
        summary = json.loads(path.with_suffix(".json").read_text())
        if path.stem == "accessible":
            check_plain_workbook(str(path), summary, False, "accessible sample")
        else:
            compare(f"sample {path.stem}", book_checks.check_workbook, str(path), summary, path.stem == "internal")
            recalculation.add(path)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRIPKPI_AUDIT_LOG"] = f"{folder}/audit.jsonl"
        Path(f"{folder}/omit.yaml").write_text("missing_counts: omit\n", encoding="utf-8")
        omitting = [[*words, "--config", f"{folder}/omit.yaml"] for words in (SELECTIONS[0], SELECTIONS[3])]
        Path(f"{folder}/targets.yaml").write_text(
            "targets:\n  - {measure: costPerTrip, value: 600}\n  - {measure: response.p90, trip_type: Emergency, value: \"14:00\"}\n",
            encoding="utf-8")
        beside = ["scan", SAMPLE, *EVENTS, "--config", f"{folder}/targets.yaml"]
        for index, selection in enumerate(SELECTIONS + omitting + [beside, [*beside, "--release"]]):
            check_selection(selection, folder, index)
        (Path(folder) / "samples").mkdir()
        check_samples(f"{folder}/samples")
    compare("formulas, calculated by LibreOffice", lambda: recalculation.finish(book_checks.checks))
    sys.exit(checks.end())


if __name__ == "__main__":
    main()
