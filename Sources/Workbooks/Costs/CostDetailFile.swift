package import Basics
import Files
package import KPIs
import Reports
package import Trips

/// The line-level workbook: a row a trip, in constant memory, over as many sheets as it takes. Internal, and stamped so.
///
/// Enters: trips without identifiers, one at a time. Leaves: one `.xlsx`, written whole or not at all, mode 0600.
/// libxlsxwriter keeps one row; the sheets lie unpacked beside the target until the file is closed. Each sheet has a
/// filter, or, in the accessible style, is one marked-up table without empty cells, behind a cover and notes.
package final class CostDetailFile {
    /// What a sheet can hold.
    package static let maximumRows = 1_048_576

    private struct Column {
        var title: String
        var width: Double
        /// Of its numbers; nil: it holds text.
        var unit: ValueUnit?
        var note: Note?
    }

    private static let columns = [
        Column(title: "Trip", width: 34, note: .trip), Column(title: "Month", width: 9),
        Column(title: "Date", width: 11, unit: .date), Column(title: "Provider id", width: 13),
        Column(title: "Provider", width: 26), Column(title: "Contract", width: 16),
        Column(title: "Trip type", width: 12), Column(title: "Region", width: 12),
        Column(title: "Sourcing", width: 13), Column(title: "Cost", width: 12, unit: .cents, note: .cost),
        Column(title: "Loaded miles", width: 11, unit: .hundredthsOfMiles),
        Column(title: "Unloaded miles", width: 11, unit: .hundredthsOfMiles),
        Column(title: "Review", width: 30, note: .flags),
    ]

    private enum Note: Int, CaseIterable, SheetNote {
        case none = 1, trip, cost, flags

        var words: (subject: String, text: String) {
            switch self {
            case .none:
                (
                    "The words none and n/a",
                    "None: the text is not known. The letters n/a: the number is not known, which is not a number of 0."
                )
            case .trip:
                (
                    "Trip",
                    "A completed trip: one unit, one leg. The public id is random and says nothing of the trip; of the store it "
                        + "stays the same from run to run, of exports it is new each time."
                )
            case .cost:
                (
                    "Cost",
                    "What was paid or is payable, exact to the cent; never an estimate. \(WorkbookReport.notLikeForLike)"
                )
            case .flags:
                (
                    "Review",
                    "What the checks of the cost workbook say of the trip. \(CostWorkbook.checksText)"
                )
            }
        }
    }

    /// How the file is made.
    package struct Form: Sendable {
        /// Seconds since 1970, UTC.
        package var createdAt: UTCTime
        package var style: WorkbookStyle
        /// Less than a sheet can hold only in tests.
        package var rowsPerSheet: Int

        package init(
            createdAt: UTCTime, style: WorkbookStyle = .standard, rowsPerSheet: Int = CostDetailFile.maximumRows
        ) {
            self.createdAt = createdAt
            self.style = style
            self.rowsPerSheet = min(rowsPerSheet, CostDetailFile.maximumRows)
        }
    }

    /// What the cells of a line are made of, made ready once.
    private struct Preparation {
        var texts: [PreparedText?]
        var regions: [PreparedText?]
        var tripTypes: [PreparedText?]
        var sourcings: [PreparedText?]
        /// By the raw value of the flags.
        var flags: [PreparedText?]
        var textFormat = PreparedFormat.standard
        /// In place of a cost that is not known.
        var unknownCost: PreparedText?
        var unknownFormat = PreparedFormat.standard
        /// By column.
        var formats: [PreparedFormat]
        /// In the accessible style no cell is empty.
        var missing: (text: PreparedText, number: PreparedText, numberFormat: PreparedFormat)?

        init(_ words: CostWords, _ style: WorkbookStyle, in file: XLSXFile) throws(WorkbookError) {
            texts = Array(repeating: nil, count: Int(words.texts.keys.max() ?? 0) + 1)
            for (number, text) in words.texts where number > 0 && !text.isEmpty {
                texts[Int(number)] = file.prepare(text)
            }
            regions = words.regions.names.map { file.prepare($0) }
            tripTypes = words.tripTypes.names.map { file.prepare($0) }
            sourcings = Sourcing.allCases.map { file.prepare(CostWords.word($0)) }
            flags = (UInt8.min...63).map { flags in
                guard flags != 0 else { return nil }
                return file.prepare(CostFlags(rawValue: flags).checks.map(\.title).joined(separator: "; "))
            }
            formats = []
            let number: CellStyle.Role = style == .accessible ? .plainNumber : .body
            for column in CostDetailFile.columns {
                guard let unit = column.unit else {
                    formats.append(.standard)
                    continue
                }
                formats.append(try file.prepare(CellStyle(number, format: unit.cellFormat())))
            }
            unknownCost = file.prepare(ShownValue.costUnknown().word ?? "")
            unknownFormat = try file.prepare(CellStyle(number, absence: .notApplicable))
            guard style == .accessible, let none = file.prepare("none"), let absent = file.prepare("n/a") else {
                return
            }
            textFormat = try file.prepare(CellStyle(.plain))
            missing = (none, absent, try file.prepare(CellStyle(.plainNumber, absence: .notApplicable)))
        }
    }

    package private(set) var lines = 0
    private let style: WorkbookStyle
    /// Nil: published, or given up.
    private var draft: AtomicFile?
    private let rowsPerSheet: Int
    private let prepared: Preparation
    /// Nil: finished, or given up.
    private var file: XLSXFile?
    /// The accessible style: the first sheets, which are filled when it is known how many come after.
    private var front: (cover: XLSXFile.EmptySheet, notes: XLSXFile.EmptySheet)?
    private var sheet: StreamedSheet?
    private var sheetCount = 0
    private var row = 0
    private var firstLine = 0
    private var monthText: (month: Int32, text: PreparedText?) = (.min, nil)
    /// The digits of the id that was written last, ended with a 0.
    private var id = [CChar](repeating: 0, count: PublicTripID.digitCount + 1)

    private static let frame = SheetFrame(
        title: "INTERNAL: ambulance trip cost lines", isInternal: true, promise: SummaryReport.internalStamp,
        style: .accessible)

    /// - Parameter path: a file that is there is replaced when the new one is complete.
    package init(path: String, words: CostWords, form: Form) throws {
        style = form.style
        // The title, the lines below it and the header leave room for a trip.
        rowsPerSheet = max(form.rowsPerSheet, (form.style == .accessible ? 4 : 2) + 1)
        let draft = try AtomicFile(output: path)
        let file = try XLSXFile(draft, isStreamed: true)
        prepared = try Preparation(words, form.style, in: file)
        self.file = file
        self.draft = consume draft
        try file.setProperties(
            title: Self.frame.title, subject: "A line a trip, de-identified; not for release",
            createdAt: form.createdAt)
        if form.style == .accessible { front = (try file.begin("Cover"), try file.begin("Notes")) }
        try beginSheet()
    }

    /// Adds a trip.
    ///
    /// - Parameter trip: its texts are numbers of `words`.
    package func add(_ trip: CostTrip, id: PublicTripID?, flags: CostFlags) throws(WorkbookError) {
        if row == rowsPerSheet { try beginSheet() }
        guard let sheet else { return }
        if let id {
            setDigits(of: id)
            try sheet.write(self.id, prepared.textFormat, row: row, column: 0)
        } else {
            try write(nil, 0)
        }
        if monthText.month != trip.month {
            monthText = (trip.month, file?.prepare(Month(index: trip.month).description))
        }
        try write(monthText.text, 1)
        try write(Int(trip.day), .date, 2)
        try write(text(trip.providerID), 3)
        try write(text(trip.providerName), 4)
        try write(text(trip.contract), 5)
        try write(Self.word(trip.tripType, prepared.tripTypes), 6)
        try write(Self.word(trip.region, prepared.regions), 7)
        try write(prepared.sourcings[Int(trip.sourcing.rawValue)], 8)
        if trip.costCents == nil {
            if let text = prepared.unknownCost {
                try sheet.write(text, prepared.unknownFormat, row: row, column: 9)
            }
        } else {
            try write(trip.costCents, .cents, 9)
        }
        try write(trip.loadedHundredths, .hundredthsOfMiles, 10)
        try write(trip.unloadedHundredths, .hundredthsOfMiles, 11)
        try write(prepared.flags[Int(flags.rawValue)], 12)
        row += 1
        lines += 1
    }

    /// Ends the file and moves it to its path.
    ///
    /// - Parameter check: given the path of the finished draft; if it throws, the file is discarded.
    package func finish(check: (String) throws -> Void = { _ in }) throws {
        guard let file else { return }
        defer { self.file = nil }
        guard let draft = draft.take() else { return }
        try endSheet()
        try fillFront(of: file)
        try file.close()
        try check(draft.part)
        try draft.publish()
    }

    // MARK: - Sheets

    private static func title(_ number: Int) -> String { "Costs, a line a trip, part \(number)" }

    private func beginSheet() throws(WorkbookError) {
        try endSheet()
        guard let file else { return }
        sheetCount += 1
        let made = try StreamedSheet("Lines \(sheetCount)", widths: Self.columns.map(\.width), in: file)
        sheet = made
        row = 0
        switch style {
        case .standard:
            made.setPrinted(stamp: SummaryReport.internalStamp, footer: "&L&8Cost lines&C&8Page &P of &N&R&8&A")
            try begin(made, [(SummaryReport.internalStamp, .stamp)])
            made.freeze(rows: row, columns: 1)
        case .accessible:
            try begin(
                made,
                [(Self.title(sheetCount), .plainTitle)] + Self.frame.lines(Note.allCases).map { ($0, .plainNumber) })
        }
        made.repeatRows(row)
        firstLine = row
    }

    /// What is above the lines, and their header.
    private func begin(
        _ sheet: StreamedSheet, _ heads: [(text: String, role: CellStyle.Role)]
    ) throws(WorkbookError) {
        for head in heads {
            try sheet.write(head.text, CellStyle(head.role), row: row, column: 0)
            row += 1
        }
        // The header wraps, and not every reader fits heights to wrapped text.
        if style == .accessible { try sheet.setHeight(row, 30) }
        for (column, title) in headers.enumerated() {
            let plain: CellStyle.Role = Self.columns[column].unit == nil ? .plainHeader : .plainNumberHeader
            try sheet.write(title, CellStyle(style == .accessible ? plain : .header), row: row, column: column)
        }
        row += 1
    }

    private var headers: [String] {
        Self.columns.map { column in
            guard style == .accessible, let note = column.note else { return column.title }
            return "\(column.title) \(note.mark)"
        }
    }

    private func endSheet() throws(WorkbookError) {
        guard let sheet else { return }
        self.sheet = nil
        switch style {
        case .standard: sheet.filter(1...(max(row, 2) - 1), columns: Self.columns.count)
        case .accessible:
            // A table has a line at least.
            guard row > firstLine else { return }
            try sheet.add(
                SheetLayout.MarkedTable(
                    name: "Lines\(sheetCount)", headerRow: firstLine - 1, headers: headers, rowCount: row - firstLine,
                    isPlain: true))
        }
    }

    private func fillFront(of file: XLSXFile) throws(WorkbookError) {
        guard let front else { return }
        let notes = Self.frame.notes(Note.allCases.map { ($0, $0.words.subject, $0.words.text) })
        let parts = (1...max(1, sheetCount)).map { SheetContent(name: "Lines \($0)", title: Self.title($0)) }
        let cover = Self.frame.accessibleCover(of: [notes] + parts, facts: ["Trips: \(lines)."])
        try file.add(Self.frame.layout(cover), at: front.cover, stamp: Self.frame.printedStamp, footer: "")
        try file.add(Self.frame.layout(notes), at: front.notes, stamp: Self.frame.printedStamp, footer: "")
    }

    // MARK: - Cells

    private func write(_ text: PreparedText?, _ column: Int) throws(WorkbookError) {
        guard let text = text ?? prepared.missing?.text else { return }
        try sheet?.write(text, prepared.textFormat, row: row, column: column)
    }

    private func write(_ whole: Int?, _ unit: ValueUnit, _ column: Int) throws(WorkbookError) {
        if let number = whole.flatMap({ ShownValue.number($0, unit).cellNumber }) {
            try sheet?.write(number, prepared.formats[column], row: row, column: column)
        } else if let missing = prepared.missing {
            try sheet?.write(missing.number, missing.numberFormat, row: row, column: column)
        }
    }

    private func text(_ number: Int32) -> PreparedText? {
        prepared.texts.indices.contains(Int(number)) ? prepared.texts[Int(number)] : nil
    }

    private static func word(_ code: UInt8, _ words: [PreparedText?]) -> PreparedText? {
        words.indices.contains(Int(code)) ? words[Int(code)] : words.first ?? nil
    }

    private func setDigits(of id: PublicTripID) {
        for digit in 0..<PublicTripID.digitCount {
            let word = digit < 16 ? id.high : id.low
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digit & 15))) & 15
            self.id[digit] = CChar(bitPattern: nibble < 10 ? nibble + 0x30 : nibble + 0x57)
        }
    }
}
