import Encoding
import KPIContract

/// What rows say as far as an API serves them, whatever their order: the sum of the hashes of their details. Two sets of rows
/// with the same digest and count have the same details.
struct TripRowsDigest: Sendable, Hashable {
    private(set) var count = 0
    private var sum: UInt64 = 0

    mutating func add(_ detail: TripDetail) { add(detail: detail.canonical.line.dropLast()) }

    /// - Parameter lines: of `trips.ndjson`, whole ones. The line that is no row is not counted.
    mutating func add(lines: [UInt8]) {
        for line in lines.split(separator: UInt8(ascii: "\n")) where !line.starts(with: Self.header) {
            // In a text of JSON each quotation mark has a `\` before it, so no text holds the key.
            let end = line.firstRange(of: Self.rest)?.lowerBound ?? line.endIndex
            add(detail: line[..<end] + [UInt8(ascii: "}")])
        }
    }

    private mutating func add(detail: ArraySlice<UInt8>) {
        count += 1
        sum &+= UInt64(ContentHash.of(Array(detail)).prefix(16), radix: 16) ?? 0
    }

    private static let header = Array(#"{"header":"#.utf8)
    /// The first key of a row that its detail has not.
    private static let rest = Array(#","turnout":"#.utf8)
}
