#!/usr/bin/env python3
"""Holds finance's workbooks to other people's tools, on made-up exports with planted cases (`cost_cases.py`).

DuckDB adds up the export itself: every line of the workbook, every change and its volume and price, every fiscal year.
Regions, sourcing, budget and reconciliation are checked by `cost_sheets.py`, budgets against figures made by hand.
openpyxl finds tables, names, formats, panes, alt texts, properties. LibreOffice recalculates: every formula gives its
cached value and no cell is an error. Each planted case is found, and false alarms are counted. What is fit for release
holds no provider and shows what is hidden as `hidden`. `--accessible` is held to its checklist. Prints what fails, then `N passed, N failed`.
"""
import datetime
import json
import math
import re
import sys
import tempfile
import warnings
import zipfile
from fractions import Fraction
from pathlib import Path

import duckdb
import openpyxl

import accessible_costs
import cost_cases
import cost_sheets
import figure_marks
import workbook_figures
from nightly_site import Site, sample
from workbook_formulas import recalculation

check = workbook_figures.check
# openpyxl keeps no data bars of Excel 2010; nothing is written with it.
warnings.filterwarnings("ignore", module="openpyxl")
TYPES = {"Emergency", "Routine"}
SOURCING = {"QN": "In-house", "QM": "Contracted"}


def cents(value):
    return None if value is None or isinstance(value, str) else round(value * 100)


def harmless(text):
    return "'" + text if text[:1] in "=+-@" else text


def table(book, name):
    """Rows as dictionaries by title."""
    for sheet in book:
        if name in sheet.tables:
            rows = [[cell.value for cell in row] for row in sheet[sheet.tables[name].ref]]
            return [dict(zip(rows[0], row)) for row in rows[1:]]
    raise KeyError(name)


def half_away(fraction):
    return int(math.copysign(math.floor(abs(fraction) + Fraction(1, 2)), fraction)) if fraction else 0


def added_up(path):
    """DuckDB's sums by line: trips, costed trips, cents, hundredths of miles, and those of trips with both."""
    db = duckdb.connect()
    db.execute(f"""create table trip as select substr(unit_notified_at, 1, 7) as month, provider_id, provider_name,
        coalesce(contract_number, '(none)') as contract, region, trip_type, hcpcs_modifiers as modifier,
        cast(round(cast(cost as decimal(18,2)) * 100) as bigint) as cents,
        cast(round(cast(loaded_miles as decimal(18,2)) * 100) as bigint) as miles
        from read_csv('{path}', all_varchar = true, header = true) where status = 'completed'""")
    lines = db.execute("""select month, provider_id, provider_name, contract, region, trip_type, modifier, count(*),
        count(cents), coalesce(sum(cents), 0), coalesce(sum(miles), 0), coalesce(sum(cents) filter (miles > 0), 0),
        coalesce(sum(miles) filter (cents is not null), 0) from trip group by all""").fetchall()
    return {(m, i, harmless(n), c, r, t, SOURCING[s]): tuple(int(x) for x in sums) for m, i, n, c, r, t, s, *sums in lines}


def without_region(sums):
    """The same lines over all regions."""
    found = {}
    for key, values in sums.items():
        wide = key[:4] + key[5:]
        found[wide] = tuple(a + b for a, b in zip(found.get(wide, (0,) * 6), values))
    return found


KEYS = ("Month", "Provider id", "Provider", "Contract", "Region", "Trip type", "Sourcing")


def key_of(row):
    return tuple(row[title] for title in KEYS if title in row)


def check_lines(book, sums):
    rows = table(book, "CostLines")
    check(len(rows) == len(sums), f"Lines: {len(rows)} lines, DuckDB has {len(sums)}")
    for row in rows:
        wanted = sums.get(key_of(row))
        check(wanted is not None, f"Lines: {key_of(row)} is not DuckDB's")
        if wanted is None:
            continue
        trips, costed, cost, miles, both_cost, both_miles = wanted
        check((row["Trips"], row["Costed trips"], cents(row["Cost"]), cents(row["Loaded miles"])) ==
              (trips, costed, cost if costed else None, miles), f"Lines: {key_of(row)}")
        check(costed or row["Cost"] == cost_sheets.UNKNOWN, f"Lines: an unknown cost is {row['Cost']!r}")
        each = half_away(Fraction(cost, costed)) if costed else None
        mile = half_away(Fraction(both_cost * 100, both_miles)) if both_miles else None
        check(cents(row["Cost per trip"]) == each, f"Lines: cost per trip of {key_of(row)}")
        check(cents(row["Cost per loaded mile"]) == mile, f"Lines: cost per mile of {key_of(row)}")


