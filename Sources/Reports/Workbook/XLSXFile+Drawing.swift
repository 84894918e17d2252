internal import CXLSXWriter

extension CellStyle {
    /// Sets up a fresh libxlsxwriter format for this style.
    func apply(to format: UnsafeMutablePointer<lxw_format>) {
        format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_CENTER.rawValue))
        applyRole(to: format)
        if let unit { format_set_num_format(format, unit.format(mark: mark)) }
        guard let absence else { return }
        format_set_align(format, UInt8(LXW_ALIGN_RIGHT.rawValue))
        guard role != .plainFigure else { return }
        format_set_italic(format)
        format_set_font_color(format, 0x595959)
        // A shade of its own: hidden is not the same as "n/a".
        if absence == .hidden { format_set_bg_color(format, 0xE7E6E6) }
    }

    private func applyRole(to format: UnsafeMutablePointer<lxw_format>) {
        switch role {
        case .title:
            format_set_bold(format)
            format_set_font_size(format, 16)
            format_set_font_color(format, 0x1F3864)
        case .notice, .note:
            format_set_font_color(format, 0x404040)
        case .stamp:
            format_set_bold(format)
            format_set_font_color(format, 0x9C0006)
        case .heading:
            format_set_bold(format)
            format_set_font_size(format, 12)
            format_set_font_color(format, 0x1F3864)
        case .header, .numberHeader:
            applyHeader(to: format)
        case .label:
            format_set_bold(format)
        case .plainTitle:
            format_set_bold(format)
            format_set_font_size(format, 16)
        case .plainHeader, .plainNumberHeader:
            format_set_bold(format)
            format_set_text_wrap(format)
            let side = role == .plainHeader ? LXW_ALIGN_LEFT : LXW_ALIGN_RIGHT
            format_set_align(format, UInt8(side.rawValue))
            // Text keeps off the number beside it.
            if role == .plainHeader { format_set_indent(format, 1) }
        case .plain:
            format_set_text_wrap(format)
            format_set_indent(format, 1)
            format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue))
        case .plainFigure:
            format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue))
        case .day:
            format_set_align(format, UInt8(LXW_ALIGN_LEFT.rawValue))
            format_set_indent(format, 1)
        case .link:
            format_set_font_color(format, 0x0563C1)
            format_set_underline(format, UInt8(LXW_UNDERLINE_SINGLE.rawValue))
        case .rise:
            format_set_font_color(format, 0x9C0006)
            format_set_bg_color(format, 0xFFE5E5)
        case .fall:
            format_set_font_color(format, 0x0B5A0B)
            format_set_bg_color(format, 0xE2F0D9)
        case .figureLabel:
            applyFigureLabel(to: format)
        case .body:
            // Text keeps off the number beside it.
            if unit == nil && absence == nil { format_set_indent(format, 1) }
        case .wrapped:
            format_set_text_wrap(format)
            format_set_indent(format, 1)
            format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue))
        case .total:
            format_set_bold(format)
            format_set_bg_color(format, 0xDDEBF7)
            if unit == nil && absence == nil { format_set_indent(format, 1) }
            format_set_top(format, UInt8(LXW_BORDER_THIN.rawValue))
        case .figure:
            format_set_bold(format)
            format_set_font_size(format, 14)
        }
    }

    private func applyFigureLabel(to format: UnsafeMutablePointer<lxw_format>) {
        format_set_bold(format)
        format_set_font_color(format, 0x404040)
        format_set_text_wrap(format)
        format_set_align(format, UInt8(LXW_ALIGN_RIGHT.rawValue))
    }

    private func applyHeader(to format: UnsafeMutablePointer<lxw_format>) {
        format_set_bold(format)
        format_set_text_wrap(format)
        format_set_font_color(format, 0xFFFFFF)
        format_set_bg_color(format, 0x1F3864)
        // Over its column's text or numbers, and clear of the filter button at the right.
        let side = role == .header ? LXW_ALIGN_LEFT : LXW_ALIGN_RIGHT
        format_set_align(format, UInt8(side.rawValue))
        format_set_indent(format, role == .header ? 1 : 2)
    }
}

extension XLSXFile {
    /// Series, axes, title and legend.
    func draw(_ layout: ChartLayout, on chart: UnsafeMutablePointer<lxw_chart>, sheetName own: String) {
        let sheetName = layout.dataSheet ?? own
        let first = lxw_row_t(clamping: layout.rows.lowerBound), last = lxw_row_t(clamping: layout.rows.upperBound - 1)
        let months = lxw_col_t(clamping: layout.categoryColumn)
        for series in layout.series {
            let column = lxw_col_t(clamping: series.column)
            guard let drawn = chart_add_series(chart, nil, nil) else { continue }
            chart_series_set_categories(drawn, sheetName, first, months, last, months)
            chart_series_set_values(drawn, sheetName, first, column, last, column)
            chart_series_set_name_range(
                drawn, sheetName, lxw_row_t(clamping: layout.headerRow), lxw_col_t(clamping: series.nameColumn))
            style(drawn, as: series, kind: layout.kind)
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

    private func style(
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
        guard series.look != .solid else { return chart_series_set_fill(drawn, &fill) }
        var pattern = lxw_chart_pattern()
        pattern.fg_color = series.color
        pattern.bg_color = 0xFFFFFF
        let look = series.look == .striped ? LXW_CHART_PATTERN_WIDE_UPWARD_DIAGONAL : LXW_CHART_PATTERN_PERCENT_25
        pattern.type = UInt8(look.rawValue)
        chart_series_set_pattern(drawn, &pattern)
    }
}
