package import Crosswalk
package import Operations
package import Privacy

/// Where the nightly run finds and puts things, and how it runs, resolved once.
package struct NightlySettings: Sendable {
    package let store: String
    package let inbox: String
    package let reports: String
    package let keyFile: String
    /// Beside the store unless somebody named another place.
    package let auditLog: String
    /// Whether somebody did.
    package let isAuditLogNamed: Bool
    /// Nil: it is off.
    package let crosswalk: CrosswalkPlace?
    /// Nil: no figures are written.
    package let metricsFile: String?
    package let logFormat: RunJournal.Format
    /// For whom sets are published, without repetition.
    package let audiences: [Audience]
    /// How many published sets are kept.
    package let keepRuns: Int
    package let freshnessWarnDays: Int
    /// Nil: however old the newest trip is, the run does not fail for it.
    package let freshnessFailDays: Int?

    /// - Parameters:
    ///   - layers: what each place says, the first to be heard first.
    ///   - note: takes each setting that somebody made, with its place.
    init(_ layers: [(NightlyLayer, origin: String)], note: (String) -> Void) throws(SettingError) {
        func first<Value>(_ key: String, _ member: (NightlyLayer) -> Value?) -> (value: Value, origin: String)? {
            for (layer, origin) in layers {
                if let value = member(layer) {
                    note("\(key): \(origin)")
                    return (value, origin)
                }
            }
            return nil
        }
        func number(
            _ key: String, _ member: (NightlyLayer) -> Int?, standard: Int, in range: ClosedRange<Int>
        ) throws(SettingError) -> Int {
            guard let found = first(key, member) else { return standard }
            guard range.contains(found.value) else {
                throw SettingError(
                    origin: found.origin, problem: "\(key) is out of range",
                    remedy: "give \(range.lowerBound) to \(range.upperBound)")
            }
            return found.value
        }
        let store = first("store", \.store)?.value ?? "store/tripkpi.sqlite"
        self.store = store
        inbox = first("inbox", \.inbox)?.value ?? "inbox"
        reports = first("reports", \.reports)?.value ?? "reports/published"
        keyFile = first("key_file", \.keyFile)?.value ?? store + ".key"
        let auditLog = first("audit_log", \.auditLog)?.value
        self.auditLog = auditLog ?? store + ".audit.jsonl"
        isAuditLogNamed = auditLog != nil
        metricsFile = first("metrics_file", \.metricsFile)?.value
        crosswalk = first("crosswalk", \.crosswalk).map { found in
            CrosswalkPlace(file: found.value.file, keyFile: found.value.keyFile, store: store)
        }
        if let format = first("log_format", \.logFormat) {
            guard let known = RunJournal.Format(rawValue: format.value) else {
                throw SettingError(
                    origin: format.origin, problem: "log_format is neither text nor json", remedy: "write one of them")
            }
            logFormat = known
        } else {
            logFormat = .text
        }
        audiences = try Self.audiences(first("audiences", \.audiences))
        keepRuns = try number("keep_runs", \.keepRuns, standard: 14, in: 1...10_000)
        let warn = try number("freshness_warn_days", \.freshnessWarnDays, standard: 3, in: 1...3660)
        let fail = try number("freshness_fail_days", \.freshnessFailDays, standard: 3660, in: 1...3660)
        guard warn <= fail else {
            throw SettingError(
                origin: "settings", problem: "freshness_warn_days (\(warn)) is above freshness_fail_days (\(fail))",
                remedy: "warn before it fails")
        }
        freshnessWarnDays = warn
        freshnessFailDays = layers.contains { $0.0.freshnessFailDays != nil } ? fail : nil
    }

    private static func audiences(
        _ found: (value: [String], origin: String)?
    ) throws(SettingError) -> [Audience] {
        guard let found else { return [.release, .staff] }
        let known = Audience.allCases.filter { found.value.contains($0.rawValue) }
        guard !known.isEmpty, found.value.allSatisfy({ Audience(rawValue: $0) != nil }) else {
            throw SettingError(
                origin: found.origin, problem: "audiences is not a list of release and staff",
                remedy: "write [release, staff], or one of them")
        }
        return known
    }
}