def month_before(month, count):
    year, number = map(int, month.split("-"))
    index = year * 12 + number - 1 - count
    return f"{index // 12:04d}-{index % 12 + 1:02d}"


def check_change(row, before, after, place):
    """Trips and cents before and after, or None for none; volume and price by exact fractions."""
    (old_trips, old), (new_trips, new) = before, after
    volume = new - old if old_trips == 0 else half_away(Fraction((new_trips - old_trips) * old, old_trips))
    shown = [row["Costed trips before"], row["Costed trips"]] + [
        cents(row[t]) for t in ("Cost before", "Cost", "Change", "Volume", "Price")]
    check(shown == [old_trips, new_trips, old, new, new - old, volume, new - old - volume], f"{place}: {shown}")
    check(cents(row["Volume"]) + cents(row["Price"]) == cents(row["Change"]), f"{place}: does not add up")


def check_changes(book, sums, first, last):
    rows = table(book, "LineVariance")
    sums = without_region(sums)
    months = {key[0] for key in sums}
    wanted = set()
    for against, count in (("month before", 1), ("year before", 12)):
        for month in (m for m in months if first <= m <= last and month_before(m, count) in months):
            keys = {k[1:] for k in sums if k[0] in (month, month_before(month, count))}
            wanted |= {(month, *k, against) for k in keys}
    found = {key_of(row) + (row["Against"],) for row in rows}
    check(found == wanted, f"Line variance: {len(found ^ wanted)} lines are not those of DuckDB")
    for row in rows:
        key = key_of(row)
        earlier = month_before(key[0], 1 if row["Against"] == "month before" else 12)
        amounts = [sums.get((m, *key[1:]), (0,) * 6)[1:3] for m in (earlier, key[0])]
        check_change(row, *amounts, f"Line variance {key} {row['Against']}")
    price = sum(cents(r["Price"]) + cents(r["Volume"]) - cents(r["Change"]) for r in rows)
    check(price == 0 and len(rows) > 20, f"Line variance: {len(rows)} lines")


def fiscal_year(month):
    year, number = map(int, month.split("-"))
    return f"FY{year + (number >= 10)}"


def check_years(book, sums, summary):
    for row in table(book, "ProviderYears"):
        parts = {m: 0 for m in range(1, 13)}
        for key, values in sums.items():
            same = (key[1], key[2], key[3]) == (row["Provider id"], row["Provider"], row["Contract"])
            if same and fiscal_year(key[0]) == row["Fiscal year"]:
                parts[int(key[0][5:])] += values[2]
        place = f"Provider years {row['Provider id']} {row['Contract']} {row['Fiscal year']}"
        for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1):
            check(row[name] == "n/a" and parts[number] == 0 or cents(row[name]) == parts[number], f"{place} {name}")
        check(cents(row["Year"]) == sum(parts.values()), place)
    check_public_years(book, summary)


def check_public_years(book, summary):
    names = {10: "Oct", 11: "Nov", 12: "Dec", 1: "Jan", 2: "Feb", 3: "Mar", 4: "Apr", 5: "May", 6: "Jun", 7: "Jul",
             8: "Aug", 9: "Sep"}
    cells = {c["month"]: c for c in summary["cells"] if (c["region"], c["tripType"]) == ("All", "All")}
    fields = {"Cost": "totalCost", "In-house cost": "inHouseCost", "Contracted cost": "contractedCost"}
    for row in table(book, "FiscalYears"):
        shown, hidden = 0, False
        for number, name in names.items():
            month = f"{int(row['Fiscal year'][2:]) - (number >= 10)}-{number:02d}"
            place = f"Fiscal years {row['Fiscal year']} {row['Measure']} {name}"
            if month not in cells and month not in summary["withheldMonths"]:
                check(row[name] == "n/a", f"{place}: {row[name]}")
                continue
            wanted = cells.get(month, {}).get(fields[row["Measure"]])
            hidden = hidden or wanted is None
            check(row[name] == "hidden" if wanted is None else cents(row[name]) == round(wanted * 100), f"{place}: {row[name]}")
            shown += 0 if wanted is None else round(wanted * 100)
        check(row["Year"] == "hidden" if hidden else cents(row["Year"]) == shown, f"Fiscal years: {row['Fiscal year']} {row['Measure']}")


