"""Holds a workbook written by tripkpi to the JSON of the same summary, independently of the code that wrote it.

With openpyxl: every figure of every cell of the JSON stands in the sheets as a number with the right format, hidden
ones as the word `hidden`; tables, frozen panes, print set-up, alt texts and properties are there. Its formulas are for
`workbook_formulas.py`.
"""
import re
import warnings
import zipfile

import openpyxl

import figure_marks
from figure_marks import at
from nightly_site import Checks

# openpyxl tells that it does not keep data bars; it is not asked to.
warnings.filterwarnings("ignore", module="openpyxl")

DAY = 86400
checks = Checks()


def check(condition, message):
    checks.hold(message, None if condition else "does not hold")


def close(a, b):
    return isinstance(a, (int, float)) and abs(a - b) <= 1e-9 * max(1, abs(b))


def seconds(cell):
    """A cell's time in seconds, whichever way openpyxl read it."""
    value = cell.value
    if isinstance(value, (int, float)):
        return value * DAY
    if hasattr(value, "total_seconds"):
        return value.total_seconds()
    if hasattr(value, "hour"):
        return value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
    return None


# Column title -> (path in the JSON cell, unit)
COLUMNS = {
    "Trips": ("trips", "count"), "Cancelled": ("cancelled", "count"), "No-show": ("noShow", "count"),
    "In-house": ("inHouse", "count"), "Contracted": ("contracted", "count"),
    "Unclassified": ("unclassified", "count"), "In-house share": ("inHouseShare", "tenths"),
    "Total cost": ("totalCost", "money"), "In-house cost": ("inHouseCost", "money"),
    "Contracted cost": ("contractedCost", "money"), "Costed trips": ("costedTrips", "count"),
    "Cost per trip": ("costPerTrip", "money"), "Cost of trips not run": ("costNotRun", "money"), "Loaded miles": ("loadedMiles", "miles"),
    "Unloaded miles": ("unloadedMiles", "miles"), "Cost per loaded mile": ("costPerLoadedMile", "money"),
    "Loaded share of miles": ("loadedMileRatio", "share"), "Average duration": ("duration.mean", "time"),
    "Median duration": ("duration.p50", "percentile"), "Duration p90": ("duration.p90", "percentile"),
    "Average response": ("response.mean", "time"), "Median response": ("response.p50", "percentile"),
    "Response p90": ("response.p90", "percentile"),
}
FORMATS = {"count": "#,##0", "percent": "0%", "money": "$#,##0.00", "miles": "#,##0.0", "share": "0.00%", "tenths": "0.0%",
           "time": "[h]:mm:ss", "change": "+0.00%;-0.00%;0.00%"}


# Before a percentile of a release; whether those that were read had it.
ROUNDED = '"≈ "'
looks_rounded = set()


def check_rounding(internal):
    check(looks_rounded <= {not internal}, f"percentiles of a release, and only they, look rounded: {looks_rounded}")
    looks_rounded.clear()


def number_format(unit, mark):
    """A mark is part of the number format, so that the cell stays a number."""
    return ";".join(part + (f'"{mark}"' if mark else "") for part in FORMATS[unit].split(";"))


def figure_of(cell, path):
    """A figure as the workbook has it: the in-house share is rounded once, from the counts."""
    value = at(cell, path)
    if path == "totalCost" and value == 0 and cell["costedTrips"] == 0 and cell["trips"]:
        return None
    if path != "inHouseShare" or value is None:
        return value
    whole = cell["inHouse"] + cell["contracted"]
    return (2000 * cell["inHouse"] + whole) // (2 * whole) / 1000


def check_figure(cell, expected, unit, hidden, place, mark=""):
    if expected is None:
        wanted = ("hidden",) if hidden else ("hidden", "n/a", "not comparable", "cost unknown")
        check(cell.value in wanted, f"{place}: {cell.value!r}, wanted {wanted}")
        return
    form = cell.number_format
    if unit == "percentile":
        # A release rounds them, and says so; `check_rounding` knows whether it is one.
        looks_rounded.add(form.startswith(ROUNDED))
        form, unit = form.removeprefix(ROUNDED), "time"
    check(form == number_format(unit, mark), f"{place}: format {cell.number_format!r}, mark {mark!r}")
    if unit == "time":
        got = seconds(cell)
        check(got is not None and abs(got - expected) < 1e-3, f"{place}: {cell.value!r}, wanted {expected} s")
        return
    wanted = expected / 100 if unit == "percent" else expected
    check(close(cell.value, wanted), f"{place}: {cell.value!r}, wanted {wanted}")


