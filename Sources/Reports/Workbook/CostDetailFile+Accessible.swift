internal import CXLSXWriter

extension CostDetailFile {
    private static let book = PlainWorkbook(
        title: "INTERNAL: ambulance trip cost lines", isInternal: true, promise: SummaryReport.internalStamp)

    /// Below the title, what stands under it, and the header.
    static let plainFirstLine = 4

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
                    "Look at twice",
                    "What the checks of the cost workbook say of the trip. \(CostWorkbook.checksText)"
                )
            }
        }
    }

    static let plainHeaders: [String] = columns.map { column in
        switch column.title {
        case "Trip": "\(column.title) \(Note.trip.mark)"
        case "Cost": "\(column.title) \(Note.cost.mark)"
        case "Look at twice": "\(column.title) \(Note.flags.mark)"
        default: column.title
        }
    }

    func plainHeads(_ number: Int) -> [(text: String, role: CellStyle.Role)] {
        [("Costs, a line a trip, part \(number)", .plainTitle)]
            + Self.book.lines(Note.allCases).map { ($0, .plainFigure) }
    }

    /// The cover and the notes. They are the first sheets, and say how many come after.
    struct Front {
        private let cover: UnsafeMutablePointer<lxw_worksheet>
        private let notes: UnsafeMutablePointer<lxw_worksheet>

        init(_ file: XLSXFile) throws(WorkbookError) {
            cover = try file.begin("Cover")
            notes = try file.begin("Notes")
        }

        func fill(_ file: XLSXFile, sheets: Int, lines: Int) throws(WorkbookError) {
            let words = CostDetailFile.book.notes(Note.allCases.map { ($0, $0.words.subject, $0.words.text) })
            let parts = (1...max(1, sheets)).map {
                PlainSheet(name: "Lines \($0)", title: "Costs, a line a trip, part \($0)", lines: [])
            }
            let first = CostDetailFile.book.cover(of: [words] + parts, facts: ["Trips: \(lines)."])
            try file.add(first.layout(), at: cover, isInternal: true, footer: "")
            try file.add(words.layout(), at: notes, isInternal: true, footer: "")
        }
    }
}
