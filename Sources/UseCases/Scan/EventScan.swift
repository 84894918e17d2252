package import ExportBytes
import Intake
import KPIContract
package import KPIs
package import Profiles
package import Trips

/// Reads exports of events, without a store.
package struct EventScan: Sendable {
    private let inputs: [String]
    private let profile: EventProfile
    private let zone: String?
    private let maximumRejectPerMillion: Int?

    /// - Parameters:
    ///   - inputs: paths; `-` is standard input.
    ///   - zone: of times without an offset, where the profile names none.
    ///   - maximumRejectPerMillion: nil: what the profile says.
    package init(inputs: [String], profile: EventProfile, zone: String?, maximumRejectPerMillion: Int?) {
        self.inputs = inputs
        self.profile = profile
        self.zone = zone
        self.maximumRejectPerMillion = maximumRejectPerMillion
    }

    package func run() throws(ExportError) -> EventScanResult {
        if profile.isComplete, inputs.count > 1 {
            throw ExportError(
                kind: .malformed, file: "events",
                problem:
                    "each export of \(profile.base.source) has all events, so two of them would count events twice",
                remedy: "name one of them, or write `each_export: new` into the profile")
        }
        let reader = EventReader(profile, zone: zone)
        var result = EventScanResult()
        for input in inputs {
            var outcome = try reader.read(path: input, maximumRejectPerMillion: maximumRejectPerMillion)
            // The user's own terminal: the file is called by the name it was given.
            if input != "-" { outcome.name = input.split(separator: "/").last.map(String.init) ?? outcome.name }
            result.add(outcome)
        }
        return result
    }
}

/// The events of exports: true counts, and what became of every record.
package struct EventScanResult: Sendable {
    private var tally = EventTally()
    private var outcomes: [EventReader.Outcome] = []

    mutating func add(_ outcome: EventReader.Outcome) {
        tally.merge(outcome.tally)
        outcomes.append(outcome)
    }

    /// The counts of the months of the figures.
    package func events(in months: MonthLimits) -> EventTally { tally.filter(months: months.contains) }

    /// What it says to a person, two lines or more for each file.
    package var lines: [String] { outcomes.flatMap(Self.lines) }

    private static func lines(_ outcome: EventReader.Outcome) -> [String] {
        let counts = outcome.findings.counts
        var lines: [String] = []
        let reasons = outcome.findings.rejectsByReason.sorted {
            ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
        }
        for (reason, records) in reasons {
            lines.append(
                "\(outcome.name): \(NumberText.grouped(records)) rejected, \(reason.rawValue): \(reason.explanation)")
        }
        for (events, what) in [
            (outcome.withoutRegion, "without a region, counted as Unassigned"),
            (outcome.ofOtherKind, "of which the words do not say the kind, counted as Other"),
        ] where events > 0 {
            lines.append("note: \(outcome.name): \(NumberText.counted(events, "event")) \(what)")
        }
        return lines + [
            "\(outcome.name): events read \(counts.read) = accepted \(counts.added) + rejected \(counts.rejected)"
        ]
    }
}