def table_rows(sheet, name):
    ref = sheet.tables[name].ref
    rows = list(sheet[ref])
    titles = [cell.value for cell in rows[0]]
    return titles, rows[1:], rows[0][0].row


def check_grid(sheet, name, keys, cells, overall):
    """Each line of a table against its cell of the JSON, and the totals above the header."""
    titles, rows, header = table_rows(sheet, name)
    check(len(rows) == len(cells), f"{name}: {len(rows)} lines for {len(cells)} cells")
    for row, (key, cell) in zip(rows, cells):
        check([c.value for c in row[:keys]] == key, f"{name}: line {row[0].row} is {[c.value for c in row[:keys]]}")
        compare(titles, row, keys, cell, f"{sheet.title} row {row[0].row}")
    total = [sheet.cell(header - 1, c + 1) for c in range(len(titles))]
    compare(titles, total, keys, overall, f"{sheet.title} totals")


def compare(titles, row, keys, cell, place):
    for title, figure in list(zip(titles, row))[keys:]:
        if title == "Notes":
            if not place.endswith("totals"):
                wanted = cell.get("revisionPending") if cell and figure.value in ("none", "revision pending") else has_notes(cell)
                check(bool(figure.value) and (figure.value == "none") == (not wanted), f"{place}: note {figure.value}")
            continue
        if title not in COLUMNS:
            check(False, f"{place}: unknown column {title}")
            continue
        path, unit = COLUMNS[title]
        hidden = cell is None or cell["suppressed"]
        check_figure(figure, None if cell is None else figure_of(cell, path), unit, hidden, f"{place}, {title}",
                     figure_marks.mark(cell, path))


def has_notes(cell):
    """Whether something is to be said of a cell beside its figures."""
    if cell is None or cell["suppressed"]:
        return bool(cell and cell.get("revisionPending"))
    left = any(figure_marks.mark(cell, path) for path in shown_paths(cell))
    return not cell["complete"] or cell["revisionPending"] or left or cell["sourcingBasis"] == "all"


def shown_paths(cell):
    """Figures of a cell that are shown."""
    paths = list(figure_marks.MEASURES) + [f"{name}.used" for name in INTERVALS]
    return [path for path in paths if at(cell, path) is not None]


def check_legend(book, summary, names):
    """A legend stands on each sheet with figures where some figure is marked, and nowhere else."""
    has_marks = any("+" in figure_marks.mark(cell, path) for cell in summary["cells"] for path in shown_paths(cell))
    for name in names:
        text = [c.value for row in book[name].iter_rows(max_col=1) for c in row if isinstance(c.value, str)]
        check(any(t.startswith(figure_marks.LEGEND) for t in text) == has_marks, f"{name}: the legend of the marks")


def check_shares(found, summary):
    shares = summary.get("qualityShares")
    names = {"Records rejected": "rejectedRecords", "Trips with a cost": "tripsWithCost",
             "Trips without a region": "tripsWithoutRegion", "Trips without a trip type": "tripsWithoutType"}
    for title, key in names.items():
        value = shares and shares[key]
        wanted = None if shares is None else {None: "not shown", 0: "under 1%", 100: "over 99%"}.get(value, f"{value}%")
        check(found.get(title) == wanted, f"Data quality: {title} is {found.get(title)}, wanted {wanted}")


