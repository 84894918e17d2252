import ExportBytes
import KPIContract
import Rules
package import Trips

/// Why a trip is what it is, found in the exports themselves: every leg, all versions of each, which one counts, and
/// what each rule said of it. Neither the id nor any other value of the trip is in it.
package struct TripExplanation: Sendable, CustomStringConvertible {
    private let lines: [String]

    package var description: String { lines.joined(separator: "\n") }

    /// Reads the plan's exports for the trip with this id (without outer blanks, letter for letter).
    package init(tripID: Sensitive<String>, plan: ScanRequest) throws {
        let outcome = try TripFinder(plan: plan, tripID: tripID).run()
        guard !outcome.records.isEmpty else {
            throw TripNotFound(files: outcome.fileNames.count, counts: outcome.counts)
        }
        let legs = Dictionary(grouping: outcome.records) { $0.leg.revealed(for: .matching) }.values
            .sorted { $0[0].location < $1[0].location }
        var lines = [
            "\(NumberText.counted(outcome.records.count, "record")) with this trip id, "
                + "\(NumberText.counted(legs.count, "leg")), in "
                + NumberText.counted(outcome.fileNames.count, "export")
        ]
        for (index, leg) in legs.enumerated() {
            lines += ["", "LEG \(index + 1) of \(legs.count), " + NumberText.counted(leg.count, "version")]
            lines += Self.lines(of: leg, rules: plan.rules, fileNames: outcome.fileNames)
        }
        self.lines = lines
    }

    private static func lines(
        of versions: [TripFinder.Record], rules: RuleSet, fileNames: [String]
    ) -> [String] {
        let rank = { (record: TripFinder.Record) in RecordRank(record.version, at: record.location) }
        guard let newest = versions.max(by: { rank($0) < rank($1) }) else { return [] }
        var lines: [String] = []
        for version in versions {
            let place = "\(fileNames[version.location.export]), record at byte \(version.location.offset): "
            if version.location == newest.location {
                lines.append("  " + place + "counts" + (versions.count > 1 ? ", the newest" : ""))
            } else if version.contentHash == newest.contentHash {
                lines.append("  " + place + "unchanged, the same record again")
            } else {
                let explanation = explanation(of: version, rules)
                let rule = explanation.decidingRuleID.map { ", by rule \($0)" } ?? ""
                lines.append("  " + place + "superseded (was \(explanation.sourcing?.name ?? "not known")\(rule))")
            }
        }
        lines.append(statusLine(newest.status))
        return lines + explanation(of: newest, rules).description.split(separator: "\n").map(String.init)
    }

    package static func statusLine(_ status: TripStatus) -> String {
        switch status {
        case .completed: "status completed: it is one of the trips"
        case .cancelled, .noShow: "status \(status.name): counted beside the trips, its sourcing is in no number"
        case .void: "status void: it is in no number at all"
        }
    }

    private static func explanation(of record: TripFinder.Record, _ rules: RuleSet) -> ClassificationExplanation {
        rules.explain(day: record.day) { record.values[$0]?.revealed(for: .matching) }
    }
}

/// No trip of the exports has the id asked for. It does not say the id.
package struct TripNotFound: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package var files: Int
    package var counts: ReadCounts

    package var failureKind: FailureKind { .inputMissing }

    package var description: String {
        let place = files == 1 ? "the export" : "the \(files) exports"
        var text = "no trip has this id in \(place) (\(counts.read) records read"
        if counts.rejected > 0 { text += ", \(counts.rejected) rejected" }
        if counts.skipped > 0 { text += ", \(counts.skipped) skipped by the profile's filter" }
        return text + "); check the id letter for letter, leading zeros too, and which export it is from"
    }
}
