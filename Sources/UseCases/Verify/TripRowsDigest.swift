import Files
import KPIContract
import Publishing

/// What rows say as far as an API serves them, whatever their order: the sum of the hashes of their details. Two sets of rows
/// with the same digest and count have the same details.
struct TripRowsDigest: Sendable, Hashable {
    private(set) var count = 0
    private var sum: UInt64 = 0

    mutating func add(_ detail: TripDetail) { add(detail: detail.canonical.line.dropLast()) }

    /// - Parameter lines: of `trips.ndjson`, whole ones. The line that is no row is not counted.
    mutating func add(lines: [UInt8]) {
        for line in lines.split(separator: UInt8(ascii: "\n")) where !line.starts(with: Self.header) { add(row: line) }
    }

    /// - Parameter rows: lines of `trips.ndjson` without the first.
    mutating func add(rows: [[UInt8]]) {
        for row in rows { add(row: row[...]) }
    }

    private mutating func add(row line: ArraySlice<UInt8>) {
        // In a text of JSON each quotation mark has a `\` before it, so no text holds the key.
        let end = line.start(of: Self.rest) ?? line.endIndex
        add(detail: line[..<end] + [UInt8(ascii: "}")])
    }

    private mutating func add(detail: ArraySlice<UInt8>) {
        count += 1
        var hash = ContentHash()
        hash.update(Array(detail))
        sum &+= hash.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static let header = Array(#"{"header":"#.utf8)
    /// The first key of a row that its detail has not.
    private static let rest = Array(#","turnout":"#.utf8)
}

extension TripRowsDigest {
    /// The trips that an API serves, and how many there are.
    ///
    /// - Parameters:
    ///   - path: of `trips.sqlite`.
    ///   - rows: lines of `trips.ndjson`: only their trips; nil: all.
    /// - Throws: `TripPagesError`.
    static func ofPages(_ path: String, of rows: [[UInt8]]?) throws(TripPagesError) -> (digest: Self, rowCount: Int) {
        var digest = Self()
        let pages = try TripPages(path: path)
        if let rows {
            for row in rows { if let trip = try pages.trip(id(of: row)) { digest.add(trip) } }
        } else {
            try pages.forEach { digest.add($0) }
        }
        return (digest, try pages.count())
    }

    /// A row begins with its id, which is hexadecimal digits.
    private static func id(of row: [UInt8]) -> String {
        String(decoding: row.dropFirst(key.count).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }

    private static let key = Array(#"{"id":""#.utf8)
}
