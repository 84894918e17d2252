import CXLSXWriter

/// Charts and conditional formats.
extension XLSXFile {
    func insert(_ layout: ChartLayout, into sheet: Worksheet, named name: String) throws(WorkbookError) {
        let kind = layout.kind == .line ? LXW_CHART_LINE : LXW_CHART_COLUMN_STACKED
        guard let chart = workbook_add_chart(workbook, UInt8(kind.rawValue)) else {
            throw WorkbookError(.library, place: "chart of sheet \(name)", reason: "the chart could not be made")
        }
        draw(layout, on: chart, sheetName: layout.dataSheet ?? name)
        var options = lxw_chart_options()
        options.x_scale = 1.4
        options.y_scale = 1.25
        options.object_position = UInt8(LXW_OBJECT_MOVE_DONT_SIZE.rawValue)
        options.description = strings.pointer(to: layout.altText)
        let result = worksheet_insert_chart_opt(
            sheet, lxw_row_t(clamping: layout.row), lxw_col_t(clamping: layout.column), chart, &options)
        try check(result, "chart of sheet \(name)")
    }

    /// Series, axes, title and legend.
    private func draw(_ layout: ChartLayout, on chart: UnsafeMutablePointer<lxw_chart>, sheetName: String) {
        let first = lxw_row_t(clamping: layout.rows.lowerBound), last = lxw_row_t(clamping: layout.rows.upperBound - 1)
        let months = lxw_col_t(clamping: layout.categoryColumn)
        for series in layout.series {
            let column = lxw_col_t(clamping: series.column)
            guard let drawn = chart_add_series(chart, nil, nil) else { continue }
            chart_series_set_categories(drawn, sheetName, first, months, last, months)
            chart_series_set_values(drawn, sheetName, first, column, last, column)
            chart_series_set_name_range(
                drawn, sheetName, lxw_row_t(clamping: layout.headerRow), lxw_col_t(clamping: series.nameColumn))
            format(drawn, as: series, kind: layout.kind)
        }
        chart_title_set_name(chart, layout.title)
        var titleFont = lxw_chart_font()
        titleFont.size = 13
        titleFont.bold = 1
        chart_title_set_name_font(chart, &titleFont)
        chart_axis_set_name(chart.pointee.x_axis, "Month")
        chart_axis_set_name(chart.pointee.y_axis, layout.valueAxis)
        if layout.hasNegative {
            // Not across the columns below 0.
            chart_axis_set_label_position(chart.pointee.x_axis, UInt8(LXW_CHART_AXIS_LABEL_POSITION_LOW.rawValue))
        } else {
            chart_axis_set_min(chart.pointee.y_axis, 0)
        }
        chart_axis_set_num_format(chart.pointee.y_axis, layout.valueFormat)
        // A hidden month is a gap in the line, not a drop to 0.
        chart_show_blanks_as(chart, UInt8(LXW_CHART_BLANKS_AS_GAP.rawValue))
        let legend = layout.series.count > 1 ? LXW_CHART_LEGEND_BOTTOM : LXW_CHART_LEGEND_NONE
        chart_legend_set_position(chart, UInt8(legend.rawValue))
    }

    private func format(
        _ drawn: UnsafeMutablePointer<lxw_chart_series>, as series: ChartLayout.Series, kind: ChartLayout.Kind
    ) {
        var line = lxw_chart_line()
        line.color = series.color
        line.width = kind == .line ? 2.25 : 0.75
        chart_series_set_line(drawn, &line)
        var fill = lxw_chart_fill()
        fill.color = series.color
        if kind == .line {
            chart_series_set_marker_type(drawn, UInt8(LXW_CHART_MARKER_CIRCLE.rawValue))
            chart_series_set_marker_size(drawn, 6)
            chart_series_set_marker_fill(drawn, &fill)
            chart_series_set_marker_line(drawn, &line)
            return
        }
        guard series.pattern != .solid else { return chart_series_set_fill(drawn, &fill) }
        var pattern = lxw_chart_pattern()
        pattern.fg_color = series.color
        pattern.bg_color = 0xFFFFFF
        let isStriped = series.pattern == .striped
        pattern.type = UInt8(
            (isStriped ? LXW_CHART_PATTERN_WIDE_UPWARD_DIAGONAL : LXW_CHART_PATTERN_PERCENT_25).rawValue)
        chart_series_set_pattern(drawn, &pattern)
    }

    func mark(_ emphasis: Emphasis, on sheet: Worksheet, named name: String) throws(WorkbookError) {
        guard !emphasis.rows.isEmpty else { return }
        for var conditional in try conditionals(emphasis.kind) {
            let result = worksheet_conditional_format_range(
                sheet, lxw_row_t(clamping: emphasis.rows.lowerBound), lxw_col_t(clamping: emphasis.columns.lowerBound),
                lxw_row_t(clamping: emphasis.rows.upperBound - 1), lxw_col_t(clamping: emphasis.columns.upperBound),
                &conditional)
            try check(result, "conditional format of sheet \(name)")
        }
    }

    private func conditionals(_ kind: Emphasis.Kind) throws(WorkbookError) -> [lxw_conditional_format] {
        var conditional = lxw_conditional_format()
        switch kind {
        case .bars:
            conditional.type = UInt8(LXW_CONDITIONAL_DATA_BAR.rawValue)
            conditional.bar_color = 0x9DC3E6
            conditional.bar_solid = 1
            return [conditional]
        case .shades:
            conditional.type = UInt8(LXW_CONDITIONAL_2_COLOR_SCALE.rawValue)
            conditional.min_color = 0xFFFFFF
            conditional.max_color = 0xBDD7EE
            return [conditional]
        case .sign:
            conditional.type = UInt8(LXW_CONDITIONAL_TYPE_CELL.rawValue)
            conditional.criteria = UInt8(LXW_CONDITIONAL_CRITERIA_BETWEEN.rawValue)
            // A text such as "hidden" is above every number to a spreadsheet, so both ends are set.
            var fall = conditional
            conditional.min_value = 0.005
            conditional.max_value = 1e15
            conditional.format = try format(for: CellStyle(.rise))
            fall.min_value = -1e15
            fall.max_value = -0.005
            fall.format = try format(for: CellStyle(.fall))
            return [conditional, fall]
        }
    }
}
