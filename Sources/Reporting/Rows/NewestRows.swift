import Files

/// The newest rows of a `trips.ndjson`, collected while it is written: at most twice as many as are wanted are held.
///
/// Rows come in the order of random ids. Of rows of one date the first are kept.
package struct NewestRows: Sendable {
    private struct Row: Sendable {
        let date: [UInt8]
        let place: Int
        let line: [UInt8]

        func isNewer(than other: Row) -> Bool {
            date == other.date ? place < other.place : other.date.lexicographicallyPrecedes(date)
        }
    }

    private let most: Int
    /// At most twice as many as are wanted; then the older half goes.
    private var held: [Row] = []
    /// The date of the last of those that were wanted when the older half last went.
    private var oldest: [UInt8]?
    package private(set) var header: [UInt8] = []
    /// Of the whole file.
    package private(set) var rowCount = 0

    package init(most: Int) {
        self.most = max(1, most)
        held.reserveCapacity(2 * self.most)
    }

    /// Newest first.
    package var lines: [[UInt8]] { held.sorted { $0.isNewer(than: $1) }.prefix(most).map(\.line) }

    /// - Parameter piece: whole lines, as they are written.
    package mutating func add(_ piece: [UInt8]) {
        var rest = piece[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            if end > rest.startIndex { add(line: rest[..<end]) }
            rest = rest[end...].dropFirst()
        }
    }

    private mutating func add(line: ArraySlice<UInt8>) {
        guard !header.isEmpty else {
            header = Array(line)
            return
        }
        rowCount += 1
        let date = Self.date(of: line)
        // So many newer ones are held already that it would go with the older half.
        if let oldest, date.lexicographicallyPrecedes(oldest) { return }
        held.append(Row(date: Array(date), place: rowCount, line: Array(line)))
        guard held.count == 2 * most else { return }
        held.sort { $0.isNewer(than: $1) }
        held.removeLast(most)
        oldest = held.last?.date
    }

    private static let key = Array(#","date":""#.utf8)

    /// The text of the key `date`. In a text of JSON each quotation mark has a `\` before it, so no text holds the key.
    private static func date(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let found = line.start(of: key) else { return [] }
        return line[(found + key.count)...].prefix { $0 != UInt8(ascii: "\"") }
    }
}