COST_FIELDS = {
    "Trips": "trips", "In-house trips": "inHouse", "Contracted trips": "contracted",
    "Unclassified trips": "unclassified", "Costed trips": "costedTrips", "Cost": "totalCost",
    "In-house cost": "inHouseCost", "Contracted cost": "contractedCost", "Cost per trip": "costPerTrip",
    "Loaded miles": "loadedMiles", "Cost per loaded mile": "costPerLoadedMile"}


def added(cells):
    """Costed trips and cents of some cells; None if one of them hides its own."""
    amounts = [(0, 0) if c is None else (c["costedTrips"], c["totalCost"]) for c in cells]
    if any(None in amount for amount in amounts):
        return None
    return sum(n for n, _ in amounts), sum(round(c * 100) for _, c in amounts)


def check_summary(book, summary, first="0000", last="9999"):
    """Costs and Variance against the JSON of the same store, cell by cell."""
    cells = {(c["month"], c["tripType"]): c for c in summary["cells"] if c["region"] == "All"}
    rows = table(book, "MonthlyCosts")
    wanted = {k for k in cells if k[0] != "All" and first <= k[0] <= last}
    check({(r["Month"], r["Trip type"]) for r in rows} == wanted, "Costs: its lines are not the summary's cells")
    for row in rows:
        cell = cells[row["Month"], row["Trip type"]]
        for title, field in COST_FIELDS.items():
            value = cell[field]
            unknown = cost_sheets.unknown_cost(cell, field)
            same = (row[title] in ("hidden", "n/a") if value is None
                    else row[title] in unknown if unknown else workbook_figures.close(row[title], value))
            check(same, f"Costs {row['Month']} {row['Trip type']}, {title}: {row[title]!r}, wanted {value!r}")
            if cell["suppressed"]:
                check(row[title] == "hidden", f"Costs {row['Month']} {row['Trip type']}, {title}: not hidden")
        cost_sheets.check_unclassified(row, cell, f"Costs {row['Month']} {row['Trip type']}")
    hidden = years = 0
    incomparable = []
    for row in table(book, "Variance"):
        own, distance = [row["Month"]], 1 if row["Against"] == "month before" else 12
        if row["Month"].startswith("FY"):
            own = sorted({m for m, _ in wanted if fiscal_year(m) == row["Month"][:6]})
            check(row["Month"] == f"{row['Month'][:6]}, {len(own)} months", f"Variance: {row['Month']} of {own}")
            years += 1
        amounts = [added([cells.get((m, row["Trip type"])) for m in months])
                   for months in ([month_before(m, distance) for m in own], own)]
        place = f"Variance {row['Month']} {row['Trip type']} {row['Against']}"
        sides = [[cells.get((m, row["Trip type"])) for m in months]
                 for months in ([month_before(m, distance) for m in own], own)]
        if None not in amounts and any(figure_marks.mark(c, "totalCost") for side in sides for c in side):
            # Sums that leave out trips stand side by side, and are not compared.
            check(all(row[t] == "not comparable" for t in ("Change", "Volume", "Price")), f"{place}: compared")
            check([cents(row["Cost before"]), cents(row["Cost"])] == [cents_of for _, cents_of in amounts], f"{place}: costs")
            incomparable.append(place)
            continue
        if None in amounts:
            hidden += 1
            check(all(row[t] == "hidden" for t in ("Change", "Volume", "Price", "Cost before")), f"{place}: not hidden")
            continue
        check_change(row, *amounts, place)
    check(years > 0 or first == last or len({m for m, _ in wanted}) < 13, "Variance: no fiscal year")
    return hidden, len(incomparable)


