"""Regions, sourcing, providers, reconciliation, names of exceptions and budgets of finance's workbooks, for `check_costs.py`.

Sums are DuckDB's (`added_up`), the summary's own, or made by hand: `check_budget` has its own export, of round figures.
"""
import csv
import gzip
import json
import math
import os
import re
import subprocess
from fractions import Fraction

import openpyxl

import figure_marks
import workbook_figures
from nightly_site import has_office
from workbook_formulas import converted, recalculation

check = workbook_figures.check
FIELDS = {
    "Trips": "trips", "In-house trips": "inHouse", "Contracted trips": "contracted", "Unclassified trips": "unclassified",
    "Costed trips": "costedTrips", "Cost": "totalCost", "In-house cost": "inHouseCost", "Contracted cost": "contractedCost",
    "Cost per trip": "costPerTrip", "Loaded miles": "loadedMiles", "Cost per loaded mile": "costPerLoadedMile"}
MONTHS = "Oct Nov Dec Jan Feb Mar Apr May Jun Jul Aug Sep".split()
UNKNOWN, UNKNOWN_OR_0 = "cost unknown", "unknown or 0"


def cents(value):
    return None if value is None or isinstance(value, str) else round(value * 100)


def half_away(fraction):
    return int(math.copysign(math.floor(abs(fraction) + Fraction(1, 2)), fraction)) if fraction else 0


def quotient(part, whole):
    return half_away(Fraction(part, whole)) if whole else None


def sheet_of(book, name):
    return next(sheet for sheet in book if name in sheet.tables)


def table(book, name):
    sheet = sheet_of(book, name)
    rows = [[cell.value for cell in row] for row in sheet[sheet.tables[name].ref]]
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def totals(book, name):
    """The row above the header, by title."""
    sheet = sheet_of(book, name)
    header = sheet[sheet.tables[name].ref][0]
    return {cell.value: sheet.cell(cell.row - 1, cell.column).value for cell in header}


def fiscal_year(month):
    return int(month[:4]) + (int(month[5:]) >= 10)


def unknown_cost(cell, field):
    """The words for a cost of trips none of which has one; none for a cost."""
    trips = {"totalCost": "trips", "inHouseCost": "inHouse", "contractedCost": "contracted"}.get(field)
    if trips is None or cell[field] != 0 or not cell[trips]:
        return set()
    if cell["costedTrips"] == 0:
        return {UNKNOWN}
    return set() if field == "totalCost" else {UNKNOWN, UNKNOWN_OR_0, 0}


def unclassified_cost(cell):
    """The rest of the cost, in cents; None where the three sums may be of different trips."""
    fields = ("totalCost", "inHouseCost", "contractedCost")
    if any(cell[f] is None or figure_marks.mark(cell, f) for f in fields):
        return None
    return cents(cell["totalCost"]) - cents(cell["inHouseCost"]) - cents(cell["contractedCost"])


def check_unclassified(row, cell, place):
    """In-house, contracted and unclassified cost make up the cost; without the column, the first two do."""
    wanted = unclassified_cost(cell)
    if "Unclassified cost" not in row:
        check(wanted == 0 or cell["totalCost"] is None, f"{place}: {wanted} cents of unclassified trips, and no column of them")
        return
    shown = row["Unclassified cost"]
    check(shown == "hidden" if wanted is None else cents(shown) == wanted or wanted == 0 and shown in (UNKNOWN, UNKNOWN_OR_0),
          f"{place}, Unclassified cost: {shown!r}, wanted {wanted!r}")


def texts(sheet, rows=40):
    return [str(c.value) for row in sheet.iter_rows(max_row=rows) for c in row if c.value is not None]


