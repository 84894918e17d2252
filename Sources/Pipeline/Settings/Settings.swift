import Foundation
package import Privacy
package import Profiles
import StrictYAML

/// What a run is told besides its exports, resolved once: flags before environment, project file, user file (SPEC §9).
package struct Settings: Sendable {
    package let profile: String?
    package let rules: String?
    package let zone: String?
    package let jobs: Int
    package let disclosure: DisclosureTerms
    /// For whom reports are made unless a command says otherwise.
    package let audience: Audience
    package let maximumRejectPerMillion: Int?
    /// The configured lists; a profile's own take their place.
    package let vocabulary: Vocabulary
    package let nightly: NightlySettings
    package let rows: RowSettings
    /// Whether the lists are configured, rather than the standard ones.
    package let hasLists: Bool
    /// Each setting that somebody made, with its place: `zone: /home/ops/tripkpi.yaml`.
    package let origins: [String]

    /// Fewer than 11 need an approval on record, which a flag or a variable is not (45 CFR 164.514(b)(1), CMS policy).
    package static let standardMinimumCell = 11

    /// Everything the answer depends on.
    package struct Surroundings: Sendable {
        package var environment: [String: String]
        package var workingFolder: String
        package var processors: Int

        package init(environment: [String: String], workingFolder: String, processors: Int) {
            self.environment = environment
            self.workingFolder = workingFolder
            self.processors = processors
        }
    }

    /// - Parameters:
    ///   - flags: what the command line says.
    ///   - config: the project file by `--config`; nil: `TRIPKPI_CONFIG`, else `tripkpi.yaml` of the working folder.
    package init(flags: SettingLayer, config: String?, surroundings: Surroundings) throws {
        var layers = [flags, try SettingLayer.environment(surroundings.environment)]
        for path in try Self.files(config: config, surroundings) {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw SettingError(origin: path, problem: "it cannot be read", remedy: "check the path and its mode")
            }
            layers.append(try SettingLayer.file(path, bytes: Array(data)))
        }
        var origins: [String] = []
        func first<Value>(_ key: String, _ value: (SettingLayer) -> Value?) -> (value: Value, origin: String)? {
            for layer in layers {
                if let found = value(layer) {
                    origins.append("\(key): \(layer.origin)")
                    return (found, layer.origin)
                }
            }
            return nil
        }
        profile = first("profile", \.profile)?.value
        rules = first("rules", \.rules)?.value
        let zone = first("zone", \.zone)
        let jobs = first("jobs", \.jobs)
        let minimum = first("minimum_cell", \.minimumCell)
        maximumRejectPerMillion = first("max_reject", \.maximumRejectPerMillion)?.value
        if let zone { try Self.check(zone: zone.value, origin: zone.origin) }
        if let jobs, !(1...256).contains(jobs.value) {
            throw SettingError(origin: jobs.origin, problem: "jobs is out of range", remedy: "give 1 to 256")
        }
        if let minimum { try Self.check(minimumCell: minimum.value, origin: minimum.origin) }
        self.zone = zone?.value
        self.jobs = jobs?.value ?? max(1, surroundings.processors)
        nightly = try NightlySettings(layers.map { ($0.nightly, origin: $0.origin) }) { origins.append($0) }
        var disclosure = DisclosureTerms()
        disclosure.minimumCell = minimum?.value ?? Self.standardMinimumCell
        disclosure.keptMargin = try Self.choice("keep_margin", first("keep_margin", \.keepMargin)) ?? .region
        disclosure.revisions = try Self.choice("revisions", first("revisions", \.revisions)) ?? .quarterly
        disclosure.missingCounts =
            try Self.choice("missing_counts", first("missing_counts", \.missingCounts)) ?? .publish
        self.disclosure = disclosure
        audience = try Self.choice("audience", first("audience", \.audience)) ?? .release
        rows = try RowSettings(layers.map { ($0.rows, origin: $0.origin) }) { origins.append($0) }
        let lists = first("lists", \.lists)
        vocabulary = try lists.map { try VocabularyYAML.read($0.value, standard: .standard) } ?? .standard
        hasLists = lists != nil
        self.origins = origins
    }

    private static func files(config: String?, _ surroundings: Surroundings) throws -> [String] {
        let environment = surroundings.environment
        var files: [String] = []
        let named = config ?? environment["TRIPKPI_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        let own = surroundings.workingFolder + "/tripkpi.yaml"
        if let named {
            files.append(named)
        } else if FileManager.default.fileExists(atPath: own) {
            files.append(own)
        }
        let base =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].map { $0 + "/.config" }
        if let user = base.map({ $0 + "/tripkpi/tripkpi.yaml" }), FileManager.default.fileExists(atPath: user) {
            files.append(user)
        }
        return files
    }

    /// One of the words of a list; nil where nothing is set.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ found: (value: String, origin: String)?
    ) throws(SettingError) -> Choice? {
        guard let found else { return nil }
        guard let choice = Choice(rawValue: found.value) else {
            throw SettingError(
                origin: found.origin, problem: "\(key) is not one of its words",
                remedy: "write \(Choice.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        return choice
    }

    private static func check(zone: String, origin: String) throws(SettingError) {
        guard TimeZone(identifier: zone) != nil else {
            throw SettingError(
                origin: origin, problem: "there is no zone “\(zone)”",
                remedy: "use an IANA name such as America/New_York")
        }
    }

    private static func check(minimumCell: Int, origin: String) throws(SettingError) {
        guard (2...1000).contains(minimumCell) else {
            throw SettingError(
                origin: origin, problem: "a minimum cell of \(minimumCell) cannot be kept",
                remedy: "give 11, or as approved")
        }
        guard minimumCell >= standardMinimumCell || (origin != "flags" && origin != "environment") else {
            throw SettingError(
                origin: origin, problem: "a minimum cell below \(standardMinimumCell) needs an approval on record",
                remedy: "write minimum_cell to the project file, with who approved it in a comment")
        }
    }

    /// `1%`, `0.5%` or `0.01`, as parts of a million; nil for anything else.
    package static func perMillion(_ text: String) -> Int? {
        let isPercent = text.hasSuffix("%")
        let digits = isPercent ? text.dropLast() : text[...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let value = Double(digits) else {
            return nil
        }
        let share = isPercent ? value / 100 : value
        return share <= 1 ? Int((share * 1_000_000).rounded()) : nil
    }

    /// Seconds since 1970: `SOURCE_DATE_EPOCH` where it is set, so that outputs can be made again to the byte.
    package static func generatedAt(
        environment: [String: String], now: () -> Int
    ) throws(SettingError) -> Int {
        guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return now() }
        guard let seconds = Int(text), (0...253_402_300_799).contains(seconds) else {
            throw SettingError(
                origin: "SOURCE_DATE_EPOCH", problem: "it is not a number of seconds since 1970",
                remedy: "write digits, as `date +%s` prints them")
        }
        return seconds
    }
}
