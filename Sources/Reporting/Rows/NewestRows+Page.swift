import Basics
package import Dashboard
import ExportBytes

extension NewestRows {
    private static let pieceBytes = 1 << 20

    /// Of the newest rows of a page.
    package static var ofPage: NewestRows { NewestRows(most: TripsPage.mostRows) }

    /// - Parameters:
    ///   - path: of `trips.ndjson.gz`.
    ///   - name: what a message says of it.
    ///   - see: is shown all lines, whole ones at a time.
    /// - Throws: `ExportError`.
    package static func ofPage(
        fromGzipAt path: String, named name: String, seenBy see: ([UInt8]) -> Void = { _ in }
    ) throws -> NewestRows {
        var rows = try GzipStream(source: FileStream(ExportFile(path: path), from: 0), name: name)
        var newest = ofPage
        var rest: [UInt8] = []
        while true {
            let piece = try rows.take(pieceBytes)
            guard !piece.isEmpty else { break }
            rest += piece
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            let lines = Array(rest[...end])
            newest.add(lines)
            see(lines)
            rest.removeFirst(end + 1)
        }
        newest.add(rest)
        see(rest)
        return newest
    }

    /// The list of these rows, as it is published beside `trips.ndjson.gz`.
    package func page(isInternal: Bool) throws(DashboardError) -> TripsPage {
        try TripsPage(
            header: header, rows: lines, rowCount: rowCount, file: PublishedFileNames.tripRows, isInternal: isInternal)
    }
}