def check_contents(book, summary, internal):
    cells = summary["cells"]
    by_key = {(c["month"], c["region"], c["tripType"]): c for c in cells}
    overall = by_key.get(("All", "All", "All"))
    months = sorted({c["month"] for c in cells if c["month"] != "All"} | set(summary["withheldMonths"]))
    monthly = [([m], by_key.get((m, "All", "All"))) for m in months]
    check_latest(book["Summary"], summary, by_key)
    check_grid(book["Months"], "MonthTotals", 1, monthly, overall)
    check_lists(book, summary)
    check_grid(book["In-house v contracted"], "SourcingByMonth", 1, monthly, overall)
    everything = [([c["month"], c["region"], c["tripType"]], c) for c in cells]
    check_grid(book["Region × type"], "Cells", 3, everything, overall)
    check_comparisons(book["Comparisons"], "Comparisons", summary, monthly)
    check_times(book["Times"], "Times", cells)
    check_restated(book["Restated"], summary.get("restatements") or [])
    quality = book["Data quality"]
    found = {r[0].value: r[1].value for r in quality.iter_rows(max_col=2) if r[0].value}
    for name in ("read", "added", "updated", "unchanged", "superseded", "skipped", "rejected"):
        count = summary["quality"][name]
        check(found.get(name.capitalize()) == ("hidden" if count is None else count), f"Data quality: {name}")
    check(found.get("Difference") == (None if summary["quality"]["read"] is None else 0), "Data quality: the equation does not hold")
    check_shares(found, summary)
    check_legend(book, summary, ["Summary", "Months", "Comparisons", "In-house v contracted", "Region × type", "Times", "Data quality"])
    exports = summary["quality"].get("exports") or {}
    for name, count in exports.items():
        check(found.get(f"Exports {name}") == count, f"Data quality: exports {name}")
    if summary["quality"].get("missingDayCount") is not None:
        check(found.get("Missing days") == summary["quality"]["missingDayCount"], "Data quality: missing days")
    for code, count in summary["quality"]["warnings"].items():
        check(found.get(code) == ("hidden" if count is None else count), f"Data quality: {code}")
    for sheet in book:
        text = [c.value for row in sheet.iter_rows() for c in row if isinstance(c.value, str)]
        check(any("INTERNAL" in t for t in text) == internal, f"{sheet.title}: stamp")
        check(not any(t.startswith("#") for t in text), f"{sheet.title}: an error value")


LATEST = {"Trips": "trips", "In-house share": "inHouseShare", "Total cost": "totalCost", "Cost per trip": "costPerTrip",
          "Median response": "response.p50", "Response p90": "response.p90", "Average duration": "duration.mean"}


def month_before(month, count):
    months = int(month[:4]) * 12 + int(month[5:]) - 1 - count
    return f"{months // 12}-{months % 12 + 1:02}"


def check_latest(sheet, summary, by_key):
    """The latest complete month beside earlier ones, and the sentences above it."""
    latest = summary["headline"]["month"] if "headline" in summary else (summary["months"] or [None])[-1]
    text = [c.value for row in sheet.iter_rows(max_col=1) for c in row if isinstance(c.value, str)]
    words = " ".join(" ".join(text).split())
    for sentence in summary.get("headline", {}).get("sentences", []):
        check(" ".join(sentence.split()) in words, f"Summary: no sentence {sentence!r}")
    if latest is None:
        check(not sheet.tables, "Summary: a table without a month")
        return
    titles, rows, _ = table_rows(sheet, "LatestMonth")
    check([row[0].value for row in rows] == list(LATEST), f"Summary: lines {[row[0].value for row in rows]}")
    signals = {chart["measure"]: chart for chart in summary.get("controlCharts", [])
               if (chart["region"], chart["tripType"]) == ("All", "All")}
    for row in rows:
        path = LATEST[row[0].value]
        unit = COLUMNS[row[0].value][1]
        found = dict(zip(titles, row))
        for title, month in ((latest, latest), (f"Month before, {month_before(latest, 1)}", month_before(latest, 1)),
                             (f"Year before, {month_before(latest, 12)}", month_before(latest, 12)), ("All months", "All")):
            cell = by_key.get((month, "All", "All"))
            check_figure(found[title], cell and figure_of(cell, path), unit, bool(cell) and cell["suppressed"],
                         f"Summary {row[0].value}, {title}", figure_marks.mark(cell, path) if cell else "")
        signal = next((one for one in signals.get(path, {}).get("signals", []) if one["month"] == latest), None)
        word = found["Than usual"].value
        check((word not in ("about the same as usual", "not assessed")) == (signal is not None), f"Summary {row[0].value}: {word}")


