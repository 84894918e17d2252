package import Crosswalk
package import Operations

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
    /// Whether the month that still grows is left out of what the store publishes: from one night to the next it tells
    /// the trips of a day.
    package let withholdsRunningMonth: Bool
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
        withholdsRunningMonth = try Self.withholdsRunningMonth(layers, note: note)
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

    /// It is withheld unless it is said that it is published; of several `withhold` counts: a variable cannot take back
    /// what a file says.
    private static func withholdsRunningMonth(
        _ layers: [(NightlyLayer, origin: String)], note: (String) -> Void
    ) throws(SettingError) -> Bool {
        let said = layers.compactMap { layer, origin in layer.runningMonth.map { (value: $0, origin: origin) } }
        for (value, origin) in said where !["publish", "withhold"].contains(value) {
            throw SettingError(
                origin: origin, problem: "running_month is neither publish nor withhold", remedy: "write one of them")
        }
        guard let counts = said.first(where: { $0.value == "withhold" }) ?? said.first else { return true }
        note("running_month: \(counts.origin)")
        return counts.value == "withhold"
    }
}
