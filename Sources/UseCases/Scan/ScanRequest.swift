import Basics
package import ExportBytes
import Intake
package import OutputScan
package import Profiles
package import Reporting
package import Rules
package import Trips

/// Everything a scan needs to know; nothing else influences its result but the exports themselves.
package struct ScanRequest: Sendable {
    /// Paths; `-` is standard input. Of two with a version of a trip that nothing else ranks, the later one counts.
    package var inputs: [String]
    /// Nil: each file's header must speak for itself.
    package var profile: Profile?
    /// Of the profile's file and of every table it names.
    package var profileVersion: String?
    package var rules: RuleSet
    package var vocabulary: Vocabulary
    /// Whether lists that are not configured take the values of the exports: for figures for staff only.
    package var takesValues = false
    /// What `selection` was made from.
    var request: ReportSelection.Request?
    /// Members of zip files that are skipped, in words.
    package var inputNotes: [String] = []
    /// Which values a list took, in words.
    var listNotes: [String] = []
    /// Zone of a plain file's times.
    package var zone: String?
    /// Threads. The result does not depend on it.
    package var workers: Int
    /// The caller vouches that no trip comes twice: versions are not looked for.
    package var isUnique: Bool
    /// Bytes a worker takes at a time. The result does not depend on it.
    package var blockBytes: Int
    /// Parts of a million of a file that may be rejected; nil: what the profile says.
    package var maximumRejectPerMillion: Int?
    /// Limits of values, before those of the profile.
    package var limits = ValueLimits()
    /// Which part of the numbers is wanted; everything is read all the same.
    package var selection: ReportSelection
    /// The months of the figures.
    package var months = MonthLimits.none
    /// How many exports stay open until the end of a scan; of more, each is closed when it is read and opened again
    /// when versions are compared.
    package var mostOpen: Int
    /// Where trips of exports that can be read only once (compressed, transcoded, piped) are put aside, sealed, until their
    /// versions are compared.
    package var temporaryFolder = "/tmp"
    /// How many bytes of them stay in memory. The result does not depend on it.
    package var versionBytesInMemory = 16 << 20

    /// How bytes are read. The result does not depend on it.
    package var methods = ByteMethods.best

    /// Where identifiers are remembered, if a file is to be written; nil: they are not collected, which is faster.
    package var identifiers: IdentifierCollector?

    /// Has identifiers remembered from now on.
    package mutating func rememberIdentifiers() -> IdentifierCollector {
        let collector = IdentifierCollector()
        identifiers = collector
        return collector
    }

    /// Exports whose names have dates, the oldest first, as a store ranks them; else as they were named.
    static func oldestFirst(_ inputs: [String]) -> [String] {
        let dated = inputs.map { (path: $0, day: ExportDate(name: $0)?.day.daysSince1970) }
        guard dated.allSatisfy({ $0.day != nil }) else { return inputs }
        return dated.enumerated().sorted {
            ($0.element.day ?? 0, $0.offset) < ($1.element.day ?? 0, $1.offset)
        }.map(\.element.path)
    }

    package init(
        inputs: [String], profile: Profile? = nil, rules: RuleSet, vocabulary: Vocabulary = .standard,
        zone: String? = nil, workers: Int, isUnique: Bool = false, blockBytes: Int = 1 << 18,
        maximumRejectPerMillion: Int? = nil, selection: ReportSelection = .everything,
        mostOpen: Int = 64
    ) {
        self.inputs = Self.oldestFirst(inputs)
        self.profile = profile
        self.rules = rules
        self.vocabulary = profile?.vocabulary ?? vocabulary
        self.zone = zone
        self.workers = max(1, workers)
        self.isUnique = isUnique
        self.blockBytes = blockBytes
        self.maximumRejectPerMillion = maximumRejectPerMillion
        self.selection = selection
        self.mostOpen = max(1, mostOpen)
    }
}
