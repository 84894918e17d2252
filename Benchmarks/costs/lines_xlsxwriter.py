"""The same cells by Python's XlsxWriter in constant memory: lines_xlsxwriter.py cells.tsv lines.xlsx"""
import sys

import xlsxwriter

TITLES = ["Trip", "Month", "Date", "Provider id", "Provider", "Contract", "Trip type", "Region", "Sourcing", "Cost",
          "Loaded miles", "Unloaded miles", "Review"]
WIDTHS = [34, 9, 11, 13, 26, 16, 12, 12, 13, 12, 11, 11, 30]
STAMP = "INTERNAL: contains small counts"


def main(cells, path):
    book = xlsxwriter.Workbook(path, {"constant_memory": True, "tmpdir": ".", "use_zip64": True})
    middle = {"align": "vcenter"}
    stamp = book.add_format({**middle, "bold": True, "font_color": "#9C0006"})
    header = book.add_format({**middle, "bold": True, "text_wrap": True, "font_color": "#FFFFFF", "bg_color": "#1F3864",
                              "indent": 1})
    numbers = {column: book.add_format({**middle, "num_format": text}) for column, text in
               ((2, "yyyy-mm-dd"), (9, "$#,##0.00"), (10, "#,##0.00"), (11, "#,##0.00"))}
    # Of a word in place of a number.
    word = book.add_format({**middle, "align": "right", "italic": True, "font_color": "#595959"})
    sheet, row, count = None, 1_048_576, 0
    with open(cells, encoding="utf-8") as file:
        for line in file:
            if row == 1_048_576:
                count += 1
                sheet = book.add_worksheet(f"Lines {count}")
                for column, width in enumerate(WIDTHS):
                    sheet.set_column(column, column, width)
                sheet.freeze_panes(2, 1)
                sheet.write_string(0, 0, STAMP, stamp)
                for column, title in enumerate(TITLES):
                    sheet.write_string(1, column, title, header)
                row = 2
            for column, cell in enumerate(line.rstrip("\n").split("\t")):
                if not cell:
                    continue
                if column not in numbers:
                    sheet.write_string(row, column, cell)
                elif cell[-1].isdigit():
                    sheet.write_number(row, column, float(cell), numbers[column])
                else:
                    sheet.write_string(row, column, cell, word)
            row += 1
    book.close()


main(*sys.argv[1:])