def check_marks(book, summary):
    """Numbers that leave out trips stay numbers and show a mark; a legend says what it means."""
    cells = {(c["month"], c["tripType"]): c for c in summary["cells"] if c["region"] == "All"}
    titles, rows, _ = workbook_figures.table_rows(book["Costs"], "MonthlyCosts")
    marked = 0
    for row in rows:
        cell = cells[row[0].value, row[1].value]
        for title, figure in zip(titles, row):
            if title not in COST_FIELDS or not isinstance(figure.value, (int, float)):
                continue
            mark = figure_marks.mark(cell, COST_FIELDS[title])
            marked += bool(mark)
            check((f'"{mark}"' in figure.number_format) if mark else '"' not in figure.number_format,
                  f"Costs {row[0].value} {row[1].value}, {title}: format {figure.number_format}, mark {mark!r}")
    for name in ("Costs", "Variance", "Fiscal years", "In-house v contracted"):
        text = [c.value for row in book[name].iter_rows(max_col=1) for c in row if isinstance(c.value, str)]
        check(any(t.startswith(figure_marks.LEGEND) for t in text) == (marked > 0), f"{name}: the legend of the marks")


def check_incomplete(site):
    """Exports of which some trips are shown only together with others: counts are marked, and their costs are hidden."""
    sample(site.folder / "incomplete.csv", 1800, 7)
    site.succeed("costs", "incomplete.csv", "--internal", "--output", "whole.xlsx")
    whole = openpyxl.load_workbook(site.folder / "whole.xlsx", data_only=True)
    check_summary(whole, json.loads(site.succeed("scan", "incomplete.csv", "--internal", "--format", "json")[0]))
    check(cost_sheets.check_cover(whole) == 0, "incomplete: a mark on the cover of a workbook for staff")
    above = cost_sheets.totals(whole, "MonthlyCosts")
    check(cents(above["Unclassified cost"]) > 0, f"incomplete: unclassified cost {above['Unclassified cost']}")
    check(sum(cents(above[t]) for t in ("In-house cost", "Contracted cost", "Unclassified cost")) == cents(above["Cost"]),
          f"incomplete: the costs do not add up: {above}")
    site.succeed("costs", "incomplete.csv", "--release", "--output", "incomplete.xlsx")
    book = openpyxl.load_workbook(site.folder / "incomplete.xlsx", data_only=True)
    summary = json.loads(site.succeed("scan", "incomplete.csv", "--release", "--format", "json")[0])
    hidden, _ = check_summary(book, summary)
    check(hidden > 0, "incomplete: no line of the Variance sheet is hidden, so nothing was tested")
    cost_sheets.check_cover(book)
    check_marks(book, summary)
    check_public_years(book, summary)
    recalculation.add(site.folder / "incomplete.xlsx")


def check_exceptions(book, planted, places, origin):
    """`places`: by the number of the record, its trip and leg; of a store it is not known."""
    rows = table(book, "Exceptions")
    totals = {row["Check"]: row for row in table(book, "Checks")}
    usual = [row["Usual cost from"] for row in rows if row["Usual cost from"] is not None]
    check(usual and min(usual) >= 0, f"{origin}: a usual cost from {min(usual, default=None)}")
    print(f"{origin}: check, planted, found of them, false alarms")
    for name, cases in planted.items():
        needs_exports = name in ("Invoice number twice", "Multi-stop run billed apart", "Estimated miles billed")
        mine = [row for row in rows if row["Check"] == name]
        if origin == "store" and needs_exports:
            check(totals[name]["Made"] == "not made" and not mine, f"{name}: the store cannot know it")
            check("costs FILE" in totals[name]["Rule"], f"{name}: no word of what to do")
            continue
        check(totals[name]["Made"] == "yes", f"{name}: {totals[name]['Made']}")
        check(totals[name]["Trips found"] == len(mine), f"{name}: {len(mine)} of {totals[name]['Trips found']} listed")
        if origin == "store":
            alarms = len(mine) - len(cases)
            check(0 <= alarms <= (60 if name == "Cost outlier" else 0), f"{name}: {len(mine)} found, {len(cases)} planted")
            continue
        found = {places[row["Record"]] for row in mine}
        alarms = found - cases
        print(f"  {name}: {len(cases)}, {len(found & cases)}, {len(alarms)}")
        check(cases <= found, f"{name}: {len(cases - found)} of {len(cases)} planted cases are missed")
        check(len(alarms) <= (60 if name == "Cost outlier" else 0), f"{name}: {len(alarms)} false alarms")
        if needs_exports and name != "Estimated miles billed":
            groups = {}
            for row in mine:
                groups.setdefault(row["Group"], []).append(row)
            check(all(len(group) > 1 for group in groups.values()), f"{name}: a group of one")
            check(len(groups) == (5 if name == "Invoice number twice" else 4), f"{name}: {len(groups)} groups")


