import Basics
import Files
import Foundation
import KPIContract
package import OutputScan
import Privacy
package import Publishing
package import Settings

/// The last check of rows: the finished file is scanned chunk by chunk.
package struct RowCheck {
    private let scan: OutputScan
    private static let rowsAtOnce = 2_000

    /// - Parameters:
    ///   - terms: what the rows may say; nil: what a report may say that names no day.
    ///   - publicTexts: names that the settings made public.
    ///   - identifiers: what was read for the rows; nil: shapes alone are looked for.
    package init(_ terms: RowPolicy?, publicTexts: [String], identifiers: IdentifierSet?) {
        var may = OutputScan.Criteria(
            ownDays: Set([terms?.generatedAt.day].compactMap(\.self)),
            publicTexts: publicTexts + (terms.map { Array($0.deidentifier.shownProviders) } ?? []),
            identifiers: identifiers)
        // A limited data set may hold full dates; names, numbers and ids it may not.
        may.showsDates = terms?.deidentifier.profile == .limitedDataSet
        scan = OutputScan(may)
    }

    /// Of a page of rows.
    package func findings(inPage bytes: [UInt8], named name: String) -> [OutputFinding] {
        scan.findings(in: bytes, named: name)
    }

    /// Of rows as they are served.
    package func findings(inPages pages: TripPages, named name: String) throws -> [OutputFinding] {
        var last: String?, hasMore = true
        return try scan.findings(inRows: name) {
            guard hasMore, let page = try pages.page(after: last, limit: Self.rowsAtOnce) else { return [] }
            hasMore = page.hasMore
            last = page.trips.last?.id
            return page.trips.flatMap(\.canonical.line)
        }
    }

    /// - Parameter path: of the draft.
    package func findings(inFile path: String, named name: String, isCSV: Bool = false) throws -> [OutputFinding] {
        guard let file = FileHandle(forReadingAtPath: path) else { throw FileError(path, "be read", code: ENOENT) }
        defer { try? file.close() }
        return try scan.findings(inRows: name, isCSV: isCSV) {
            Array(try file.read(upToCount: 1 << 20) ?? Data())
        }
    }
}
