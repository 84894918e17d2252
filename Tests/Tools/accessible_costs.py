"""Finance's workbooks for readers who hear them: each line of the checklist, and the figures of the usual ones."""
import openpyxl

import accessible_checklist
import workbook_figures
from workbook_formulas import recalculation

# Of the usual workbook alone: what a chart is drawn from, links, and what a formula is.
ONLY_USUAL = {"Contents", "ChartData"}


def check_all(site, export):
    """`--accessible` of what is released, of what is internal, of exports, and of the lines of each."""
    for name, arguments, internal in (
            ("released", ["--release"], False), ("month", ["--release", "--month", "2025-09"], False),
            ("inside", ["--detail", "lines-plain.xlsx"], True),
            ("exports", [export, "--detail", "export-lines-plain.xlsx"], True)):
        usual, plain = site.folder / f"{name}.xlsx", site.folder / f"{name}-plain.xlsx"
        check_list(site, plain, internal, "costs", "--output", plain.name, "--accessible", *arguments)
        check_figures(usual, plain)
        workbook_figures.check(recalculation.add(plain) == 0, f"{plain.name}: a formula")
    for name in ("lines", "export-lines"):
        check_list(site, site.folder / f"{name}-plain.xlsx", True)
    check_lines(site.folder / "lines.xlsx", site.folder / "lines-plain.xlsx")
    failed = {what for what, holds in accessible_checklist.lines(site.folder / "released.xlsx", False) if not holds}
    workbook_figures.check({"no filters", "no frozen panes", "no background fill"} <= failed,
                         f"the usual workbook fails only {failed} of the checklist")


def check_list(site, path, internal, *command):
    if command:
        site.succeed(*command)
    for what, holds in accessible_checklist.lines(path, internal):
        workbook_figures.check(holds, f"{path.name}: checklist: {what}")


def tables(path):
    """By name: the rows of each table, and the row above it."""
    found = {}
    for sheet in openpyxl.load_workbook(path, data_only=True):
        for name, each in ((each.name, each) for each in sheet.tables.values()):
            rows = sheet[each.ref]
            above = sheet[rows[0][0].row - 1]
            found[name] = [[cell.value for cell in row] for row in rows], [cell.value for cell in above]
    return found


def heard(value):
    """What stands in a cell that was empty, or a count of nothing."""
    return value if value not in (None, "") else ("n/a", "none")


def check_figures(usual, plain):
    """Cell by cell; the totals, which stand above a usual table, are the first line of the other."""
    mine, theirs = tables(plain), tables(usual)
    missing = set(theirs) - ONLY_USUAL - set(mine)
    workbook_figures.check(not missing, f"{plain.name}: no tables {missing}")
    for name, (rows, above) in theirs.items():
        if name in ONLY_USUAL or name not in mine:
            continue
        titles = [workbook_figures.plain_title(title) for title in mine[name][0][0]]
        lines = mine[name][0][1:]
        if name == "Terms":
            rows = [row for row in rows if row[0] != "Formulas"]
        if len(lines) == len(rows):
            check_totals(f"{plain.name} {name}", titles, lines.pop(0), rows[0], above)
        place = f"{plain.name} {name}"
        workbook_figures.check(len(lines) == len(rows) - 1, f"{place}: {len(lines)} lines, wanted {len(rows) - 1}")
        drawn = [title for title in rows[0] if title not in titles]
        workbook_figures.check(all(title.endswith("plotted") for title in drawn), f"{place}: no columns {drawn}")
        for line, row in zip(lines, rows[1:]):
            for title, value in zip(titles, line):
                if usual.stem == "exports" and title == "Trip":
                    continue  # Of exports the ids are new each time.
                check_cell(place, title, value, row[rows[0].index(title)])


def check_totals(place, titles, line, header, above):
    for title, value in zip(titles, line):
        total = above[header.index(title)]
        if isinstance(total, (int, float)):
            workbook_figures.check(workbook_figures.close(value, total), f"{place}: total of {title} is {value}, wanted {total}")
        else:
            workbook_figures.check(value in ("All", "hidden", "n/a"), f"{place}: total of {title} is {value}")


def check_cell(place, title, value, wanted):
    wanted = heard(wanted)
    same = value in wanted if isinstance(wanted, tuple) else value == wanted
    workbook_figures.check(same, f"{place}, {title}: {value!r}, wanted {wanted!r}")


def check_lines(usual, plain):
    book = openpyxl.load_workbook(usual, data_only=True)
    rows = [row for sheet in book for row in sheet.iter_rows(min_row=3, values_only=True)]
    lines = [line for name, (found, _) in tables(plain).items() if name.startswith("Lines") for line in found[1:]]
    workbook_figures.check(len(lines) == len(rows) > 1000, f"{plain.name}: {len(lines)} lines, wanted {len(rows)}")
    for line, row in zip(lines, rows):
        for number, (value, wanted) in enumerate(zip(line, row)):
            check_cell(plain.name, f"column {number}", value, wanted)
