import Files
package import KPIContract
package import Queries
package import Reporting
import Reports

/// Writes an answer row by row. Nothing in it is hidden, so each form says on every row, or above the table, that it is
/// internal.
package struct QueryWriter {
    /// A table is for eyes; more rows are wanted by programs.
    package static let tableRows = 1_000

    private let format: TableFormat
    private let columns: [String]
    private let write: ([UInt8]) throws -> Void
    private var pending: [UInt8] = []
    private var rows = 0
    /// Of a table: its texts wait until all widths are known.
    private var cells: [[(text: String, isNumber: Bool)]] = []

    private static let stamp = SummaryReport.internalStamp
    private static let pendingBytes = 1 << 16

    /// - Parameter write: takes the bytes in order.
    package init(_ format: TableFormat, columns: [String], write: @escaping ([UInt8]) throws -> Void) {
        self.format = format
        self.columns = columns
        self.write = write
        switch format {
        case .table, .ndjson: break
        case .csv: CSVText.append(["release"] + columns.map(CSVText.harmless), to: &pending)
        case .json: pending = Array("{\"release\":\"\(Self.stamp)\",\"rows\":[".utf8)
        }
    }

    package mutating func add(_ row: [QueryValue]) throws {
        switch format {
        case .table: cells.append(row.map { ($0.text ?? "–", $0.isNumber) })
        case .csv:
            CSVText.append(
                [Self.stamp] + row.map { $0.isNumber ? $0.text ?? "" : CSVText.harmless($0.text ?? "") }, to: &pending)
        case .json:
            pending.append(contentsOf: (rows == 0 ? "\n" : ",\n").utf8)
            pending.append(contentsOf: object(row).line.dropLast())
        case .ndjson: pending.append(contentsOf: object(row, stamp: Self.stamp).line)
        }
        rows += 1
        if pending.count >= Self.pendingBytes { try flush() }
    }

    package mutating func end() throws {
        switch format {
        case .table: pending.append(contentsOf: table.utf8)
        case .json: pending.append(contentsOf: "\n]}\n".utf8)
        case .csv, .ndjson: break
        }
        try flush()
    }

    private mutating func flush() throws {
        if !pending.isEmpty { try write(pending) }
        pending.removeAll(keepingCapacity: true)
    }

    private func object(_ row: [QueryValue], stamp: String? = nil) -> CanonicalJSON {
        var members = stamp.map { [CanonicalJSON.Member("release", .text($0))] } ?? []
        for (name, value) in zip(columns, row) { members.append(CanonicalJSON.Member(name, value.json)) }
        return .object(members)
    }

    private var table: String {
        let widths = columns.indices.map { column in
            min(40, cells.reduce(columns[column].count) { max($0, $1[column].text.count) }) + 1
        }
        func line(_ fields: [(text: String, isNumber: Bool)]) -> String {
            let padded = zip(fields, widths).map { field, width in
                field.isNumber ? TextColumn.right(field.text, width) : TextColumn.left(field.text, width)
            }
            return String(padded.joined(separator: " ").trimmingSuffix(while: { $0 == " " })) + "\n"
        }
        let isNumber = columns.indices.map { column in cells.contains { $0[column].isNumber } }
        let header = zip(columns, isNumber).map { ($0, $1) }
        return Self.stamp + "\n\n" + line(header) + cells.map(line).joined()
    }
}

extension QueryValue {
    /// Nil for null.
    package var text: String? {
        switch self {
        case .null: nil
        case .integer(let value): String(value)
        case .real(let value): value.description
        case .text(let value): value
        }
    }

    package var isNumber: Bool { kind == .integer || kind == .real }

    package var json: CanonicalJSON {
        switch self {
        case .null: .null
        case .integer(let value): .number(String(value))
        case .real(let value): .double(value)
        case .text(let value): .text(value)
        }
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, isDropped(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
