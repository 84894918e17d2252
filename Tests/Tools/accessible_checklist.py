"""The checklist for accessible spreadsheets of the UK Analysis Function ("Making spreadsheets accessible: checklist of the
basics"), as far as a program can hold a workbook to it; spelling, wording and the contrast of colours are for people.
"""
import re
import warnings
import zipfile

import openpyxl

warnings.filterwarnings("ignore", module="openpyxl")


def lines(path, internal, book=None):
    """Each line of the checklist that a program can hold, and whether it does; `book`: as openpyxl has loaded it."""
    found = []
    book = book or openpyxl.load_workbook(path)
    sheets = list(book)
    data = sheets[1:]
    names = [table for sheet in sheets for table in sheet.tables]
    with zipfile.ZipFile(path) as archive:
        parts = {n: archive.read(n).decode() for n in archive.namelist() if n.endswith((".xml", ".rels"))}
    xml = [parts[n] for n in sorted(parts) if n.startswith("xl/worksheets/sheet")]
    tables = [parts[n] for n in sorted(parts) if n.startswith("xl/tables/")]

    def line(what, holds):
        found.append((what, holds))

    line("no filters", not any("<autoFilter" in part for part in tables + xml))
    line("no frozen panes", not any(sheet.freeze_panes for sheet in sheets))
    line("no background fill", 'patternType="solid"' not in parts["xl/styles.xml"])
    line("tables are marked up", all(len(sheet.tables) == 1 for sheet in data))
    if not found[-1][1]:
        return found
    line("tables have meaningful, unique names", len(set(names)) == len(names) and not any(
        re.match(r"Table\d*$", n) for n in names))
    line("no merged or split cells", not any(sheet.merged_cells.ranges for sheet in sheets))
    line("no blank cells, rows or columns in a table", all(
        cell.value not in (None, "") for sheet in data for row in sheet[table_of(sheet).ref] for cell in row))
    line("one header row, tagged, with unique titles", all(
        table_of(sheet).headerRowCount == 1 and len({c.value for c in header_of(sheet)}) == len(header_of(sheet))
        for sheet in data))
    line("text wraps", all(
        cell.alignment.wrap_text for sheet in data for row in sheet[table_of(sheet).ref] for cell in row
        if isinstance(cell.value, str) and len(cell.value) > 60))
    line("no hidden rows, columns or sheets", not any(
        sheet.sheet_state != "visible" or any(d.hidden for d in sheet.row_dimensions.values())
        or any(d.hidden for d in sheet.column_dimensions.values()) for sheet in sheets))
    line("columns are of a sensible width", all(
        8 <= d.width <= 101 for sheet in sheets for d in sheet.column_dimensions.values()))
    marks = {m for sheet in data for cell in header_of(sheet) for m in re.findall(r"\[(.*?)\]", str(cell.value))}
    notes = [row[0].value for sheet in sheets if sheet.title == "Notes"
             for row in sheet.iter_rows(min_row=table_top(sheet) + 1)]
    line("notes are marked [note N], in headers only", marks and all(re.fullmatch(r"note \d+", m) for m in marks)
         and not any("[note" in str(cell.value) for sheet in data
                     for row in list(sheet[table_of(sheet).ref])[1:] for cell in row))
    line("each note that is marked stands on the Notes sheet", marks <= set(notes))
    line("a descriptive title in A1, larger than the text", all(
        sheet["A1"].value and len(str(sheet["A1"].value)) > 10 and sheet["A1"].font.sz > 12 for sheet in sheets))
    line("no symbols for notes or superscripts", not any("vertAlign" in part for part in parts.values()))
    line("no print headers, footers, text boxes, images, charts", not any(
        "<headerFooter" in part or "<drawing" in part or "<legacyDrawing" in part for part in xml)
        and not any("media/" in n or "drawings/" in n or "charts/" in n for n in parts))
    line("no conditional formats, and no colour but the text's own", not any("<conditionalFormatting" in p for p in xml)
         and not any((cell.font.color is not None and cell.font.color.rgb not in ("FF000000", None)
                      and cell.font.color.type == "rgb")
                     for sheet in sheets for row in sheet.iter_rows() for cell in row))
    line("no macros", not any("vba" in n.lower() for n in parts))
    line("sheets have unique names, and none is blank", len({s.title for s in sheets}) == len(sheets) and all(
        sheet.max_row > 1 for sheet in sheets))
    line("tables stand at the left edge, right below their sentences", all(
        table_of(sheet).ref.startswith("A") and all(sheet.cell(row, 1).value for row in range(1, table_top(sheet)))
        for sheet in data))
    line("nothing below or beside a table", all(
        sheet.max_row == int(re.sub(r"\D", "", table_of(sheet).ref.split(":")[1]))
        and sheet.max_column == len(header_of(sheet)) for sheet in data))
    line("a cover sheet that names every other one", sheets[0].title == "Cover" and all(
        any(str(row[0].value).startswith(sheet.title + ":") for row in sheets[0].iter_rows()) for sheet in data))
    line("document information", book.properties.title and book.properties.subject)
    line("the cursor is in A1 of the first sheet", book.active.title == "Cover"
         and sheets[0].sheet_view.selection[0].activeCell in ("A1", None))
    stamped = [any("INTERNAL" in str(cell.value) for row in sheet.iter_rows(max_row=4) for cell in row) for sheet in sheets]
    line("the internal stamp", stamped == [internal] * len(sheets))
    return found


def table_of(sheet):
    return next(iter(sheet.tables.values()))


def header_of(sheet):
    return sheet[table_of(sheet).ref][0]


def table_top(sheet):
    return header_of(sheet)[0].row