def check_cover(book):
    """The key figures of the cover are the totals of the Costs sheet with the same marks, which are explained.

    Returns the number of marked figures."""
    sheet = sheet_of(book, "MonthlyCosts")
    header = sheet[sheet.tables["MonthlyCosts"].ref][0]
    above = {cell.value: sheet.cell(cell.row - 1, cell.column) for cell in header}
    facts = {row[0].value: row[1] for row in book["Cover"].iter_rows(max_row=40) if row[0].value in above}
    check({"Cost", "In-house cost", "Contracted cost"} <= set(facts), f"Cover: only {sorted(facts)}")
    check(("Unclassified cost" in above) == ("Unclassified cost" in facts), "Cover: unclassified cost")
    marked = ""
    for title, cell in facts.items():
        same = cell.value == above[title].value
        number = not isinstance(cell.value, str)
        check(same and (not number or cell.number_format == above[title].number_format),
              f"Cover, {title}: {cell.value!r} as {cell.number_format}, on the Costs sheet "
              f"{above[title].value!r} as {above[title].number_format}")
        marked += cell.number_format.partition('"')[2].rstrip('"') + " " if number and '"' in cell.number_format else ""
    words = " ".join(texts(book["Cover"]))
    for mark, legend in (("+", figure_marks.LEGEND), ("^", "Marked ^:")):
        check((legend in words) == (mark in marked), f"Cover: the legend of {mark}, its figures are marked {marked!r}")
    return len(marked.split())


def check_partial_years(book, known):
    """Each fiscal year with fewer than 12 months is named on the cover and on the sheets with its sum."""
    years = {}
    for month in sorted(known):
        years.setdefault(fiscal_year(month), []).append(month)
    cover = {str(row[0].value): str(row[1].value) for row in book["Cover"].iter_rows(max_row=40)}
    partial = 0
    for year, months in years.items():
        verb = "has" if len(months) == 1 else "have"
        wanted = None if len(months) == 12 else f"{len(months)} of 12 months {verb} trips: {months[0]}"
        partial += wanted is not None
        found = cover.get(f"FY{year}")
        check(found is None if wanted is None else str(found).startswith(wanted), f"Cover: FY{year}: {found!r}, wanted {wanted!r}")
        for name in ("Fiscal years", "Region years", "Provider years"):
            if name in book.sheetnames:
                said = any(f"FY{year} has " in text for text in [" ".join(texts(book[name], 20))])
                check(said == (wanted is not None), f"{name}: FY{year} of {len(months)} months")
    check(partial > 0, "Cover: no fiscal year in part, so nothing was tested")


def check_mile_notes(book, words):
    for name in ("Costs", "Regions"):
        check(words in " ".join(texts(book[name], 30)), f"{name}: no word of which cost is divided by which miles")


def check_records(book, export):
    """`tail -c +$((BYTE+1)) FILE | head -n 1` prints the record of an exception, from a plain file and from a gzip file."""
    content = export.read_bytes()
    columns = content.split(b"\n", 1)[0].decode().split(",")
    packed = export.with_suffix(".csv.gz")
    packed.write_bytes(gzip.compress(content))
    rows = table(book, "Exceptions")
    for row in rows:
        record = dict(zip(columns, next(csv.reader([content[row["Byte"]:].split(b"\n", 1)[0].decode()]))))
        mine = [record["provider_id"], record["region"], round(float(record["cost"]) * 100) if record["cost"] else None]
        check([row["Provider id"], row["Region"], cents(row["Cost"])] == mine, f"Exceptions: byte {row['Byte']} is of {mine}")
    note = " ".join(texts(book["Exceptions"], 30))
    for command, path in (("tail -c +$((BYTE+1)) FILE | head -n 1", export),
                          ("zcat FILE | tail -c +$((BYTE+1)) | head -n 1", packed)):
        check(f"`{command}`" in note, f"Exceptions: no word of {command}")
        run = subprocess.run(["bash", "-c", command.replace("FILE", '"$FILE"')], capture_output=True, check=False,
                             env={"PATH": os.environ["PATH"], "FILE": str(path), "BYTE": str(rows[0]["Byte"])})
        check(run.stdout.strip() == content[rows[0]["Byte"]:].split(b"\n", 1)[0].strip(), f"{command}: {run.stderr[-200:]}")


