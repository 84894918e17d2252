import CXLSXWriter

/// Charts.
extension XLSXFile {
    func insert(_ layout: ChartLayout, into sheet: Worksheet, named name: String) throws(WorkbookError) {
        let kind = layout.kind == .line ? LXW_CHART_LINE : LXW_CHART_COLUMN_STACKED
        guard let chart = workbook_add_chart(workbook, UInt8(kind.rawValue)) else {
            throw WorkbookError(.library, place: "chart of sheet \(name)", reason: "the chart could not be made")
        }
        try draw(layout, on: chart)
        var options = lxw_chart_options()
        options.x_scale = Double(ChartLayout.width) / 480
        options.y_scale = Double(ChartLayout.height) / 288
        options.object_position = UInt8(LXW_OBJECT_MOVE_DONT_SIZE.rawValue)
        options.description = strings.pointer(to: layout.altText)
        let result = worksheet_insert_chart_opt(
            sheet, lxw_row_t(clamping: layout.row), lxw_col_t(clamping: layout.column), chart, &options)
        try check(result, "chart of sheet \(name)")
    }

    /// Series, axes, title and legend.
    private func draw(_ layout: ChartLayout, on chart: UnsafeMutablePointer<lxw_chart>) throws(WorkbookError) {
        let first = lxw_row_t(clamping: layout.rows.lowerBound), last = lxw_row_t(clamping: layout.rows.upperBound - 1)
        let months = lxw_col_t(clamping: layout.categoryColumn)
        for series in layout.series {
            let column = lxw_col_t(clamping: series.column)
            guard let drawn = chart_add_series(chart, nil, nil) else { continue }
            chart_series_set_categories(drawn, layout.dataSheet, first, months, last, months)
            chart_series_set_values(drawn, layout.dataSheet, first, column, last, column)
            chart_series_set_name(drawn, series.name)
            format(drawn, as: series, kind: layout.kind)
            try hollow(drawn, layout, series)
        }
        chart_title_set_name(chart, layout.title)
        var titleFont = lxw_chart_font()
        titleFont.size = 13
        titleFont.bold = 1
        chart_title_set_name_font(chart, &titleFont)
        chart_axis_set_name(chart.pointee.x_axis, "Month")
        chart_axis_set_name(chart.pointee.y_axis, layout.valueAxis)
        if let start = layout.axisStart {
            chart_axis_set_min(chart.pointee.y_axis, start)
        } else {
            // Not across the columns below 0.
            chart_axis_set_label_position(chart.pointee.x_axis, UInt8(LXW_CHART_AXIS_LABEL_POSITION_LOW.rawValue))
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

    /// Points of a line that are not to be compared with the others: a ring in place of a disc.
    private func hollow(
        _ drawn: UnsafeMutablePointer<lxw_chart_series>, _ layout: ChartLayout, _ series: ChartLayout.Series
    ) throws(WorkbookError) {
        guard !layout.hollowRows.isEmpty else { return }
        var line = lxw_chart_line()
        line.color = series.color
        line.width = 1.5
        var fill = lxw_chart_fill()
        fill.color = 0xFFFFFF
        let result = withUnsafeMutablePointer(to: &line) { line in
            withUnsafeMutablePointer(to: &fill) { fill in
                var ring = lxw_chart_point()
                ring.line = line
                ring.fill = fill
                return withUnsafeMutablePointer(to: &ring) { ring in
                    // A point that is nil is as the series; the list is ended with nil, so it goes to the last ring.
                    var plain = lxw_chart_point()
                    return withUnsafeMutablePointer(to: &plain) { plain in
                        let lastRow = layout.hollowRows.max() ?? 0
                        var points: [UnsafeMutablePointer<lxw_chart_point>?] = (layout.rows.lowerBound...lastRow).map {
                            layout.hollowRows.contains($0) ? ring : plain
                        }
                        points.append(nil)
                        return chart_series_set_points(drawn, &points)
                    }
                }
            }
        }
        try check(result, "points of the chart \(layout.title)")
    }
}
