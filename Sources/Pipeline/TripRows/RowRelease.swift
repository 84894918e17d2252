import Audit
import Deidentification
import Foundation
import OutputScan
import Trips

/// The last gate of rows: the file as it would be given out is looked through, chunk by chunk.
struct RowRelease {
    private let scan: OutputScan

    /// - Parameters:
    ///   - terms: what the rows may say; nil: what a report may say that names no day.
    ///   - publicTexts: names that the settings made public.
    ///   - identifiers: what was read for the rows; nil: shapes alone are looked for.
    init(_ terms: TripRowTerms?, publicTexts: [String], identifiers: IdentifierSet?) {
        var may = OutputScan.Terms(
            ownDays: Set([terms?.generatedAt].compactMap { $0.flatMap { CivilDay($0.prefix(10)) } }),
            publicTexts: publicTexts + (terms.map { Array($0.deidentifier.shownProviders) } ?? []),
            identifiers: identifiers)
        // A limited data set may hold full dates; names, numbers and ids it may not.
        may.showsDates = terms?.deidentifier.profile.name == .limitedDataSet
        scan = OutputScan(may)
    }

    /// - Parameter path: of the draft.
    func findings(inFile path: String, named name: String, isCSV: Bool = false) throws -> [OutputFinding] {
        guard let file = FileHandle(forReadingAtPath: path) else { throw OutputError(path: path, code: ENOENT) }
        defer { try? file.close() }
        return try scan.findings(inRows: name, isCSV: isCSV) {
            Array(try file.read(upToCount: 1 << 20) ?? Data())
        }
    }
}
