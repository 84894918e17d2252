import Basics
import Files
import Foundation
import KPIContract
import Publishing

/// One published set, read once and held: what it answers does not change, whatever becomes of its folder.
final class ServedSet: Sendable {
    let id: String
    let audience: ServedAudience
    let summary: KPISummaryV1
    let whole: Representation
    let headlines: Representation
    let page: ServedPage?
    let trips: TripPages?
    let tripsPage: ServedPage?
    /// `kpi-cells.csv` by line: the header, then a line a cell, then one for each group of several regions or trip types.
    private let cellLines: [ArraySlice<UInt8>]
    private let mergedGroups: [KPISummaryV1.Group]
    private let cells: Representation
    private let cellsAsCSV: Representation

    /// Why a set cannot be served.
    enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
        case noManifest
        /// A file is not there, or is not the one that the manifest names.
        case damaged(file: String)
        case otherAudience
        case otherContract

        var description: String {
            switch self {
            case .noManifest: "it has no manifest that can be read"
            case .damaged(let file): "\(file) is missing, or is not the file that the manifest names"
            case .otherAudience: "its summary is for another audience than its folder"
            case .otherContract: "its files are of another version of the contract"
            }
        }
    }

    /// - Parameter connections: to the rows.
    /// - Throws: `Fault`.
    init(_ folder: PublicationFolder, _ audience: ServedAudience, id: String, connections: Int) throws {
        guard let manifest = try folder.manifest(of: id) else { throw Fault.noManifest }
        let files = Dictionary(manifest.files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        func bytes(_ name: String) throws -> [UInt8]? {
            guard let file = files[name] else { return nil }
            guard let bytes = try? folder.contents(of: name, in: id), ContentHash.of(bytes) == file.sha256 else {
                throw Fault.damaged(file: name)
            }
            return bytes
        }
        guard let json = try bytes(PublishedFileNames.summary) else {
            throw Fault.damaged(file: PublishedFileNames.summary)
        }
        guard let csv = try bytes(PublishedFileNames.cells) else { throw Fault.damaged(file: PublishedFileNames.cells) }
        guard let summary = try? JSONDecoder().decode(KPISummaryV1.self, from: Data(json)) else {
            throw Fault.otherContract
        }
        guard summary.audience == audience.rawValue else { throw Fault.otherAudience }
        self.id = id
        self.audience = audience
        self.summary = summary
        whole = Representation(json, Self.json)
        headlines = Representation(summary.headlinesOnly.canonicalJSON(), Self.json)
        func servedPage(_ name: String) throws -> ServedPage? {
            try bytes(name).map { ServedPage($0, policy: files[name]?.contentSecurityPolicy) }
        }
        page = try servedPage(PublishedFileNames.page)
        tripsPage = try servedPage(PublishedFileNames.tripsPage)
        cellLines = csv.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        mergedGroups = (summary.groups ?? []).filter(\.isMerged)
        guard cellLines.count == 1 + summary.cells.count + mergedGroups.count else { throw Fault.otherContract }
        cells = Representation(Self.document(of: summary.cells), Self.json)
        cellsAsCSV = Representation(csv, Self.csv)
        trips = try files[PublishedFileNames.tripPages].map { file in
            guard let path = try? folder.path(of: PublishedFileNames.tripPages, in: id),
                (try? FileDigest(of: path))?.sha256 == file.sha256,
                let pages = try? TripPages(path: path, connections: connections)
            else { throw Fault.damaged(file: PublishedFileNames.tripPages) }
            return pages
        }
    }

    static let json = "application/json"
    static let csv = "text/csv; charset=utf-8"
    static let html = "text/html; charset=utf-8"

    private static func document(of cells: [KPISummaryV1.Cell]) -> [UInt8] {
        CanonicalJSON.list(cells.map { CanonicalJSON.object($0.canonicalMembers) }).document
    }

    /// An answer that is held from the start; nil: it is computed.
    func held(_ choice: CellKey, _ form: AnswerCache.Form) -> Representation? {
        guard choice == CellKey() else { return nil }
        return switch form {
        case .summary: whole
        case .headlines: headlines
        case .cells: cells
        case .cellsAsCSV: cellsAsCSV
        }
    }

    /// The answer for a choice of month, region and trip type.
    func computed(_ choice: CellKey, _ form: AnswerCache.Form) throws(APIProblem) -> Representation {
        switch form {
        case .summary: Representation(try filtered(choice).canonicalJSON(), Self.json)
        case .headlines: Representation(try filtered(choice).headlinesOnly.canonicalJSON(), Self.json)
        case .cells: Representation(Self.document(of: places(choice).map { summary.cells[$0] }), Self.json)
        case .cellsAsCSV: Representation(lines(of: choice), Self.csv)
        }
    }

    private func filtered(_ choice: CellKey) throws(APIProblem) -> KPISummaryV1 {
        do {
            return try summary.filtered(month: choice.month, region: choice.region, tripType: choice.tripType)
        } catch {
            switch error {
            case .notOffered: throw .notAFilter(detail: "Choose values of the summary's filters.")
            case .withheld: throw .withheld
            }
        }
    }

    /// The cells that a choice names; `All` is every one.
    private func places(_ choice: CellKey) -> [Int] {
        summary.cells.indices.filter { place in
            let cell = summary.cells[place]
            return (choice.month == CellKey.all || cell.month == choice.month)
                && (choice.region == CellKey.all || cell.region == choice.region)
                && (choice.tripType == CellKey.all || cell.tripType == choice.tripType)
        }
    }

    /// The file has the cells in the order of the summary: `verify` and the audit compare the two.
    private func lines(of choice: CellKey) -> [UInt8] {
        let groups = mergedGroups.indices.filter { place in
            let group = mergedGroups[place]
            return [CellKey.all, group.month].contains(choice.month)
                && zip(group.regions, group.tripTypes).contains { region, tripType in
                    [CellKey.all, region].contains(choice.region) && [CellKey.all, tripType].contains(choice.tripType)
                }
        }
        return ([0] + places(choice).map { $0 + 1 } + groups.map { $0 + 1 + summary.cells.count })
            .flatMap { cellLines[$0] + [UInt8(ascii: "\n")] }
    }
}

/// A page of a set, with the policy that the manifest has for it.
struct ServedPage: Sendable {
    let representation: Representation
    /// Value of `Content-Security-Policy`: the page's own, and that no other page may frame it.
    let policy: String

    /// - Parameter policy: nil for a set that an earlier version published: browsers then take the one in the page alone.
    init(_ bytes: [UInt8], policy: String?) {
        representation = Representation(bytes, ServedSet.html)
        self.policy = [policy, "frame-ancestors 'none'"].compactMap(\.self).joined(separator: "; ")
    }
}
