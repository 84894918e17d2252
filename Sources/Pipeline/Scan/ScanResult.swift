package import Intake
package import KPIs
package import Trips

/// What a scan found: the true numbers, and what became of every record. It is not fit to be shown as it is; `Reports`
/// takes it through `Privacy`.
package struct ScanResult: Sendable {
    package var table: KPITable
    /// Of all trips, those too that the table leaves out: what may be shown of it is decided over all.
    var tally: KPITally
    var context: KPITally.TableContext
    var cells: KPISelection
    package var counts: ReadCounts
    package var files: [FileResult]
    package var dateBasis: String
    /// What the table is restricted to.
    package var selection: [String]
    /// The exports as they were read, to see whether they still are; none of a store.
    var inputs = ScanInputs()

    /// The latest local date of a trip that the table counts.
    package func latestDay() -> CivilDay? { tally.latestDay(in: cells.months) }

    /// The same regions and types, in all months; nil if the patients of a cell cannot be told for sure.
    func ofEveryMonth() -> ScanResult? {
        var wide = self
        wide.cells.months = nil
        guard let table = tally.table(context, selection: wide.cells) else { return nil }
        wide.table = table
        return wide
    }

    /// One export's share.
    package struct FileResult: Sendable {
        package var name: String
        package var format: String
        package var read: Int
        package var skipped: Int
        package var rejected: Int
        package var rejectsByReason: [RejectReason: Int]
        /// The first rejections, by place.
        package var rejections: [Rejection]
        /// Lines inside quoted fields that look like records.
        package var swallowedLines: Int
        /// The first records that hold them, by place.
        package var swallowings: [SwallowingRecord]
        /// Unmapped columns that look like PHI.
        package var notes: [String]
    }
}

/// Why a scan has no result.
package enum ScanError: Error, Sendable, CustomStringConvertible {
    case export(ExportError)
    /// Too much of a file is rejected; nothing of any file is used.
    case tooManyRejects(file: String, rejected: Int, read: Int, limitPerMillion: Int, reasons: [RejectReason: Int])
    /// A bug of ours: the equation of SPEC §1 does not hold.
    case notReconciled(String)

    /// Whether it is no fault of the export.
    var isBug: Bool {
        if case .notReconciled = self { true } else { false }
    }

    package var description: String {
        switch self {
        case .export(let error): return error.description
        case .tooManyRejects(let file, let rejected, let read, let limit, let reasons):
            let worst = reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.prefix(3)
                .map { "\($0.value) \($0.key.rawValue) (\($0.key.explanation))" }.joined(separator: ", ")
            return
                "\(file): \(rejected) of \(read) records are rejected, more than the \(Self.percent(limit)) allowed: "
                + "\(worst); mend the export or the profile, or set max_reject"
        case .notReconciled(let equation): return "the records do not add up (\(equation)); please report this bug"
        }
    }

    /// `1 %`, `0.25 %`.
    static func percent(_ perMillion: Int) -> String {
        let hundredths = perMillion / 100
        let rest = hundredths % 100
        return "\(hundredths / 100)" + (rest == 0 ? "" : ".\(rest < 10 ? "0" : "")\(rest)") + " %"
    }
}