def check_regions(book, summary):
    """Each month and region against the cell of the JSON, and each fiscal year against the sums of its months."""
    cells = {(c["month"], c["region"]): c for c in summary["cells"] if c["tripType"] == "All"}
    rows = table(book, "RegionCosts")
    wanted = {key for key in cells if key[0] != "All"} | {(month, "All") for month in summary["withheldMonths"]}
    check({(r["Month"], r["Region"]) for r in rows} == wanted, "Regions: its lines are not the summary's cells")
    check(len({r["Region"] for r in rows}) >= 5, "Regions: fewer than four regions")
    for row in rows:
        cell = cells.get((row["Month"], row["Region"]))
        for title, field in FIELDS.items():
            value = None if cell is None else cell[field]
            words = set() if cell is None else unknown_cost(cell, field)
            same = (row[title] in ("hidden", "n/a") if value is None
                    else row[title] in words if words else workbook_figures.close(row[title], value))
            check(same, f"Regions {row['Month']} {row['Region']}, {title}: {row[title]!r}, wanted {value!r}")
        if cell is not None:
            check_unclassified(row, cell, f"Regions {row['Month']} {row['Region']}")
    fields = {"Cost": "totalCost", "In-house cost": "inHouseCost", "Contracted cost": "contractedCost"}
    known = {month for month, _ in cells} | set(summary["withheldMonths"])
    for row in table(book, "RegionYears"):
        year = int(row["Fiscal year"][2:])
        place = f"Region years {row['Fiscal year']} {row['Region']} {row['Measure']}"
        added, hidden = 0, False
        for number, name in enumerate(MONTHS):
            month = f"{year - (number < 3)}-{(number + 9) % 12 + 1:02d}"
            if month not in known:
                check(row[name] == "n/a", f"{place} {name}: {row[name]!r}")
                continue
            value = cells.get((month, row["Region"]), {"totalCost": 0, "inHouseCost": 0, "contractedCost": 0})[
                fields[row["Measure"]]] if month not in summary["withheldMonths"] else None
            hidden = hidden or value is None
            check(row[name] == "hidden" if value is None else cents(row[name]) == cents(value), f"{place} {name}: {row[name]!r}")
            added += 0 if value is None else cents(value)
        check(row["Year"] == "hidden" if hidden else cents(row["Year"]) == added, f"{place}: {row['Year']!r}")


def check_region_sums(book, sums):
    """Trips, costed trips, cost and miles of each month and region against DuckDB."""
    found = {(r["Month"], r["Region"]): r for r in table(book, "RegionCosts")}
    wanted = {}
    for (month, *_, region, _, _), values in sums.items():
        for name in (region, "All"):
            total = wanted.setdefault((month, name), [0] * 6)
            wanted[month, name] = [a + b for a, b in zip(total, values)]
    for key, (trips, costed, cost, miles, both_cost, both_miles) in wanted.items():
        row = found.get(key)
        check(row is not None, f"Regions: no line {key}")
        shown = [row["Trips"], row["Costed trips"], cents(row["Cost"]), round(row["Loaded miles"] * 10),
                 cents(row["Cost per trip"]), cents(row["Cost per loaded mile"])]
        mine = [trips, costed, cost, quotient(miles, 10), quotient(cost, costed), quotient(both_cost * 100, both_miles)]
        check(shown == mine, f"Regions {key}: {shown}, DuckDB has {mine}")