def check_shape(book, path, tables, internal):
    found = {name for sheet in book for name in sheet.tables}
    check(found - {"ChartData"} == tables, f"{path}: tables {sorted(found ^ tables)}")
    links = {cell.hyperlink.location for row in book["Cover"].iter_rows() for cell in row if cell.hyperlink}
    check(links == {f"'{sheet.title}'!A1" for sheet in book if sheet.title != "Cover"}, f"{path}: links of the cover {links}")
    for sheet in book:
        check(len(sheet.tables) == 1, f"{sheet.title}: {len(sheet.tables)} tables")
        for each in sheet.tables.values():
            check(each.ref.startswith("A") and each.autoFilter is not None, f"{sheet.title}: {each.ref}")
        check(sheet.freeze_panes is not None, f"{sheet.title}: nothing frozen")
        # A table with a chart beside it is a page for each.
        divided = bool(sheet.col_breaks.brk)
        check(sheet.page_setup.orientation == "landscape" and (divided or sheet.sheet_properties.pageSetUpPr.fitToPage),
              f"{sheet.title}: print")
        check(sheet.print_title_rows and "&P" in sheet.oddFooter.center.text, f"{sheet.title}: printed pages")
        text = [c.value for row in sheet.iter_rows() for c in row if isinstance(c.value, str)]
        check(any("INTERNAL" in t for t in text) == internal, f"{sheet.title}: stamp")
        check(bool(sheet.oddHeader.center.text) == internal, f"{sheet.title}: print header")
        check(not any(t.startswith(("=", "+", "-", "@", "#")) for t in text), f"{sheet.title}: a text that may be a formula")
    names = {"Trips_total", "Costed_trips_total", "Cost_total", "Cost_per_trip"}
    names |= {"Lines_cost_total", "Providers_cost_total", "Exceptions_cost_total"} if internal else set()
    check(names <= set(book.defined_names), f"{path}: names {sorted(book.defined_names)}")
    check(book.properties.title and not book.properties.creator, f"{path}: properties")
    custom = {p.name: p.value for p in book.custom_doc_props.props}
    check({"tripkpi run id", "tripkpi contract version", "tripkpi period"} <= set(custom), f"{path}: {custom}")
    check(not any(sheet.conditional_formatting for sheet in book), f"{path}: colours without a meaning")
    statement = "not like for like"
    check(any(statement in str(c.value) for row in book["In-house v contracted"].iter_rows() for c in row),
          "In-house v contracted: no statement")
    formats = {"Cost": "$#,##0.00", "Costed trips": "#,##0", "Loaded miles": "#,##0.0"}
    header, first, *_ = list(book["Costs"][book["Costs"].tables["MonthlyCosts"].ref])
    for title, cell in zip(header, first):
        if title.value in formats and isinstance(cell.value, (int, float)):
            check(cell.number_format == formats[title.value], f"Costs: {title.value} is {cell.number_format}")


def check_chart(path):
    with zipfile.ZipFile(path) as archive:
        drawings = [n for n in archive.namelist() if re.match(r"xl/drawings/drawing\d+\.xml$", n)]
        check(len(drawings) == 1, f"{path}: {len(drawings)} charts")
        for name in drawings:
            text = re.search(r'descr="([^"]{40,})"', archive.read(name).decode())
            # Nine digits in a row would be taken for an identifier, and are hard to hear.
            check(text and not re.search(r"\$\d{4}", text[1]), f"{name}: no alt text, or dollars without groups")


