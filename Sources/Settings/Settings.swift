package import Basics
import Files
import Foundation
package import KPIContract
package import Keys
package import Operations
package import Privacy
package import Profiles
import StrictYAML
package import Trips

/// The settings of a run, resolved once from flags, environment, project file, user file and defaults.
/// `Setting` describes each.
package struct Settings: Sendable {
    // Meaning of the exports.
    package let profile: String?
    package let rules: String?
    package let zone: String?
    package let maximumRejectPerMillion: Int?
    /// Limits of the values of exports.
    package let valueLimits: ValueLimits
    /// The configured lists. A profile's own lists replace them.
    package let vocabulary: Vocabulary
    /// Whether the lists are configured, rather than the standard ones.
    package let hasLists: Bool
    /// The months of the figures.
    package let months: MonthLimits
    /// What measures are to reach; the figures do not depend on it.
    package let targets: [MeasureTarget]
    // Files and folders.
    /// The folder of the user's own profiles; there may be none.
    package let profiles: String
    package let store: String
    package let inbox: String
    package let reports: String
    package let keyFile: String
    package let auditLog: String
    /// Whether the audit log is named, rather than beside the store.
    package let isAuditLogNamed: Bool
    /// Nil: no metrics are written.
    package let metricsFile: String?
    /// Nil: no identifiers are kept.
    package let crosswalk: CrosswalkPaths?
    // Disclosure control.
    package let disclosure: DisclosureSettings
    /// The audience of reports.
    package let audience: Audience
    /// The audiences of published sets, without repetition.
    package let audiences: [Audience]
    package let hasStaffWorkbooks: Bool
    /// The privacy profile by which rows are published; nil: none are.
    package let tripsFeed: String?
    package let shownProviders: String?
    package let regionsAreStates: Bool
    // Operation.
    package let jobs: Int
    package let keepRuns: Int
    package let retention: RetentionTimes
    package let releaseApproval: ReleaseApproval
    package let logFormat: LogFormat
    package let freshnessWarnDays: Int
    /// Nil: a run never fails because the newest trip is old.
    package let freshnessFailDays: Int?
    // The API.
    /// `HOST:PORT`
    package let apiListen: String
    /// Nil: there are no tokens.
    package let apiKeys: String?
    package let apiIssuer: String?
    package let apiAudience: String
    /// Nil: plain HTTP.
    package let apiCertificate: String?
    package let apiCertificateKey: String?
    package let apiBehindProxy: Bool
    /// 0: any number.
    package let apiRequestsPerSecond: Int
    package let apiConnectionsPerAddress: Int
    /// `https://HOST[:PORT]`
    package let apiCORSOrigins: [String]
    /// Nil: none are written.
    package let apiMetricsFile: String?
    /// The settings files that were read, the first decides.
    package let files: [String]
    /// Each setting that is not a default, with its origin: `zone: /home/ops/tripkpi.yaml`.
    package let origins: [String]

    /// - Parameters:
    ///   - config: the project file of `--config`; nil: `TRIPKPI_CONFIG`, else `tripkpi.yaml` in the working folder.
    ///   - processors: the default of `jobs`.
    /// - Throws: `SettingError`, `ConfigurationError` or, for regions and trip types, `ConfigurationErrors`.
    package init(
        flags: SettingLayer, config: String?, environment: [String: String], workingFolder: String, processors: Int
    ) throws {
        var layers = [flags, try SettingLayer.environment(environment)]
        files = try Self.files(config: config, environment, workingFolder)
        for path in files {
            layers.append(try SettingLayer.file(path, bytes: Self.bytes(ofFile: path)))
        }
        let values = try SettingValues(layers)
        origins = values.origins
        profile = values.text(.profile)
        rules = values.text(.rules)
        zone = values.text(.zone)
        if let zone, TimeZone(identifier: zone) == nil {
            throw SettingError(
                origin: values.origin(of: .zone), problem: "there is no zone “\(zone)”",
                remedy: "use an IANA name such as America/New_York")
        }
        let (first, last) = (try values.month(.firstMonth), try values.month(.lastMonth))
        if let first, let last, first > last {
            throw SettingError(
                origin: values.origin(of: .lastMonth), problem: "last_month (\(last)) is before first_month (\(first))",
                remedy: "exchange them")
        }
        months = MonthLimits(first: first, last: last)
        targets = values.targets
        maximumRejectPerMillion = values.text(.maxReject).flatMap(Self.perMillion)
        valueLimits = ValueLimits(
            maximumUnreadablePerMillion: values.text(.maxUnreadable).flatMap(Self.perMillion),
            maximumMiles: try values.optionalNumber(.maxMiles))
        hasLists = values.lists != nil
        vocabulary = try values.lists.map { try VocabularyYAML.read($0, standard: .standard) } ?? .standard

        profiles = values[.profiles]
        store = values[.store]
        inbox = values[.inbox]
        reports = values[.reports]
        keyFile = values.text(.keyFile) ?? store + ".key"
        auditLog = values.text(.auditLog) ?? store + ".audit.jsonl"
        isAuditLogNamed = values.text(.auditLog) != nil
        metricsFile = values.text(.metricsFile)
        let paths = values.texts(.crosswalk)
        crosswalk = paths.isEmpty ? nil : CrosswalkPaths(file: paths[0], keyFile: paths[1], store: store)

        disclosure = try DisclosureSettings(values, ownFile: Self.userFile(environment))
        audience = try values.choice(.audience)
        audiences = try values.choices(.audiences)
        hasStaffWorkbooks = values[.staffWorkbooks] == "true"
        let feed: String? = values[.tripsFeed] == "none" ? nil : values[.tripsFeed]
        if let feed, PrivacyProfile(rawValue: feed) == nil { throw values.error(.tripsFeed) }
        tripsFeed = feed
        shownProviders = values.text(.shownProviders)
        regionsAreStates = values[.regionsAreStates] == "true"

        jobs = try values.optionalNumber(.jobs) ?? max(1, processors)
        keepRuns = try values.number(.keepRuns)
        retention = RetentionTimes(values.texts(.retention))
        releaseApproval = try values.choice(.releaseApproval)
        logFormat = try values.choice(.logFormat)
        let warn = try values.number(.freshnessWarnDays)
        let fail = try values.optionalNumber(.freshnessFailDays)
        if let fail, warn > fail {
            throw SettingError(
                origin: "settings", problem: "freshness_warn_days (\(warn)) is above freshness_fail_days (\(fail))",
                remedy: "lower freshness_warn_days")
        }
        freshnessWarnDays = warn
        freshnessFailDays = fail
        apiListen = values[.apiListen]
        apiKeys = values.text(.apiKeys)
        apiIssuer = values.text(.apiIssuer)
        apiAudience = values[.apiAudience]
        apiCertificate = values.text(.apiCertificate)
        apiCertificateKey = values.text(.apiCertificateKey)
        apiBehindProxy = values[.apiBehindProxy] == "true"
        apiRequestsPerSecond = try values.number(.apiRequestsPerSecond)
        apiConnectionsPerAddress = try values.number(.apiConnectionsPerAddress)
        apiCORSOrigins = try values.webOrigins(.apiCORSOrigins)
        apiMetricsFile = values.text(.apiMetricsFile)
    }

    /// The project file and the user file, as far as they are there. A project file that is named is never left out. A file that
    /// cannot be looked up is no missing file: without its settings, months could be released that it holds back.
    static func files(
        config: String?, _ environment: [String: String], _ workingFolder: String
    ) throws -> [String] {
        func path(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
        var files: [String] = []
        let own = workingFolder + "/tripkpi.yaml"
        if let named = config ?? path("TRIPKPI_CONFIG") {
            files.append(named)
        } else if workingFolder.isEmpty {
            throw FileError(
                "the working folder", "be looked up", code: EIO, remedy: "change to another folder, or use --config")
        } else if try isThere(own) {
            files.append(own)
        }
        if let user = userFile(environment), try isOwn(user) { files.append(user) }
        return files
    }

    /// A home that this user may not search is not this user's, as under a service or after `sudo`.
    private static func isOwn(_ path: String) throws -> Bool {
        do throws(FileError) {
            return try FileStatus.lookUp(path) != nil
        } catch {
            if error.isPermission { return false }
            throw failure(path, error)
        }
    }

    private static func isThere(_ path: String) throws -> Bool {
        do throws(FileError) { return try FileStatus.lookUp(path) != nil } catch { throw failure(path, error) }
    }

    /// - Throws: `SettingError`, or `FileError` where the machine failed and not the path.
    static func bytes(ofFile path: String) throws -> [UInt8] {
        do throws(FileError) {
            let file = try OpenFile(path, for: .readLinked)
            // A pipe says that it has 0 bytes, and would be a file without settings.
            guard try file.status().kind == .file else {
                throw FileError(path, "be read", code: EISDIR, reason: "it is not a file")
            }
            return try file.read()
        } catch {
            throw failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: FileError) -> any Error {
        if error.isPassing { return error }
        return SettingError(
            origin: path, problem: "it cannot be read (\(error.reason))", remedy: "check the path and its mode")
    }

    private static func userFile(_ environment: [String: String]) -> String? {
        let base =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].map { $0 + "/.config" }
        return base.map { $0 + "/tripkpi/tripkpi.yaml" }
    }

    /// The policy of rows by the privacy profile of this name.
    package func rowPolicy(
        named name: String, data: DataFolder, generatedAt: UTCTime
    ) throws -> RowPolicy {
        guard let profile = PrivacyProfile(rawValue: name) else {
            throw SettingError(
                origin: "privacy profile", problem: "there is no “\(name)”",
                remedy: "use safe-harbor or limited-data-set")
        }
        return try RowPolicy(
            profile: profile, regionsAreStates: regionsAreStates, shownProviders: shownProviders, data: data,
            minimumCell: disclosure.minimumCell, generatedAt: generatedAt)
    }

    /// `1%`, `0.5%` or `0.01` as parts of a million; nil for anything else.
    package static func perMillion(_ text: String) -> Int? {
        let isPercent = text.hasSuffix("%")
        let digits = isPercent ? text.dropLast() : text[...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let value = Double(digits) else {
            return nil
        }
        let fraction = isPercent ? value / 100 : value
        return fraction <= 1 ? Int((fraction * 1_000_000).rounded()) : nil
    }

    /// Now, or `SOURCE_DATE_EPOCH` where it is set, so that an output can be reproduced to the byte.
    package static func generatedAt(environment: [String: String], now: () -> UTCTime) throws(SettingError) -> UTCTime {
        guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return now() }
        guard let seconds = Int(text), (0...253_402_300_799).contains(seconds) else {
            throw SettingError(
                origin: "SOURCE_DATE_EPOCH", problem: "it is not a number of seconds since 1970",
                remedy: "write digits, as `date +%s` prints them")
        }
        return UTCTime(secondsSince1970: seconds)
    }
}