def check_sourcing(book, sums):
    """In-house beside contracted: each month and fiscal year, with cost per trip and per mile of each."""
    for name, key, of in (("SourcingCosts", "Month", lambda m: m),
                          ("SourcingYears", "Fiscal year", lambda m: f"FY{fiscal_year(m)}")):
        wanted = {}
        for line, values in sums.items():
            place = of(line[0]), line[-1]
            wanted[place] = [a + b for a, b in zip(wanted.get(place, [0] * 6), values)]
        rows = table(book, name)
        check({r[key].split(",")[0] for r in rows} == {k[0] for k in wanted}, f"{name}: its lines")
        for row in rows:
            for word in ("In-house", "Contracted"):
                trips, costed, cost, miles, both_cost, both_miles = wanted.get((row[key].split(",")[0], word), [0] * 6)
                shown = [row[f"{word} trips"], row[f"{word} costed trips"], cents(row[f"{word} cost"]),
                         cents(row[f"{word} loaded miles"]), cents(row[f"{word} cost per trip"]),
                         cents(row[f"{word} cost per loaded mile"])]
                mine = [trips, costed, cost, miles, quotient(cost, costed), quotient(both_cost * 100, both_miles)]
                check(shown == mine, f"{name} {row[key]} {word}: {shown}, DuckDB has {mine}")
        for word in ("In-house", "Contracted"):
            parts = [values for line, values in sums.items() if line[-1] == word]
            trips, costed, cost, _, both_cost, both_miles = (sum(part) for part in zip(*parts))
            above = totals(book, name)
            shown = [above[f"{word} trips"], cents(above[f"{word} cost"]), cents(above[f"{word} cost per trip"]),
                     cents(above[f"{word} cost per loaded mile"])]
            mine = [trips, cost, quotient(cost, costed), quotient(both_cost * 100, both_miles)]
            check(shown == mine, f"{name}, total of {word}: {shown}, DuckDB has {mine}")


def check_providers(book, sums):
    keys = ("Provider id", "Provider", "Contract", "Region", "Sourcing")
    wanted = {}
    for (_, provider, name, contract, region, _, sourcing), values in sums.items():
        key = (provider, name, contract, region, sourcing)
        wanted[key] = [a + b for a, b in zip(wanted.get(key, [0] * 6), values)]
    rows = {tuple(row[k] for k in keys): row for row in table(book, "Providers")}
    check(set(rows) == set(wanted), f"Providers: {len(set(rows) ^ set(wanted))} lines are not DuckDB's")
    for key, row in rows.items():
        trips, costed, cost, miles, *_ = wanted[key]
        shown = [row["Trips"], row["Costed trips"], cents(row["Cost"]), cents(row["Loaded miles"])]
        check(shown == [trips, costed, cost if costed else None, miles], f"Providers {key}: {shown}")


LINE = re.compile(r"^Reconciled with kpi-summary\.json: (.*)$")
PART = re.compile(r"(costed trips|trips|cost) (-?\$?[\d,.]+) here, (-?\$?[\d,.]+) there, difference (-?\$?[\d,.]+)")


def amount(text):
    return Fraction(text.strip(".").replace("$", "").replace(",", ""))


def reconciliation(sheet):
    """The paragraph, whose rows follow one another."""
    rows = [str(row[0].value) for row in sheet.iter_rows(max_row=30, max_col=1) if row[0].value]
    start = next((i for i, text in enumerate(rows) if LINE.match(text)), None)
    return None if start is None else " ".join(rows[start:start + 6])


def check_reconciled(book, summary, tables):
    """Each sheet of figures names its totals and those of the JSON, and the reasons add up to the difference."""
    overall = summary["cells"][0]
    there = {"trips": overall["trips"], "costed trips": overall["costedTrips"], "cost": Fraction(str(overall["totalCost"]))}
    for name in sorted(tables):
        sheet = sheet_of(book, name)
        text = reconciliation(sheet)
        check(text is not None, f"{sheet.title}: no reconciliation")
        if text is None:
            continue
        parts = PART.findall(text)
        check(parts and "cost" in [part[0] for part in parts], f"{sheet.title}: {text}")
        check("not explained" not in text, f"{sheet.title}: {text}")
        for what, here, other, difference in parts:
            check(amount(other) == there[what], f"{sheet.title}: {what} {other}, the JSON has {there[what]}")
            check(amount(other) - amount(here) == amount(difference), f"{sheet.title}: {what} {here} {other} {difference}")
            reasons = re.search(r"The difference: (.*)", text)
            if amount(difference) and what == "cost":
                named = re.findall(r"(-?\$[\d,.]*\d) \(", reasons[1]) if reasons else []
                check(sum(map(amount, named)) == amount(difference), f"{sheet.title}: reasons {named} for {difference}")