def check_lists(book, summary):
    """Events as in events.csv, and targets: a sheet for each, only where the summary has them."""
    check(("Events" in book.sheetnames) == ("events" in summary), "Events: a sheet where there are events")
    check(("Targets" in book.sheetnames) == ("targets" in summary), "Targets: a sheet where there are targets")
    if summary.get("events", {}).get("counts"):
        _, rows, _ = table_rows(book["Events"], "Events")
        found = [[cell.value for cell in row] for row in rows]
        wanted = [[one["month"], one["region"], one["kind"], one["events"],
                   "hidden" if one["evacuations"] is None else one["evacuations"]] for one in summary["events"]["counts"]]
        totals = len([one for one in wanted if one[1:3] == ["All", "All"]])
        check(all(one[1:3] == ["All", "All"] for one in found[:totals]), "Events: the months' totals are not first")
        check(sorted(map(str, found)) == sorted(map(str, wanted)), f"Events: {len(found)} lines, the summary {len(wanted)}")
    if summary.get("targets"):
        titles, rows, _ = table_rows(book["Targets"], "Targets")
        found = [(*(cell.value for cell in row[1:3]), row[5].value, row[6].value) for row in rows]
        wanted = [(one["region"], one["tripType"], one["monthsMet"], one["monthCount"]) for one in summary["targets"]]
        check(found == wanted, f"Targets: {found}")


# Column title -> (key of a comparison, unit)
COMPARED = {
    "Trips, month before": ("previousMonthTrips", "count"), "Change on month before": ("monthOverMonth", "change"),
    "Trips, year before": ("previousYearTrips", "count"), "Change on year before": ("yearOverYear", "change"),
    "Rolling 12 months": ("rolling12Trips", "count"), "Cost, rolling 12 months": ("rolling12Cost", "money"),
    "Fiscal year to date": ("fiscalYearToDateTrips", "count"),
    "Cost, fiscal year to date": ("fiscalYearToDateCost", "money"),
}


def plain_title(title):
    """A header of the accessible workbook without its note."""
    return re.sub(r" \[note \d+\]$", "", title)


def check_comparisons(sheet, table, summary, monthly):
    titles, rows, _ = table_rows(sheet, table)
    compared = {c["month"]: c for c in summary["comparisons"] if (c["region"], c["tripType"]) == ("All", "All")}
    check(len(rows) == len(monthly), f"{table}: {len(rows)} lines for {len(monthly)} months")
    for row, (key, cell) in zip(rows, monthly):
        check([row[0].value] == key, f"{table}: month {row[0].value}")
        for title, figure in zip(map(plain_title, titles), row):
            place = f"{table} {key[0]}, {title}"
            if title in COMPARED:
                name, unit = COMPARED[title]
                check_figure(figure, (compared.get(key[0]) or {}).get(name), unit, False, place)
            elif title in COLUMNS:
                path, unit = COLUMNS[title]
                check_figure(figure, cell and figure_of(cell, path), unit, cell is None or cell["suppressed"], place,
                             figure_marks.mark(cell, path))
            elif title == "Fiscal year":
                year = int(key[0][:4]) + (key[0][5:] >= "10")
                check(figure.value == f"FY{year}", f"{place}: {figure.value}")
    missing = set(COMPARED) - set(map(plain_title, titles))
    check(not missing, f"{table}: no column {missing}")


INTERVALS = ("duration", "response", "turnout", "scene", "transport", "turnaround")


def check_times(sheet, table, cells):
    titles, rows, _ = table_rows(sheet, table)
    check(len(rows) == len(cells) * len(INTERVALS), f"{table}: {len(rows)} lines")
    wanted = ((c, i) for c in cells for i in INTERVALS)
    for row, (cell, interval) in zip(rows, wanted):
        key = [cell["month"], cell["region"], cell["tripType"], interval]
        check([c.value for c in row[:4]] == key, f"{table}: line {row[0].row}")
        for figure, (name, unit) in zip(row[4:], (
                ("used", "count"), ("excluded", "count"), ("mean", "time"), ("p50", "percentile"), ("p90", "percentile"))):
            check_figure(figure, cell[interval][name], unit, cell["suppressed"], f"{table} {key}, {name}",
                         figure_marks.mark(cell, interval))