def leaks(path, rows):
    """Identifying values of the export that stand anywhere in a workbook."""
    with zipfile.ZipFile(path) as archive:
        text = "\n".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
    values = {row[field] for row in rows for field in ("trip_id", "invoice_number", "vehicle_id", "patient_id") if row[field]}
    words = set(re.findall(r"[\w-]+", text))
    # A patient's number such as P1 looks like many things; the others do not.
    return {value for value in values & words if not re.fullmatch(r"P\d{1,3}", value)}


def check_detail(path, again, rows, sums):
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    lines = []
    for sheet in book:
        content = list(sheet.iter_rows(values_only=True))
        check("INTERNAL" in str(content[0][0]), f"{sheet.title}: no stamp")
        check(content[1][0] == "Trip", f"{sheet.title}: no header")
        lines += [dict(zip(content[1], row)) for row in content[2:]]
    completed = [row for row in rows if row["status"] == "completed"]
    check(len(lines) == len(completed), f"detail: {len(lines)} lines, {len(completed)} trips")
    check(len({line["Trip"] for line in lines}) == len(lines), "detail: an id stands twice")
    check(all(re.fullmatch(r"[0-9a-f]{32}", line["Trip"]) for line in lines), "detail: not a public id")
    check(all(isinstance(line["Date"], datetime.datetime) for line in lines), "detail: dates are not dates")
    found = {}
    for line in lines:
        key = tuple(line[title] or "(none)" for title in KEYS)
        total = found.setdefault(key, [0, 0])
        total[0] += 1
        total[1] += cents(line["Cost"]) or 0
    check({k: (v[0], v[2]) for k, v in sums.items()} == {k: tuple(v) for k, v in found.items()}, "detail: its sums are not DuckDB's")
    flagged = sum("Zero-mile trip" in (line["Review"] or "") for line in lines)
    check(flagged == 12, f"detail: {flagged} zero-mile trips flagged, 12 planted")
    second = openpyxl.load_workbook(again, read_only=True, data_only=True)
    ids = {row[0] for sheet in second for row in sheet.iter_rows(min_row=3, values_only=True)}
    check(ids == {line["Trip"] for line in lines}, "detail: ids changed from run to run")


PUBLIC = {"Contents", "MonthlyCosts", "RegionCosts", "Variance", "FiscalYears", "RegionYears", "SourcingCosts",
          "SourcingYears", "Terms"}
INTERNAL = PUBLIC | {"CostLines", "LineVariance", "Providers", "ProviderYears", "Checks", "Exceptions"}


def check_month_of_cancelled_trips(site):
    """A month in which nothing was completed costs nothing: it is not the month before it."""
    lines = ["trip_id,service_date,status,cost"]
    for month, status in (("01", "completed"), ("02", "completed"), ("03", "cancelled")):
        lines += [f"SYN-{month}-{n},2025-{month}-{n % 28 + 1:02d},{status},100.00" for n in range(40)]
    (site.folder / "cancelled.csv").write_text("\n".join(lines) + "\n")
    site.succeed("costs", "cancelled.csv", "--month", "2025-03", "--internal", "--output", "cancelled.xlsx")
    book = openpyxl.load_workbook(site.folder / "cancelled.xlsx", data_only=True)
    for name in ("Lines", "Providers", "Provider years"):
        texts = {str(cell) for row in book[name].iter_rows(values_only=True) for cell in row if cell is not None}
        others = {month for month in ("2025-01", "2025-02") if any(month in text for text in texts)}
        check(not others and "4000" not in texts, f"a month of cancelled trips: {name} has {sorted(others)} {texts}")


