package import Settings
import Operations
import Deidentification
import Files
import Foundation
package import OutputScan
import Trips

/// The last check of rows: the finished file is scanned chunk by chunk.
package struct RowRelease {
    private let scan: OutputScan

    /// - Parameters:
    ///   - terms: what the rows may say; nil: what a report may say that names no day.
    ///   - publicTexts: names that the settings made public.
    ///   - identifiers: what was read for the rows; nil: shapes alone are looked for.
    package init(_ terms: RowPolicy?, publicTexts: [String], identifiers: IdentifierSet?) {
        var may = OutputScan.Criteria(
            ownDays: Set([terms?.generatedAt].compactMap { $0.flatMap { CivilDay($0.prefix(10)) } }),
            publicTexts: publicTexts + (terms.map { Array($0.deidentifier.shownProviders) } ?? []),
            identifiers: identifiers)
        // A limited data set may hold full dates; names, numbers and ids it may not.
        may.showsDates = terms?.deidentifier.profile == .limitedDataSet
        scan = OutputScan(may)
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
