package import Costs
internal import CXLSXWriter
package import Trips
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The line-level workbook: a row a trip, in constant memory, over as many sheets as it takes. Internal, and stamped so.
///
/// Enters: trips without identifiers, one at a time. Leaves: one `.xlsx`, written whole or not at all, mode 0600.
/// libxlsxwriter keeps one row; the sheets lie unpacked beside the target until the file is closed. Each sheet has a
/// filter, or, in the accessible form, is one marked-up table without empty cells, behind a cover and notes.
package final class CostDetailFile {
    /// What a sheet can hold.
    package static let maximumRows = 1_048_576

    static let columns: [(title: String, width: Double)] = [
        ("Trip", 34), ("Month", 9), ("Date", 11), ("Provider id", 13), ("Provider", 26), ("Contract", 16),
        ("Trip type", 12), ("Region", 12), ("Sourcing", 13), ("Cost", 12), ("Loaded miles", 11),
        ("Unloaded miles", 11), ("Look at twice", 30),
    ]

    private static let numberColumns: Set = [2, 9, 10, 11]

    /// The words of a workbook's lines, by number and code.
    package struct Words: Sendable {
        package var texts: [Int32: String]
        package var regions: NamedList
        package var tripTypes: NamedList

        package init(texts: [Int32: String], regions: NamedList, tripTypes: NamedList) {
            self.texts = texts
            self.regions = regions
            self.tripTypes = tripTypes
        }
    }

    /// How the file is made.
    package struct Form: Sendable {
        /// Seconds since 1970, UTC.
        package var createdAt: Int
        /// For readers who hear it, as in `WorkbookReport`.
        package var isAccessible: Bool
        /// Less than a sheet can hold only in tests.
        package var rowsPerSheet: Int

        package init(createdAt: Int, isAccessible: Bool = false, rowsPerSheet: Int = CostDetailFile.maximumRows) {
            self.createdAt = createdAt
            self.isAccessible = isAccessible
            self.rowsPerSheet = min(rowsPerSheet, CostDetailFile.maximumRows)
        }
    }

    package private(set) var lines = 0
    let isAccessible: Bool
    private let draft: WorkbookDraft
    private let rowsPerSheet: Int
    private let words: Words
    private let strings = CStringPool()
    private var file: XLSXFile?
    /// What goes before the lines and is written after them, when they are known.
    private var front: Front?
    private var sheet: UnsafeMutablePointer<lxw_worksheet>?
    private var sheetCount = 0
    private var row: lxw_row_t = 0
    private var firstLine: lxw_row_t = 0
    private var texts: [UnsafeMutablePointer<CChar>?] = []
    private var regions: [UnsafeMutablePointer<CChar>?] = []
    private var tripTypes: [UnsafeMutablePointer<CChar>?] = []
    private var sourcings: [UnsafeMutablePointer<CChar>?] = []
    private var flagTexts: [UnsafeMutablePointer<CChar>?] = []
    private var monthText: (month: Int32, text: UnsafeMutablePointer<CChar>?) = (.min, nil)
    private var id = [CChar](repeating: 0, count: PublicTripID.digitCount + 1)
    private let formats: Formats

    private struct Formats {
        let text: UnsafeMutablePointer<lxw_format>?
        let absent: UnsafeMutablePointer<lxw_format>?
        let date: UnsafeMutablePointer<lxw_format>?
        let money: UnsafeMutablePointer<lxw_format>?
        let miles: UnsafeMutablePointer<lxw_format>?
    }

    /// - Parameter path: a file that is there is replaced when the new one is complete.
    package init(path: String, words: Words, form: Form) throws(WorkbookError) {
        draft = try WorkbookDraft(for: path)
        self.words = words
        isAccessible = form.isAccessible
        rowsPerSheet = max(form.rowsPerSheet, (form.isAccessible ? Self.plainFirstLine : 2) + 1)
        do {
            let file = try XLSXFile(path: draft.path, temporaryFolder: draft.folder, isStreamed: true)
            self.file = file
            formats = try Self.formats(of: file, isPlain: form.isAccessible)
            try file.setProperties(
                title: "INTERNAL: ambulance trip cost lines", subject: "A line a trip, de-identified; not for release",
                createdAt: form.createdAt, custom: [])
        } catch {
            draft.discard()
            throw error
        }
        prepareWords()
        do {
            if isAccessible, let file { front = try Front(file) }
            try beginSheet()
        } catch {
            abandon()
            throw error
        }
    }

    deinit { abandon() }

    private func abandon() {
        guard file != nil else { return }
        file = nil
        draft.discard()
    }

    /// Adds a trip.
    ///
    /// - Parameter trip: its texts are numbers of `words`.
    package func add(_ trip: CostTrip, id: PublicTripID?, flags: CostFlags) throws(WorkbookError) {
        if Int(row) == rowsPerSheet { try beginSheet() }
        if let id { write(id) }
        try text(0, hasID: id != nil)
        if monthText.month != trip.month {
            monthText = (trip.month, strings.pointer(to: Month(index: trip.month).description))
        }
        try text(1, monthText.text)
        try number(2, of: Int(trip.day), .date, formats.date)
        try text(3, of: trip.providerID)
        try text(4, of: trip.providerName)
        try text(5, of: trip.contract)
        try text(6, Self.word(trip.tripType, tripTypes))
        try text(7, Self.word(trip.region, regions))
        try text(8, sourcings[Int(trip.sourcing.rawValue)])
        try number(9, of: trip.costCents, .cents, formats.money)
        try number(10, of: trip.loadedHundredths, .hundredthsOfMiles, formats.miles)
        try number(11, of: trip.unloadedHundredths, .hundredthsOfMiles, formats.miles)
        try text(12, flagTexts[Int(flags.rawValue)])
        row += 1
        lines += 1
    }

    /// Ends the file and puts it in its place.
    ///
    /// - Parameter check: given the path of the finished draft; what it throws keeps the file back.
    package func finish(check: (String) throws -> Void = { _ in }) throws {
        guard let file else { return }
        do {
            try endSheet()
            try front?.fill(file, sheets: sheetCount, lines: lines)
            self.file = nil
            try file.close()
        } catch {
            draft.discard()
            throw error
        }
        do {
            try check(draft.path)
            try draft.publish()
        } catch {
            draft.discard()
            throw error
        }
    }

    // MARK: - Sheets

    private func beginSheet() throws(WorkbookError) {
        try endSheet()
        guard let file else { return }
        sheetCount += 1
        let made = try file.begin("Lines \(sheetCount)")
        sheet = made
        for (column, shape) in Self.columns.enumerated() {
            worksheet_set_column(made, lxw_col_t(column), lxw_col_t(column), shape.width, nil)
        }
        worksheet_set_landscape(made)
        worksheet_set_paper(made, 1)
        worksheet_fit_to_pages(made, 1, 0)
        row = 0
        if isAccessible {
            try head(plainHeads(sheetCount), headers: Self.plainHeaders, of: file)
        } else {
            worksheet_set_header(made, XLSXFile.printedStamp)
            worksheet_set_footer(made, "&L&8Cost lines&C&8Page &P of &N&R&8&A")
            try head([(SummaryReport.internalStamp, .stamp)], headers: Self.columns.map(\.title), of: file)
            worksheet_freeze_panes(made, row, 1)
        }
        worksheet_repeat_rows(made, 0, row - 1)
        firstLine = row
    }

    /// What stands above the lines, and their header.
    private func head(
        _ heads: [(text: String, role: CellStyle.Role)], headers: [String], of file: XLSXFile
    ) throws(WorkbookError) {
        for head in heads {
            try check(worksheet_write_string(sheet, row, 0, head.text, file.format(for: CellStyle(head.role))))
            row += 1
        }
        // The header wraps, and not every reader fits heights to wrapped text.
        if isAccessible { try check(worksheet_set_row(sheet, row, 30, nil)) }
        for (column, title) in headers.enumerated() {
            let plain: CellStyle.Role = Self.numberColumns.contains(column) ? .plainNumberHeader : .plainHeader
            let format = try file.format(for: CellStyle(isAccessible ? plain : .header))
            try check(worksheet_write_string(sheet, row, lxw_col_t(column), title, format))
        }
        row += 1
    }

    private func endSheet() throws(WorkbookError) {
        guard let sheet, let file else { return }
        self.sheet = nil
        guard isAccessible else {
            worksheet_autofilter(sheet, 1, 0, max(row, 2) - 1, lxw_col_t(Self.columns.count - 1))
            return
        }
        // A table has a line at least.
        guard row > firstLine else { return }
        let table = SheetLayout.Table(
            name: "Lines\(sheetCount)", headerRow: Int(firstLine) - 1, headers: Self.plainHeaders,
            rowCount: Int(row - firstLine))
        try file.add(table, toStreamed: sheet, named: "Lines \(sheetCount)")
    }

    // MARK: - Cells

    private func text(_ column: lxw_col_t, _ text: UnsafeMutablePointer<CChar>?) throws(WorkbookError) {
        guard let text else { return try isAccessible ? absence(column, "none", formats.text) : () }
        try check(worksheet_write_string(sheet, row, column, text, formats.text))
    }

    private func text(_ column: lxw_col_t, of number: Int32) throws(WorkbookError) {
        try text(column, texts.indices.contains(Int(number)) ? texts[Int(number)] : nil)
    }

    /// The id that was written last.
    private func text(_ column: lxw_col_t, hasID: Bool) throws(WorkbookError) {
        guard hasID else { return try text(column, nil) }
        try check(
            id.withUnsafeBufferPointer { worksheet_write_string(sheet, row, column, $0.baseAddress, formats.text) })
    }

    private func number(
        _ column: lxw_col_t, of whole: Int?, _ unit: Figure.Unit, _ format: UnsafeMutablePointer<lxw_format>?
    ) throws(WorkbookError) {
        guard let number = whole.flatMap({ Figure.value($0, unit).number }) else {
            return try isAccessible ? absence(column, "n/a", formats.absent) : ()
        }
        try check(worksheet_write_number(sheet, row, column, number, format))
    }

    /// No cell of a table that is heard may be empty.
    private func absence(
        _ column: lxw_col_t, _ word: String, _ format: UnsafeMutablePointer<lxw_format>?
    ) throws(WorkbookError) {
        try check(worksheet_write_string(sheet, row, column, word, format))
    }

    @inline(__always)
    private func check(_ result: lxw_error) throws(WorkbookError) {
        guard result != LXW_NO_ERROR else { return }
        try file?.check(result, "line \(lines + 1)")
    }

    private static func word(
        _ code: UInt8, _ words: [UnsafeMutablePointer<CChar>?]
    ) -> UnsafeMutablePointer<CChar>? {
        words.indices.contains(Int(code)) ? words[Int(code)] : words.first ?? nil
    }

    private func write(_ id: PublicTripID) {
        for digit in 0..<PublicTripID.digitCount {
            let word = digit < 16 ? id.high : id.low
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digit & 15))) & 15
            self.id[digit] = CChar(bitPattern: nibble < 10 ? nibble + 0x30 : nibble + 0x57)
        }
    }

    /// C copies of all words, once; what a spreadsheet could take for a formula is made harmless.
    private func prepareWords() {
        let last = words.texts.keys.max() ?? 0
        texts = Array(repeating: nil, count: Int(last) + 1)
        for (number, text) in words.texts where number > 0 && !text.isEmpty {
            texts[Int(number)] = strings.pointer(to: CSVText.harmless(text))
        }
        regions = words.regions.names.map { strings.pointer(to: CSVText.harmless($0)) }
        tripTypes = words.tripTypes.names.map { strings.pointer(to: CSVText.harmless($0)) }
        sourcings = Sourcing.allCases.map { strings.pointer(to: CostLedger.word($0)) }
        flagTexts = (UInt8.min...63).map { flags in
            guard flags != 0 else { return nil }
            return strings.pointer(to: CostFlags(rawValue: flags).checks.map(\.title).joined(separator: "; "))
        }
    }

    private static func formats(of file: XLSXFile, isPlain: Bool) throws(WorkbookError) -> Formats {
        let figure: CellStyle.Role = isPlain ? .plainFigure : .body
        return Formats(
            text: isPlain ? try file.format(for: CellStyle(.plain)) : nil,
            absent: isPlain
                ? try file.format(for: CellStyle(.plainFigure, absence: CellStyle.Absence.none)) : nil,
            date: try file.format(for: CellStyle(figure, unit: .date)),
            money: try file.format(for: CellStyle(figure, unit: .cents)),
            miles: try file.format(for: CellStyle(figure, unit: .hundredthsOfMiles)))
    }
}
