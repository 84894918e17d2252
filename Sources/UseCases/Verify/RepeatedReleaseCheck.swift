package import Basics
import Files
import Foundation
import KPIContract
package import KPIs
package import Privacy
package import Publishing
import Reports
import Store
import Trips

/// Checks a month that is released again against the release that readers have. A store that is new, or a copy from
/// before a release, may repeat it only with the same figures: with other trips, readers could subtract one release from
/// the other.
package struct RepeatedReleaseCheck {
    /// Of the release that readers have; nil: they have none.
    private let run: String?
    /// Its summary; nil: it cannot be read.
    private let bytes: [UInt8]?
    private let unreadable: any Error
    private let context: KPITally.TableContext
    private let missingCounts: MissingCountPolicy

    /// - Parameter folder: of the release.
    package init(folder: PublicationFolder, context: KPITally.TableContext, missingCounts: MissingCountPolicy) throws {
        run = try folder.currentID()
        unreadable = PublishingError.damaged(
            run: run ?? "", findings: ["\(PublishedFileNames.summary) cannot be read"])
        bytes = try run.flatMap { try folder.contentsIfAny(of: PublishedFileNames.summary, in: $0) }
        self.context = context
        self.missingCounts = missingCounts
    }

    /// - Parameter file: a summary of the release; readers have none if it is not there.
    package init(file: String, context: KPITally.TableContext, missingCounts: MissingCountPolicy) throws {
        var contents: [UInt8] = []
        do throws(FileError) {
            try OpenFile(file, for: .read).forEachPiece { piece throws(FileError) in contents += piece }
        } catch {
            guard error.isMissing else { throw error }
        }
        let name = FileLabel(fileName: file).description
        (run, bytes) = contents.isEmpty ? (nil, nil) : (name, contents)
        unreadable = RegisterError.unreadablePublication(file: name)
        self.context = context
        self.missingCounts = missingCounts
    }

    /// - Parameters:
    ///   - added: months that the store is about to release for the first time.
    ///   - known: months that it has released.
    /// - Throws: `DisclosureError.releasedByAnotherStore`; `PublishingError.damaged` if a month is added and the published
    ///   summary cannot be read.
    package func requireSame(_ added: NewReleases, known: Set<Month>, path: String) throws {
        guard run != nil else { return }
        guard let bytes, let months = try? JSONDecoder().decode(MonthList.self, from: Data(bytes)).months else {
            if added.releases.isEmpty { return }
            throw unreadable
        }
        let here = Set(known.union(added.months).map(\.description))
        var changed = months.filter { !here.contains($0) }
        let again = added.releases.filter { months.contains($0.month.description) }
        if !again.isEmpty {
            let summary = try JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes))
            changed += try again.filter { try !isSame($0, summary, path: path) }.map(\.month.description)
        }
        guard changed.isEmpty else { throw DisclosureError.releasedByAnotherStore(months: changed.sorted()) }
    }

    /// All that is needed of a summary on most nights.
    private struct MonthList: Decodable {
        var months: [String]
    }

    private func isSame(_ release: StoredRelease, _ summary: KPISummaryV1, path: String) throws -> Bool {
        func isOfMonth(_ cell: KPISummaryV1.Cell) -> Bool { cell.month == release.month.description }
        func key(_ cell: KPISummaryV1.Cell) -> [String] { [cell.region, cell.tripType] }
        let partition = try ReleaseRegister.partition(release, path: path)
        var tally = KPITally(
            shape: KPITally.Shape(
                regionCount: context.regions.names.count, tripTypeCount: context.tripTypes.names.count,
                maximumIntervalSeconds: release.maximumIntervalSeconds))
        try tally.merge(encoded: release.tally, month: release.month, takesEarlierFormats: true)
        let publishable = try Publishable(
            releasing: [ReleasedMonth(month: release.month, partition: partition)], tally: tally, withholding: [],
            context: context, minimumCell: partition.minimumCell, missingCounts: missingCounts)
        let known = Dictionary(
            summary.cells.filter(isOfMonth).map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        // Rows of Unassigned are there if any month of the release may have such trips.
        return SummaryReport.cells(of: publishable).filter(isOfMonth).allSatisfy { cell in
            known[key(cell)].map { $0.agrees(with: cell) } ?? (cell.trips ?? 0 == 0)
        }
    }
}
