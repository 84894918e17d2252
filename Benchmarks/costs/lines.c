// The plain program that `tripkpi costs --detail` is measured against: libxlsxwriter in constant memory writes the cells
// of a file with tabs, a line a row, to the same sheets with the same formats.
//
//   cc -O2 lines.c -o lines $(pkg-config --cflags --libs xlsxwriter) && ./lines cells.tsv lines.xlsx
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xlsxwriter.h>

enum { COLUMNS = 13, SHEET_ROWS = 1048576 };

static const char *titles[COLUMNS] = {
    "Trip", "Month", "Date", "Provider id", "Provider", "Contract", "Trip type", "Region", "Sourcing", "Cost",
    "Loaded miles", "Unloaded miles", "Review"};
static const double widths[COLUMNS] = {34, 9, 11, 13, 26, 16, 12, 12, 13, 12, 11, 11, 30};
static const char *stamp_text = "INTERNAL: contains small counts";

static lxw_format *format(lxw_workbook *book, const char *numbers)
{
    lxw_format *made = workbook_add_format(book);
    format_set_align(made, LXW_ALIGN_VERTICAL_CENTER);
    if (numbers) format_set_num_format(made, numbers);
    return made;
}

int main(int count, char **arguments)
{
    if (count != 3) return 64;
    FILE *cells = fopen(arguments[1], "r");
    if (!cells) return 66;
    lxw_workbook_options options = {.constant_memory = 1, .tmpdir = (char *)".", .use_zip64 = 1};
    lxw_workbook *book = workbook_new_opt(arguments[2], &options);
    lxw_format *stamp = format(book, NULL), *header = format(book, NULL);
    format_set_bold(stamp);
    format_set_font_color(stamp, 0x9C0006);
    format_set_bold(header);
    format_set_text_wrap(header);
    format_set_font_color(header, 0xFFFFFF);
    format_set_bg_color(header, 0x1F3864);
    format_set_align(header, LXW_ALIGN_LEFT);
    format_set_indent(header, 1);
    lxw_format *numbers[COLUMNS] = {0};
    numbers[2] = format(book, "yyyy-mm-dd");
    numbers[9] = format(book, "$#,##0.00");
    numbers[10] = numbers[11] = format(book, "#,##0.00");
    // Of a word in place of a number.
    lxw_format *word = format(book, NULL);
    format_set_align(word, LXW_ALIGN_RIGHT);
    format_set_italic(word);
    format_set_font_color(word, 0x595959);
    lxw_worksheet *sheet = NULL;
    lxw_row_t row = SHEET_ROWS;
    int sheets = 0;
    char *line = NULL, name[32];
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, cells)) > 0) {
        if (line[length - 1] == '\n') line[length - 1] = 0;
        if (row == SHEET_ROWS) {
            if (sheet) worksheet_autofilter(sheet, 1, 0, row - 1, COLUMNS - 1);
            snprintf(name, sizeof name, "Lines %d", ++sheets);
            sheet = workbook_add_worksheet(book, name);
            for (int column = 0; column < COLUMNS; column++)
                worksheet_set_column(sheet, column, column, widths[column], NULL);
            worksheet_freeze_panes(sheet, 2, 1);
            worksheet_set_landscape(sheet);
            worksheet_set_paper(sheet, 1);
            worksheet_fit_to_pages(sheet, 1, 0);
            worksheet_repeat_rows(sheet, 0, 1);
            worksheet_set_header(sheet, "&C&\"Calibri,Bold\"&12INTERNAL: contains small counts");
            worksheet_set_footer(sheet, "&L&8Cost lines&C&8Page &P of &N&R&8&A");
            worksheet_write_string(sheet, 0, 0, stamp_text, stamp);
            for (int column = 0; column < COLUMNS; column++)
                worksheet_write_string(sheet, 1, column, titles[column], header);
            row = 2;
        }
        char *rest = line, *cell;
        for (int column = 0; (cell = strsep(&rest, "\t")); column++) {
            if (!*cell) continue;
            char *end = cell;
            double number = numbers[column] ? strtod(cell, &end) : 0;
            if (!numbers[column])
                worksheet_write_string(sheet, row, column, cell, NULL);
            else if (*end)
                worksheet_write_string(sheet, row, column, cell, word);
            else
                worksheet_write_number(sheet, row, column, number, numbers[column]);
        }
        row++;
    }
    if (sheet) worksheet_autofilter(sheet, 1, 0, row - 1, COLUMNS - 1);
    return workbook_close(book) == LXW_NO_ERROR ? 0 : 74;
}