def check_miles(site, book, summary):
    """One total of miles: in the JSON, the month workbook and each sheet of the cost workbook."""
    wanted = round(summary["cells"][0]["loadedMiles"] * 10)
    site.succeed("report", "--internal", "--output", "kpi.xlsx")
    month = openpyxl.load_workbook(site.folder / "kpi.xlsx", data_only=True)
    found = {("month workbook", name): totals(month, name)["Loaded miles"] for name in ("MonthTotals", "Cells")
             if "Loaded miles" in totals(month, name)}
    found |= {("cost workbook", name): totals(book, name)["Loaded miles"]
              for name in ("MonthlyCosts", "RegionCosts", "Providers", "CostLines")}
    check(len(found) >= 5, f"miles: only {sorted(found)}")
    for place, total in found.items():
        check(round(total * 10, 6) == wanted, f"miles: {place} has {total}, the JSON has {wanted / 10}")
    others = {title for sheet in book for t in sheet.tables for title in totals(book, t)
              if title and "iles" in str(title) and isinstance(totals(book, t)[title], (int, float))}
    labels = {"Loaded miles", "In-house loaded miles", "Contracted loaded miles", "Cost per loaded mile",
              "In-house cost per loaded mile", "Contracted cost per loaded mile", "Cost of trips with miles",
              "Loaded miles of costed trips", "In-house cost of trips with miles", "In-house miles of costed trips",
              "Contracted cost of trips with miles", "Contracted miles of costed trips"}
    check(others <= labels, f"miles: totals without a label of their own: {others - labels}")
    # A fiscal year: the same in both workbooks, though rounded months add up to something else.
    for flags in ([], ["--release"]):
        site.succeed("report", "--fiscal-year", "2025", *flags, "--output", "year-kpi.xlsx")
        site.succeed("costs", "--fiscal-year", "2025", *flags, "--output", "year-costs.xlsx")
        kpi, costs = (openpyxl.load_workbook(site.folder / f"year-{n}.xlsx", data_only=True) for n in ("kpi", "costs"))
        one, other = totals(kpi, "MonthTotals")["Loaded miles"], totals(costs, "MonthlyCosts")["Loaded miles"]
        check(one == other, f"miles of fiscal year 2025 {flags}: {one} and {other}")


def check_names(book, site):
    """Every exception of a store has a public id, though no row was ever published, and the byte of its record."""
    rows = table(book, "Exceptions")
    check(len(rows) > 30 and all(re.fullmatch(r"[0-9a-f]{32}", row["Trip"]) for row in rows), "Exceptions: no public id")
    check(all(isinstance(row["Byte"], int) and row["Export"] for row in rows), "Exceptions: no place")
    check("Invoice" not in rows[0], "Exceptions: invoices of a store")
    site.succeed("costs", "--internal", "--output", "named-again.xlsx")
    check((site.folder / "named.xlsx").read_bytes() == (site.folder / "named-again.xlsx").read_bytes(),
          "Exceptions: other ids in the next run")


def check_invoices(book, rows, places):
    """Record and invoice of each exception are those of one row of the export."""
    by_key = {(row["trip_id"], row["leg_id"]): row for row in rows}
    exceptions = table(book, "Exceptions")
    for line in exceptions:
        row = by_key[places[line["Record"]]]
        check(line["Invoice"] == (row["invoice_number"] or "(none)"), f"Exceptions, record {line['Record']}: invoice")
        check(cents(line["Cost"]) == (round(float(row["cost"]) * 100) if row["cost"] else None),
              f"Exceptions, record {line['Record']}: cost {line['Cost']!r}")
        check(row["cost"] or line["Cost"] == UNKNOWN, f"Exceptions: an unknown cost is {line['Cost']!r}")
    check(any(line["Cost"] == UNKNOWN for line in exceptions), "Exceptions: no unknown cost, so nothing was tested")


