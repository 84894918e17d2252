import DisclosureAudit
import TestSupport
import Testing

/// Every number of every file is changed, one at a time: the auditor finds each change.
@Suite struct MutationTests {
    /// A small release with every change, and larger ones of which one change in so many is made.
    private static let releases: [(release: SyntheticRelease, stride: Int)] = [
        (small(seed: 4, ["2026-03"]), 1), (small(seed: 9, ["2026-02", "2026-03"]), 11), (.example(seed: 2), 199),
        (.example(seed: 7), 211), (small(seed: 4, ["2026-03"]).omitting, 7), (.example(seed: 2).omitting, 229),
    ]

    private static func small(seed: UInt64, _ months: [String]) -> SyntheticRelease {
        SyntheticRelease(
            seed: seed, months: months, regions: ["North"], tripTypes: ["Routine"], tripsPerLeaf: 30...70,
            withheldMonths: ["2026-04"])
    }

    @Test func everyChangeIsFound() async {
        var made: [String: Int] = [:]
        for (release, stride) in Self.releases {
            let honest = HonestFiles(release)
            let files = honest.files
            let audit = honest.audit
            #expect(audit.findings(in: files) == [])
            let changes = Self.changes(of: files).enumerated().filter { $0.offset.isMultiple(of: stride) }.map(
                \.element)
            for change in changes { made[change.file, default: 0] += 1 }
            let missed = await Self.missed(changes, files, audit)
            #expect(missed == [])
        }
        let count = made.values.reduce(0, +)
        #expect(count >= 2_500, "\(made)")
    }

    private static func changes(of files: [String: [UInt8]]) -> [(file: String, change: SingleChanges.Change)] {
        let json = SingleChanges.ofJSON(files["kpi-summary.json"] ?? [])
        let csv = SingleChanges.ofCSV(files["kpi-cells.csv"] ?? [])
        // The page holds the summary again, so a part of its digits is enough.
        let page = SingleChanges.ofBytes(files["dashboard.html"] ?? []).enumerated()
            .filter { $0.offset.isMultiple(of: 10) }.map(\.element)
        let events = SingleChanges.ofCSV(files["events.csv"] ?? [])
        return events.map { ("events.csv", $0) } + json.map { ("kpi-summary.json", $0) }
            + csv.map { ("kpi-cells.csv", $0) }
            + page.map { ("dashboard.html", $0) }
    }

    /// Changes without a finding in the file that was changed. That another file differs from it is not enough, nor
    /// that the contract would write it otherwise: the figures themselves must be wrong.
    private static func missed(
        _ changes: [(file: String, change: SingleChanges.Change)], _ files: [String: [UInt8]], _ audit: DisclosureAudit
    ) async -> [String] {
        await withTaskGroup(of: [String].self) { group in
            let workers = 4
            for worker in 0..<workers {
                group.addTask {
                    changes.indices.filter { $0 % workers == worker }.compactMap { index in
                        let (file, change) = changes[index]
                        var changed = files
                        changed[file] = change.bytes
                        let own = audit.findings(in: changed).filter {
                            $0.hasPrefix(file + ": ") && !$0.contains("its bytes are not those")
                        }
                        return own.isEmpty ? "\(file): \(change.name)" : nil
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }
}