def check_patients_numbers(site):
    """Some systems bill by the patient's number: such an invoice is not shown, any other is."""
    lines = ["trip_id,service_date,region,trip_type,status,cost,loaded_miles,patient_id,invoice_number"] + [
        f"T{i},2024-03-05,North,Routine,completed,500,0,SYN-7{i},{f'syn7{i}' if i % 2 else f'INV-{i}'}" for i in range(1, 61)
    ]
    (site.folder / "accounts.csv").write_text("\n".join(lines) + "\n")
    site.succeed("costs", "accounts.csv", "--internal", "--output", "accounts.xlsx")
    texts = added_texts(site.folder / "accounts.xlsx")
    check(re.search(r"INV-\d", texts), "accounts: no invoice is shown")
    check(not re.search(r"syn-?7\d", texts, re.IGNORECASE), "accounts: a patient's number is shown as an invoice")


def added_texts(path):
    """All parts of a workbook as one text."""
    with zipfile.ZipFile(path) as archive:
        return "\n".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())


def main():
    with tempfile.TemporaryDirectory() as folder:
        site = Site.made(Path(folder) / "site")
        rows, planted = cost_cases.make()
        export = Path(folder) / "export.csv"
        places = cost_cases.write(rows, export)
        invoices = {row["invoice_number"] for row in rows if row["invoice_number"]}
        sums = added_up(export)
        site.succeed("load", export)
        code, _, messages = site.tripkpi("costs", "--release", "--output", "unreleased.xlsx")
        check(code == 65 and "is released yet" in messages, f"unreleased: {code} {messages[-300:]}")
        check(not (site.folder / "unreleased.xlsx").exists(), "unreleased: a workbook of months that are not released")
        site.succeed("publish")

        site.succeed("costs", "--release", "--output", "released.xlsx")
        released = openpyxl.load_workbook(site.folder / "released.xlsx", data_only=True)
        summary = json.loads(site.succeed("report", "--release", "--format", "json")[0])
        hidden, _ = check_summary(released, summary)
        check_marks(released, summary)
        check_public_years(released, summary)
        check_shape(released, "released", PUBLIC, internal=False)
        cost_sheets.check_regions(released, summary)
        cost_sheets.check_reconciled(released, summary, PUBLIC - {"Contents", "Terms"})
        cost_sheets.check_cover(released)
        cost_sheets.check_partial_years(released, {c["month"] for c in summary["cells"]} - {"All"} | set(summary["withheldMonths"]))
        cost_sheets.check_mile_notes(released, "Hidden unless every trip with a cost or with loaded miles has both")
        text = (site.folder / "released.xlsx").read_bytes()
        with zipfile.ZipFile(site.folder / "released.xlsx") as archive:
            whole = " ".join(archive.read(name).decode() for name in archive.namelist())
        for provider in list(cost_cases.PROVIDERS) + ["Harbor Transport", "C-P-1-1"]:
            check(provider not in whole, f"released: names {provider}")
        check(not any(invoice in whole for invoice in invoices), "released: names an invoice")
        check(hidden > 0 or not any(c["suppressed"] for c in summary["cells"]), "released: nothing is hidden")
        site.succeed("costs", "--release", "--output", "again.xlsx")
        check((site.folder / "again.xlsx").read_bytes() == text, "released: two runs give other bytes")
        recalculation.add(site.folder / "released.xlsx")

        site.succeed("costs", "--internal", "--output", "named.xlsx")
        cost_sheets.check_names(openpyxl.load_workbook(site.folder / "named.xlsx", data_only=True), site)
        site.succeed("costs", "--internal", "--output", "inside.xlsx", "--detail", "lines.xlsx")
        inside = openpyxl.load_workbook(site.folder / "inside.xlsx", data_only=True)
        open_summary = json.loads(site.succeed("report", "--format", "json", "--internal")[0])
        check_summary(inside, open_summary)
        check_lines(inside, sums)
        check_changes(inside, sums, "0000", "9999")
        check_years(inside, sums, open_summary)
        cost_sheets.check_regions(inside, open_summary)
        cost_sheets.check_region_sums(inside, sums)
        cost_sheets.check_sourcing(inside, sums)
        cost_sheets.check_providers(inside, sums)
        cost_sheets.check_reconciled(inside, open_summary, INTERNAL - {"Contents", "Terms"})
        cost_sheets.check_miles(site, inside, open_summary)
        cost_sheets.check_cover(inside)
        cost_sheets.check_partial_years(inside, {key[0] for key in sums})
        cost_sheets.check_mile_notes(inside, "Of the trips that have both a cost and loaded miles")
        cost_sheets.check_records(inside, export)
        check_exceptions(inside, planted, places, "store")
        check_shape(inside, "inside", INTERNAL, internal=True)
        check_chart(site.folder / "inside.xlsx")
        recalculation.add(site.folder / "inside.xlsx")
        site.succeed("costs", "--internal", "--output", "inside.xlsx", "--detail", "lines2.xlsx")
        check_detail(site.folder / "lines.xlsx", site.folder / "lines2.xlsx", rows, sums)
        for name in ("inside.xlsx", "lines.xlsx"):
            check(not leaks(site.folder / name, rows), f"{name}: identifying values")

        check_incomplete(site)

        # A month: what is hidden in it is what is hidden in all months, and it is compared with the months before.
        site.succeed("costs", "--release", "--month", "2025-09", "--output", "month.xlsx")
        month = openpyxl.load_workbook(site.folder / "month.xlsx", data_only=True)
        check_summary(month, summary, "2025-09", "2025-09")
        site.succeed("costs", "--month", "2025-09", "--internal", "--output", "month-inside.xlsx")
        month = openpyxl.load_workbook(site.folder / "month-inside.xlsx", data_only=True)
        check_lines(month, {k: v for k, v in sums.items() if k[0] == "2025-09"})
        check_changes(month, sums, "2025-09", "2025-09")

        # Months without a trip are 0, and say so.
        site.succeed("costs", "--month", "2031-01", "--internal", "--output", "empty.xlsx")
        empty = openpyxl.load_workbook(site.folder / "empty.xlsx", data_only=True)
        texts = [str(cell.value) for row in empty["Cover"].iter_rows() for cell in row]
        check(any("no trips in the months asked for" in text for text in texts), "empty: the cover does not say so")
        for name in ("Lines", "Line variance", "Providers", "Provider years", "Exceptions"):
            numbers = [cell for row in empty[name].iter_rows(values_only=True) for cell in row if isinstance(cell, (int, float))]
            check(not any(numbers), f"empty: {name} has {numbers[:5]}")
        recalculation.add(site.folder / "empty.xlsx")

        # Exports say what the store does not keep.
        site.succeed("costs", export, "--internal", "--output", "exports.xlsx", "--detail", "export-lines.xlsx")
        exports = openpyxl.load_workbook(site.folder / "exports.xlsx", data_only=True)
        check_lines(exports, sums)
        check_exceptions(exports, planted, places, "exports")
        cost_sheets.check_invoices(exports, rows, places)
        check_shape(exports, "exports", INTERNAL, internal=True)
        listed = {row["Invoice"] for row in table(exports, "Exceptions")}
        for name, shown in (("exports.xlsx", listed), ("export-lines.xlsx", set())):
            check(not leaks(site.folder / name, rows) - shown, f"{name}: identifying values")

        check_month_of_cancelled_trips(site)
        check_patients_numbers(site)
        accessible_costs.check_all(site, export)
        cost_sheets.check_one_region(site, sums)
        cost_sheets.check_print(site)
        # 2025-05-10: the fiscal year has not ended, and March is closed.
        cost_sheets.check_budget(Site.made(Path(folder) / "budget", 1_746_835_200))
        cost_sheets.check_budget_without_costs(Site.made(Path(folder) / "uncosted"))

        check(site.tripkpi("costs", "--release", "--detail", "x.xlsx")[0] == 64, "detail of a release is not refused")
        check(site.tripkpi("costs", "--output", "x.csv")[0] == 64, "another ending is not refused")
        log = next(site.store.parent.glob("*.jsonl"), None) or next(site.folder.rglob("*.jsonl"))
        entries = [json.loads(line) for line in log.read_text().splitlines()]
        inside_uses = [e for e in entries if e.get("command") == "tripkpi costs" and e.get("internal")]
        check(len(inside_uses) >= 5, f"audit log: {len(inside_uses)} internal uses of costs")
    recalculation.finish(workbook_figures.checks)
    sys.exit(workbook_figures.checks.end())


if __name__ == "__main__":
    main()
