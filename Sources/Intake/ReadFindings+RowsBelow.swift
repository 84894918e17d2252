import ExportBytes
import Trips

// What lies below the last record: lines of a footer, a second table. Only the whole export shows where its records end.

/// A row that is no trip, and what became of it.
enum OddRowOutcome: Sendable {
    case skipped
    case rejected(OddRow, RejectReason)
}

extension ReadFindings {
    /// Rows below a table are few.
    private static let mostOddRows = 1000

    /// Skips a record of the window.
    mutating func skip(_ window: RecordWindow, at position: Int, recordInBlock: Int, _ reason: RowSkipReason) {
        skip(1, reason)
        note(.skipped, window, at: position, recordInBlock: recordInBlock)
    }

    mutating func note(_ outcome: OddRowOutcome, _ window: RecordWindow, at position: Int, recordInBlock: Int) {
        oddRows.append(
            BlockRecord(
                block: window.ordinal, recordInBlock: recordInBlock, byteOffset: window.baseOffset + position,
                remark: outcome))
        if oddRows.count > 2 * Self.mostOddRows { keepLast([]) }
    }

    mutating func keepLast(_ others: [BlockRecord<OddRowOutcome>]) {
        oddRows += others
        guard oddRows.count > Self.mostOddRows else { return }
        oddRows = Array(oddRows.sorted { $0.byteOffset < $1.byteOffset }.suffix(Self.mostOddRows))
    }

    /// Once all is read: counts rejected rows at the end of the export as skipped if they are a footer or a second table. If any row
    /// there may be a record, all stay rejected.
    mutating func settleRowsBelow() {
        let rows = oddRows.sorted { $0.byteOffset < $1.byteOffset }
        let numbers = recordNumbers(of: rows.map { ($0.block, $0.recordInBlock) })
        var first = rows.count
        var expected = recordsMet
        while first > 0, numbers[first - 1] == expected {
            first -= 1
            expected -= 1
        }
        let below = rows[first...]
        let rejected = below.compactMap { row -> (offset: Int, row: OddRow, reason: RejectReason)? in
            guard case .rejected(let odd, let reason) = row.remark else { return nil }
            return (row.byteOffset, odd, reason)
        }
        saysRowsAreMissing = rejected.contains(where: \.row.saysRowsAreMissing)
        guard !rejected.isEmpty, first > 0 || expected > 0, !rejected.contains(where: \.row.mayBeRecord),
            rejected.count <= max(Self.leastRowsBelow, expected / 4)
        else { return }
        let table = rejected.filter { $0.row.filled > 2 || $0.row.fields > 2 }
        // The rows of a table are as wide as its header, which is of words.
        let isTable = table.first.map { $0.row.isOfWords } ?? true
        guard isTable, Set(table.map(\.row.fields)).count <= 1 else { return }
        skipRejected(
            rejected.map { row in
                (row.offset, row.reason, row.row.filled > 2 || row.row.fields > 2 ? .secondTable : .footer)
            })
    }

    private static var leastRowsBelow: Int { 12 }

    var commaNotes: [String] {
        switch trailingCommas {
        case 0: []
        case 1: ["1 comma has nothing after it before a bracket: its JSON is not quite right"]
        default: ["\(trailingCommas) commas have nothing after them before a bracket: its JSON is not quite right"]
        }
    }

    static func listNotes(of remarks: JSONRemarks) -> [String] {
        let count = remarks.otherLists
        guard count > 0 else { return [] }
        return [
            (count == 1
                ? "1 other list in the document was not read" : "\(count) other lists in the document were not read")
                + "; if it has trips too, load them with a profile that names the list (`records_path`)"
        ]
    }

    /// What was skipped, a sentence for each reason but the profile's own filter.
    var skipNotes: [String] {
        RowSkipReason.allCases.filter { $0 != .filter }.compactMap { reason in
            skipsByReason[reason].map { reason.sentence($0) }
        }
    }
}