def check_one_region(site, sums):
    """`--region`: the same figures as the region's lines of the whole workbook, and a reconciliation with the whole."""
    whole = json.loads(site.succeed("report", "--format", "json", "--internal")[0])
    site.succeed("costs", "--internal", "--region", "North", "--output", "north.xlsx")
    book = openpyxl.load_workbook(site.folder / "north.xlsx", data_only=True)
    north = {k: v for k, v in sums.items() if k[4] == "North"}
    above = totals(book, "MonthlyCosts")
    mine = [sum(v[i] for v in north.values()) for i in range(4)]
    shown = [above["Trips"], above["Costed trips"], cents(above["Cost"]), round(above["Loaded miles"] * 10)]
    check(shown == mine[:3] + [quotient(mine[3], 10)], f"--region North: {shown}, DuckDB has {mine}")
    check({row["Region"] for row in table(book, "CostLines")} == {"North"}, "--region North: lines of other regions")
    check({row["Region"] for row in table(book, "Exceptions")} == {"North"}, "--region North: exceptions of other regions")
    check("North" in book.properties.title, "--region North: the title does not say so")
    check_reconciled(book, whole, {"MonthlyCosts", "RegionCosts", "FiscalYears", "Providers", "CostLines"})
    text = reconciliation(sheet_of(book, "MonthlyCosts"))
    check("(other regions)" in text, f"--region North: {text}")
    site.succeed("costs", "--release", "--region", "North", "--region", "South", "--output", "two.xlsx")
    released = json.loads(site.succeed("report", "--release", "--format", "json")[0])
    check_reconciled(openpyxl.load_workbook(site.folder / "two.xlsx", data_only=True), released, {"MonthlyCosts"})
    code, _, messages = site.tripkpi("costs", "--region", "Nowhere", "--output", "x.xlsx")
    check(code == 64 and "there is no region" in messages, f"--region Nowhere: {code} {messages}")


def check_print(site):
    """Two years of a month workbook are at most 20 printed pages, for either audience and in either style."""
    if not has_office():
        workbook_figures.checks.skip("printed pages", "there is no soffice to print (Debian: libreoffice-calc)")
        return
    site.succeed("sample", "--messy", "--rows", "12000", "--seed", "4", "--from", "2024-01", "--months", "24", "--output", "two-years.csv")
    books = {"released": ["--release"], "inside": [], "accessible": ["--release", "--accessible"]}
    for name, flags in books.items():
        site.succeed("scan", "two-years.csv", *flags, "--output", f"two-years-{name}.xlsx")
    for name, path in zip(books, converted([site.folder / f"two-years-{name}.xlsx" for name in books], "pdf", site.folder / "printed")):
        pages = 0 if path is None else len(re.findall(rb"/Type\s*/Page[^s]", path.read_bytes()))
        print(f"24 months, {name}: {pages} printed pages")
        check(0 < pages <= 20, f"24 months, {name}: {pages} printed pages")


BUDGET = """fiscal_year,region,type,sourcing,trips,cost
FY2025,,,,400,"$120,000.00"
2025,North,,,240,30000
2025,South,,contracted,150,45000.00
2031,,,,1,1
"""


def budget_export(path, costed=15):
    """October 2024 to March 2025: each month 20 trips of the North at $100, in-house, 15 of the South at $300, contracted, of
    which only the first `costed` have a cost. They are spread over the month, so that no month lacks days."""
    lines = ["trip_id,service_date,region,trip_type,hcpcs_modifiers,cost"]
    for month in ("2024-10", "2024-11", "2024-12", "2025-01", "2025-02", "2025-03"):
        for number in range(20):
            lines.append(f"N-{month}-{number},{month}-{1 + 27 * number // 19:02d},North,Routine,QN,100.00")
        for number in range(15):
            cost = "300.00" if number < costed else ""
            lines.append(f"S-{month}-{number},{month}-{1 + 27 * number // 14:02d},South,Routine,QM,{cost}")
    path.write_text("\n".join(lines) + "\n")


