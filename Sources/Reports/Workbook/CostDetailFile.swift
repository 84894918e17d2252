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
/// libxlsxwriter keeps one row; the sheets lie unpacked beside the target until the file is closed. Tables are not to be
/// had this way, so each sheet has a filter instead.
package final class CostDetailFile {
    /// What a sheet can hold.
    package static let maximumRows = 1_048_576
    private static let firstLine = 2

    private static let columns: [(title: String, width: Double)] = [
        ("Trip", 34), ("Month", 9), ("Date", 11), ("Provider id", 13), ("Provider", 26), ("Contract", 16),
        ("Trip type", 12), ("Region", 12), ("Sourcing", 13), ("Cost", 12), ("Loaded miles", 11),
        ("Unloaded miles", 11), ("Look at twice", 30),
    ]

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

    package private(set) var lines = 0
    private let draft: WorkbookDraft
    private let rowsPerSheet: Int
    private let words: Words
    private let strings = CStringPool()
    private var workbook: UnsafeMutablePointer<lxw_workbook>?
    private var sheet: UnsafeMutablePointer<lxw_worksheet>?
    private var sheetCount = 0
    private var row: lxw_row_t = 0
    private var texts: [UnsafeMutablePointer<CChar>?] = []
    private var regions: [UnsafeMutablePointer<CChar>?] = []
    private var tripTypes: [UnsafeMutablePointer<CChar>?] = []
    private var sourcings: [UnsafeMutablePointer<CChar>?] = []
    private var flagTexts: [UnsafeMutablePointer<CChar>?] = []
    private var monthText: (month: Int32, text: UnsafeMutablePointer<CChar>?) = (.min, nil)
    private var id = [CChar](repeating: 0, count: PublicTripID.digitCount + 1)
    private let formats: Formats

    private struct Formats {
        let stamp: UnsafeMutablePointer<lxw_format>?
        let header: UnsafeMutablePointer<lxw_format>?
        let date: UnsafeMutablePointer<lxw_format>?
        let money: UnsafeMutablePointer<lxw_format>?
        let miles: UnsafeMutablePointer<lxw_format>?
    }

    /// - Parameters:
    ///   - createdAt: seconds since 1970, UTC.
    ///   - rowsPerSheet: less than a sheet can hold only in tests.
    package init(
        path: String, words: Words, createdAt: Int, rowsPerSheet: Int = CostDetailFile.maximumRows
    ) throws(WorkbookError) {
        draft = try WorkbookDraft(for: path)
        self.words = words
        self.rowsPerSheet = min(max(rowsPerSheet, Self.firstLine + 1), Self.maximumRows)
        var options = lxw_workbook_options(
            constant_memory: 1, tmpdir: strings.pointer(to: draft.folder), use_zip64: 1)
        let opened = workbook_new_opt(strings.pointer(to: draft.path), &options)
        guard let opened else {
            draft.discard()
            throw WorkbookError(.cannotCreate, place: path, reason: "out of memory")
        }
        formats = Self.formats(of: opened)
        workbook = opened
        prepareWords()
        do {
            try setProperties(createdAt)
            try beginSheet()
        } catch {
            abandon()
            throw error
        }
    }

    deinit { abandon() }

    private func abandon() {
        guard let open = workbook else { return }
        workbook = nil
        lxw_workbook_free(open)
        draft.discard()
    }

    /// Adds a trip.
    ///
    /// - Parameter trip: its texts are numbers of `words`.
    package func add(_ trip: CostTrip, id: PublicTripID?, flags: CostFlags) throws(WorkbookError) {
        if Int(row) == rowsPerSheet { try beginSheet() }
        if let id {
            write(id)
            try text(0, id: true)
        }
        if monthText.month != trip.month {
            monthText = (trip.month, strings.pointer(to: Month(index: trip.month).description))
        }
        try text(1, monthText.text)
        try number(2, Double(Int(trip.day) + 25_569), formats.date)
        try text(3, of: trip.providerID)
        try text(4, of: trip.providerName)
        try text(5, of: trip.contract)
        try text(6, Self.word(trip.tripType, tripTypes))
        try text(7, Self.word(trip.region, regions))
        try text(8, sourcings[Int(trip.sourcing.rawValue)])
        if let cost = trip.costCents { try number(9, Double(cost) / 100, formats.money) }
        if let miles = trip.loadedHundredths { try number(10, Double(miles) / 100, formats.miles) }
        if let miles = trip.unloadedHundredths { try number(11, Double(miles) / 100, formats.miles) }
        if !flags.isEmpty { try text(12, flagTexts[Int(flags.rawValue)]) }
        row += 1
        lines += 1
    }

    /// Ends the file and puts it in its place.
    ///
    /// - Parameter check: given the path of the finished draft; what it throws keeps the file back.
    package func finish(check: (String) throws -> Void = { _ in }) throws {
        endSheet()
        guard let open = workbook else { return }
        workbook = nil
        let result = workbook_close(open)
        guard result == LXW_NO_ERROR else {
            draft.discard()
            throw WorkbookError(.cannotWrite, place: draft.folder, reason: Self.reason(result))
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
        endSheet()
        sheetCount += 1
        guard let made = workbook_add_worksheet(workbook, "Lines \(sheetCount)") else {
            throw WorkbookError(.library, place: "sheet \(sheetCount)", reason: "the sheet could not be added")
        }
        sheet = made
        for (column, shape) in Self.columns.enumerated() {
            worksheet_set_column(made, lxw_col_t(column), lxw_col_t(column), shape.width, nil)
        }
        worksheet_freeze_panes(made, lxw_row_t(Self.firstLine), 1)
        worksheet_set_landscape(made)
        worksheet_set_paper(made, 1)
        worksheet_fit_to_pages(made, 1, 0)
        worksheet_repeat_rows(made, 0, 1)
        worksheet_set_header(made, "&C&\"Calibri,Bold\"&12\(SummaryReport.internalStamp)")
        worksheet_set_footer(made, "&L&8Cost lines&C&8Page &P of &N&R&8&A")
        row = 0
        try check(worksheet_write_string(made, 0, 0, SummaryReport.internalStamp, formats.stamp))
        row = 1
        for (column, shape) in Self.columns.enumerated() {
            try check(worksheet_write_string(made, 1, lxw_col_t(column), shape.title, formats.header))
        }
        row = lxw_row_t(Self.firstLine)
    }

    private func endSheet() {
        guard let sheet else { return }
        worksheet_autofilter(sheet, 1, 0, max(row, 2) - 1, lxw_col_t(Self.columns.count - 1))
        self.sheet = nil
    }

    // MARK: - Cells

    private func text(_ column: lxw_col_t, _ text: UnsafeMutablePointer<CChar>?) throws(WorkbookError) {
        guard let text else { return }
        try check(worksheet_write_string(sheet, row, column, text, nil))
    }

    private func text(_ column: lxw_col_t, of number: Int32) throws(WorkbookError) {
        try text(column, texts.indices.contains(Int(number)) ? texts[Int(number)] : nil)
    }

    private func text(_ column: lxw_col_t, id: Bool) throws(WorkbookError) {
        try check(self.id.withUnsafeBufferPointer { worksheet_write_string(sheet, row, column, $0.baseAddress, nil) })
    }

    private func number(
        _ column: lxw_col_t, _ number: Double, _ format: UnsafeMutablePointer<lxw_format>?
    ) throws(WorkbookError) {
        try check(worksheet_write_number(sheet, row, column, number, format))
    }

    @inline(__always)
    private func check(_ result: lxw_error) throws(WorkbookError) {
        guard result != LXW_NO_ERROR else { return }
        throw WorkbookError(.library, place: "line \(lines + 1)", reason: Self.reason(result))
    }

    private static func reason(_ error: lxw_error) -> String {
        lxw_strerror(error).map { String(cString: $0) } ?? "error \(error.rawValue)"
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
            strings.pointer(to: CostFlags(rawValue: flags).checks.map(\.title).joined(separator: "; "))
        }
    }

    private func setProperties(_ createdAt: Int) throws(WorkbookError) {
        var properties = lxw_doc_properties()
        properties.title = strings.pointer(to: "INTERNAL: ambulance trip cost lines")
        properties.subject = strings.pointer(to: "A line a trip, de-identified; not for release")
        properties.created = time_t(max(1, createdAt))
        try check(workbook_set_properties(workbook, &properties))
    }

    private static func formats(of workbook: UnsafeMutablePointer<lxw_workbook>) -> Formats {
        func made(_ style: CellStyle) -> UnsafeMutablePointer<lxw_format>? {
            guard let format = workbook_add_format(workbook) else { return nil }
            style.apply(to: format)
            return format
        }
        return Formats(
            stamp: made(CellStyle(.stamp)), header: made(CellStyle(.header)),
            date: made(CellStyle(.body, unit: .date)), money: made(CellStyle(.body, unit: .cents)),
            miles: made(CellStyle(.body, unit: .hundredthsOfMiles)))
    }
}