def check_restated(sheet, restatements):
    if not restatements:
        check(not sheet.tables, "Restated: a table without lines")
        return
    titles, rows, _ = table_rows(sheet, "RestatedMonths")
    check(len(rows) == len(restatements), f"Restated: {len(rows)} lines")
    keys = (("trips", "count"), ("inHousePercent", "percent"), ("totalCost", "money"), ("costPerTrip", "money"),
            ("avgDuration", "time"), ("responseP90", "time"))
    for row, restated in zip(rows, restatements):
        check(row[0].value == restated["month"], f"Restated: {row[0].value}")
        check(str(row[1].value)[:10] == restated["restatedAt"][:10], f"Restated: {row[1].value}")
        for index, (key, unit) in enumerate(keys):
            for offset, when in enumerate(("before", "after")):
                check_figure(row[2 + 2 * index + offset], restated[when][key], unit, False, f"Restated {when} {key}")


def check_shape(book, summary, internal):
    for sheet in book:
        check(sheet.freeze_panes is not None, f"{sheet.title}: nothing frozen")
        check(sheet.page_setup.orientation == "landscape", f"{sheet.title}: not landscape")
        # A wide table with a chart beside it is a page for each.
        divided = bool(sheet.col_breaks.brk)
        check(divided or sheet.sheet_properties.pageSetUpPr.fitToPage, f"{sheet.title}: its pages are cut across")
        check(sheet.print_title_rows, f"{sheet.title}: no repeated rows")
        if sheet.page_setup.fitToWidth not in (None, 1):
            check(bool(sheet.print_title_cols), f"{sheet.title}: on several pages without the names of the rows")
        check("&P" in str(sheet.oddFooter.center.text) or sheet.oddFooter.center.text, f"{sheet.title}: no footer")
        check(bool(sheet.oddHeader.center.text) == internal, f"{sheet.title}: print header")
        for table in sheet.tables.values():
            check(table.autoFilter is not None, f"{sheet.title}: {table.name} has no filter")
        for column, width in sheet.column_dimensions.items():
            check(width.width <= 110, f"{sheet.title}: column {column} is {width.width} wide")
    for name, sheet in (("MonthTotals", "Months"), ("Cells", "Region × type"), ("Comparisons", "Comparisons")):
        pane = int(re.sub(r"\D", "", book[sheet].freeze_panes))
        _, _, header = table_rows(book[sheet], name)
        check(pane == header + 1, f"{sheet}: the header is not the last frozen row")
    for name in ("Total_trips", "In_house_share", "Total_cost", "Cost_per_trip", "Average_duration"):
        check(name in book.defined_names, f"no name {name}")
    links = {cell.hyperlink.location for row in book["Cover"].iter_rows() for cell in row if cell.hyperlink}
    check(links == {f"'{sheet.title}'!A1" for sheet in book if sheet.title != "Cover"}, f"links of the cover: {links}")
    check(not any(sheet.conditional_formatting for sheet in book), "colours without a meaning")
    check(book.properties.title and not book.properties.creator, "properties: title and no author")
    custom = {p.name: p.value for p in book.custom_doc_props.props}
    check(custom.get("tripkpi run id") and custom.get("tripkpi contract version") == summary["contractVersion"],
          f"custom properties: {custom}")


def charts_wanted(summary):
    """A chart where at least one month has something to draw."""
    monthly = [c for c in summary["cells"] if c["month"] != "All" and (c["region"], c["tripType"]) == ("All", "All")]
    keys = (("trips",), ("response.p90",), ("inHouse", "contracted", "unclassified"))
    return sum(any(all(at(c, k) is not None and not figure_marks.mark(c, k) for k in group) for c in monthly) for group in keys)


def check_alt_texts(path, wanted):
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, "the zip is damaged")
        drawings = [n for n in archive.namelist() if re.match(r"xl/drawings/drawing\d+\.xml$", n)]
        texts = [text for name in drawings for text in re.findall(r'descr="([^"]*)"', archive.read(name).decode())]
        check(len(texts) == wanted, f"{len(texts)} alt texts for {wanted} charts")
        for text in texts:
            check(len(re.findall(r"\.(?= |$)", text)) == 2, f"alt text of other than two sentences: {text}")
        times = {info.date_time for info in archive.infolist()}
        check(times == {(1980, 1, 1, 0, 0, 0)}, f"zip times {times}")


def check_workbook(path, summary, internal):
    book = openpyxl.load_workbook(path, data_only=True)
    check_contents(book, summary, internal)
    check_rounding(internal)
    check_shape(book, summary, internal)
    check_alt_texts(path, charts_wanted(summary))