# By hand. Six of twelve months; per line: plan trips and cost to date, actual trips and cost, variance and per cent, volume,
# price, trips without a cost, forecast, forecast less plan and per cent.
# All: 400/2 = 200 trips, $120,000/2 = $60,000; 6 × 35 = 210 trips, 6 × (20 × $100 + 15 × $300) = $39,000; $39,000 - $60,000
# = -$21,000, that is -35 %; 10 trips more × $300 = $3,000; -$21,000 - $3,000 = -$24,000; $39,000 × 2 = $78,000; - $120,000
# = -$42,000.
# North: 120 trips, $15,000; 120 trips, $12,000; -$3,000 = -20 %; 0; -$3,000; $24,000; -$6,000.
# South, contracted: 75 trips, $22,500; 90 trips, $27,000; $4,500 = 20 %; 15 × $300 = $4,500; 0; $54,000; $9,000.
BY_HAND = {
    "All": [200, 60000, 210, 39000, -21000, -0.35, 3000, -24000, 0, 78000, -42000, -0.35],
    "North": [120, 15000, 120, 12000, -3000, -0.20, 0, -3000, 0, 24000, -6000, -0.20],
    "South": [75, 22500, 90, 27000, 4500, 0.20, 4500, 0, 0, 54000, 9000, 0.20],
}
BUDGET_TITLES = ["Plan trips to date", "Plan cost to date", "Actual trips", "Actual cost", "Variance", "Variance, per cent",
                 "Volume", "Price", "Trips without a cost", "Forecast cost", "Forecast less plan",
                 "Forecast less plan, per cent"]
# The same with 10 of the South's 15 trips a month that have a cost, and after the year: no forecast.
# All: 6 × (20 × $100 + 10 × $300) = $30,000; - $60,000 = -$30,000 = -50 %; 10 trips more × $300 = $3,000; 180 trips with a cost
# × $300 = $54,000, $30,000 - $54,000 = -$24,000; 30 trips without × -$300 = -$9,000.
# South: 90 trips, 60 with a cost, $18,000; - $22,500 = -$4,500 = -20 %; 15 × $300; $18,000 - 60 × $300 = 0; -30 × $300.
WITHOUT_COSTS = {
    "All": [200, 60000, 210, 30000, -30000, -0.50, 3000, -24000, -9000, "n/a", "n/a", "n/a"],
    "North": BY_HAND["North"][:9] + ["n/a"] * 3,
    "South": [75, 22500, 90, 18000, -4500, -0.20, 4500, 0, -9000, "n/a", "n/a", "n/a"],
}


def check_budget_without_costs(site):
    """Trips without a cost are no part of the price, and a year that has ended has no forecast."""
    budget_export(site.folder / "trips.csv", costed=10)
    (site.folder / "budget.csv").write_text(BUDGET)
    site.succeed("load", "trips.csv")
    for period in ((), ("--fiscal-year", "2025"), ("--month", "2025-03"), ("--month", "2024-11")):
        site.succeed("costs", "--internal", *period, "--budget", "budget.csv", "--output", "uncosted.xlsx")
        book = openpyxl.load_workbook(site.folder / "uncosted.xlsx", data_only=True)
        for row in table(book, "Budget"):
            shown, wanted = [row[title] for title in BUDGET_TITLES], list(WITHOUT_COSTS[row["Region"]])
            check(all(a == b or workbook_figures.close(a, b) for a, b in zip(shown, wanted)),
                  f"Budget without costs {period} {row['Region']}: {shown}, by hand {wanted}")
        above = totals(book, "Budget")
        parts = [cents(above[title]) for title in ("Volume", "Price", "Trips without a cost")]
        check(sum(parts) == cents(above["Variance"]) == -3000000, f"Budget without costs, total: {parts}")
        words = " ".join(texts(sheet_of(book, "Budget"), 20))
        check("FY2025 has ended: there is no forecast for it." in words, f"Budget {period}: no word of the year's end")
        check("30 of 210 trips in the actuals have no cost on record" in words, f"Budget {period}: trips without a cost")
        check("not known by sourcing" not in words, f"Budget {period}: price is n/a")
        recalculation.add(site.folder / "uncosted.xlsx", f"uncosted {period}")
    # Excel in many languages saves semicolons.
    (site.folder / "semicolons.csv").write_text(
        "\ufefffiscal_year;region;type;sourcing;trips;cost\r\nFY2025;;;;400;120000,00\r\n2025;North;;;240;30000\r\n"
        "2025;South;;contracted;150;45000,00\r\n2031;;;;1;1\r\n")
    site.succeed("costs", "--internal", "--budget", "budget.csv", "--output", "uncosted.xlsx")
    site.succeed("costs", "--internal", "--budget", "semicolons.csv", "--output", "semicolons.xlsx")
    check((site.folder / "uncosted.xlsx").read_bytes() == (site.folder / "semicolons.xlsx").read_bytes(),
          "Budget: with semicolons it is another")


