import Basics
import KPIContract
import KPIs
import OutputScan
import Publishing
import Reporting
import Reports
import Settings
import Store
import Trips
import Workbooks

/// The workbooks of a staff set: `month.xlsx`, the KPIs of all its months, and `costs.xlsx`, the costs of all fiscal years.
///
/// Neither reads trips, so a night stays short in a store of any size. Exceptions to review need the trips: `tripkpi costs`
/// lists them, of the months under review.
struct StaffWorkbooks {
    static let monthName = "month.xlsx"
    static let costsName = "costs.xlsx"
    private static let mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    let files: [PublicationDraft.File]

    /// - Parameters:
    ///   - report: of all months, for staff.
    ///   - limits: the months of the figures.
    ///   - folder: of the staff sets.
    /// - Throws: `CostsError.notReconciled` if the costs by line are not those of the report.
    init(_ report: FigureReport, _ store: TripStore, limits: MonthLimits, createdAt: UTCTime, folder: PublicationFolder)
        throws
    {
        guard report.months > 0 else {
            files = []
            return
        }
        let ledger = try StoreCosts(store, .everything, limits: limits).ledger
        try ledger.reconcile(with: report.report.summary, nil)
        let workbook = CostWorkbook(
            report.report, ledger: ledger, context: CostContext(), months: nil, createdAt: createdAt,
            style: .standard)
        files = try folder.withFolderOfParts { parts in
            [
                .init(name: Self.monthName, mediaType: Self.mediaType, bytes: try report.workbook(madeIn: parts)),
                .init(name: Self.costsName, mediaType: Self.mediaType, bytes: try workbook.bytes(madeIn: parts)),
            ]
        }
    }

    /// The files that may be published, and why the others may not: a provider or a contract may be named like a person, and
    /// the figures must not wait for that.
    func scanned(by scan: OutputScan) -> (files: [PublicationDraft.File], refusals: [(name: String, why: String)]) {
        var accepted: [PublicationDraft.File] = []
        var refusals: [(name: String, why: String)] = []
        for file in files {
            guard case .bytes(let bytes) = file.content else { continue }
            if let refusal = OutputRefusal(scan.findings(in: bytes, named: file.entry.name)) {
                refusals.append((file.entry.name, "\(refusal)"))
            } else {
                accepted.append(file)
            }
        }
        return (accepted, refusals)
    }
}