def check_budget(site):
    budget_export(site.folder / "trips.csv")
    (site.folder / "budget.csv").write_text(BUDGET)
    site.succeed("load", "trips.csv")
    site.succeed("publish")
    summaries = {flag: json.loads(site.succeed("report", "--format", "json", *flag)[0]) for flag in ((), ("--release",))}
    for flags in ((), ("--release",)):
        name = f"budget{len(flags)}.xlsx"
        site.succeed("costs", *flags, "--budget", "budget.csv", "--output", name)
        book = openpyxl.load_workbook(site.folder / name, data_only=True)
        rows = table(book, "Budget")
        check([(r["Region"], r["Sourcing"], r["In the total"]) for r in rows] == [
            ("All", "All", "yes"), ("North", "All", "part"),
            ("South", "Contracted", "part")], f"Budget {flags}: {rows}")
        for row in rows:
            shown = [row[title] for title in BUDGET_TITLES]
            check(all(workbook_figures.close(a, b) for a, b in zip(shown, BY_HAND[row["Region"]])),
                  f"Budget {flags} {row['Region']}: {shown}, by hand {BY_HAND[row['Region']]}")
            check(row["Complete months"] == 6, f"Budget: {row['Complete months']} complete months")
        above = totals(book, "Budget")
        shown = [above[title] for title in BUDGET_TITLES]
        check(all(workbook_figures.close(a, b) for a, b in zip(shown, BY_HAND["All"])), f"Budget {flags}, total: {shown}")
        check_reconciled(book, summaries[flags], {"Budget"})
        words = " ".join(str(cell.value) for row in sheet_of(book, "Budget").iter_rows(max_row=20) for cell in row if cell.value)
        check("The last complete month is 2025-03" in words, f"Budget {flags}: the last month")
        check("1 line of the budget is left out" in words, f"Budget {flags}: the line of 2031")
        page = sheet_of(book, "Budget").page_setup
        check((page.fitToWidth or 1, page.fitToHeight in (None, 0, 1), int(page.paperSize)) == (1, True, 5), f"Budget {flags}: printed on {page}")
        recalculation.add(site.folder / name)
    # Only a part is planned: what happened beside it is shown, and both make up the year.
    (site.folder / "part.csv").write_text("fiscal_year,region,type,sourcing,trips,cost\n2025,North,,,,30000\n")
    site.succeed("costs", "--internal", "--budget", "part.csv", "--output", "part.xlsx", "--accessible")
    book = openpyxl.load_workbook(site.folder / "part.xlsx", data_only=True)
    rows = [{workbook_figures.plain_title(k): v for k, v in row.items()} for row in table(book, "Budget")]
    check([(r["In the total"], r["Actual trips"], r["Actual cost"]) for r in rows[1:]] == [
        ("yes", 120, 12000), ("other", 90, 27000)], f"Budget of a part: {rows}")
    check(rows[1]["Volume"] == "n/a", "Budget without trips: a volume")
    (site.folder / "bad.csv").write_text("fiscal_year,region,type,sourcing,trips,cost\n2025,Jane Doe,,,1,1\n2025,,,,x,1\n")
    code, _, messages = site.tripkpi("costs", "--budget", "bad.csv", "--output", "bad.xlsx")
    check(code == 65 and "line 2, column region" in messages and "line 3, column trips" in messages and "Jane" not in messages,
          f"a bad budget: {code} {messages}")
    check(not (site.folder / "bad.xlsx").exists(), "a bad budget: a workbook")
    code, _, _ = site.tripkpi("costs", "--budget", "missing.csv", "--output", "bad.xlsx")
    check(code == 66, f"a missing budget: {code}")
