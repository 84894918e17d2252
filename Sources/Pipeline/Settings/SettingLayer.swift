import Foundation
import StrictYAML

/// What one place says about a run: the flags, the environment, or a file. Nil: nothing.
package struct SettingLayer: Sendable {
    /// `flags`, `environment`, or the path of the file.
    package let origin: String
    package var profile: String?
    package var rules: String?
    package var zone: String?
    package var jobs: Int?
    package var minimumCell: Int?
    /// For whom reports are made: `release` or `staff`.
    package var audience: String?
    /// Which totals of the release stay whole: `region` or `type`.
    package var keepMargin: String?
    /// How often the release is revised: `monthly`, `quarterly` or `yearly`.
    package var revisions: String?
    /// Whether the release shows counts of missing values: `publish` or `omit`. Only files may say it.
    var missingCounts: String?
    package var maximumRejectPerMillion: Int?
    /// Where the nightly run finds and puts things, and how it runs.
    package var nightly = NightlyLayer()
    package var rows = RowLayer()
    /// The file, if it states regions or trip types.
    var lists: YAMLValue?

    package init(origin: String) {
        self.origin = origin
    }

    static let keys =
        [
            "profile", "rules", "zone", "jobs", "minimum_cell", "audience", "keep_margin", "revisions",
            "missing_counts", "max_reject", "regions", "trip_types",
        ] + NightlyLayer.keys + RowLayer.keys

    /// `TRIPKPI_PROFILE`, `_RULES`, `_ZONE`, `_JOBS`, `_MINIMUM_CELL`, `_AUDIENCE`, `_KEEP_MARGIN`, `_REVISIONS`,
    /// `_MAX_REJECT`, and those of `NightlyLayer`; an empty one says nothing.
    static func environment(_ environment: [String: String]) throws(SettingError) -> SettingLayer {
        var layer = SettingLayer(origin: "environment")
        func value(_ name: String) -> String? { environment["TRIPKPI_" + name].flatMap { $0.isEmpty ? nil : $0 } }
        func whole(_ name: String) throws(SettingError) -> Int? {
            guard let text = value(name) else { return nil }
            guard let number = Int(text) else {
                throw SettingError(
                    origin: "TRIPKPI_\(name)", problem: "it is not a whole number", remedy: "write digits")
            }
            return number
        }
        layer.profile = value("PROFILE")
        layer.rules = value("RULES")
        layer.zone = value("ZONE")
        layer.jobs = try whole("JOBS")
        layer.minimumCell = try whole("MINIMUM_CELL")
        layer.audience = value("AUDIENCE")
        layer.keepMargin = value("KEEP_MARGIN")
        layer.revisions = value("REVISIONS")
        // Ignored, it would publish the counts that somebody wants to leave out.
        guard value("MISSING_COUNTS") == nil else {
            throw SettingError(
                origin: "TRIPKPI_MISSING_COUNTS", problem: "missing_counts is not taken from the environment",
                remedy: "write missing_counts: omit to the project file")
        }
        if let text = value("MAX_REJECT") {
            guard let share = Settings.perMillion(text) else {
                throw SettingError(
                    origin: "TRIPKPI_MAX_REJECT", problem: "it is not a share", remedy: "write 1% or 0.01")
            }
            layer.maximumRejectPerMillion = share
        }
        layer.nightly = try NightlyLayer.environment(value)
        layer.rows = RowLayer.environment(value)
        return layer
    }

    /// Reads a file. Paths in it are relative to its folder.
    static func file(_ path: String, bytes: [UInt8]) throws(ConfigurationError) -> SettingLayer {
        var layer = SettingLayer(origin: path)
        let root = try YAMLValue.parse(bytes: bytes, file: path)
        let mapping = try root.mapping(allowed: keys)
        layer.profile = try mapping.optional("profile").map { value throws(ConfigurationError) in
            Self.beside(path, try value.string())
        }
        layer.rules = try mapping.optional("rules").map { value throws(ConfigurationError) in
            Self.beside(path, try value.string())
        }
        layer.zone = try mapping.optional("zone").map { value throws(ConfigurationError) in try value.string() }
        layer.jobs = try mapping.optional("jobs").map { value throws(ConfigurationError) in try value.int() }
        layer.minimumCell = try mapping.optional("minimum_cell").map { value throws(ConfigurationError) in
            try value.int()
        }
        layer.audience = try mapping.optional("audience").map { value throws(ConfigurationError) in try value.string() }
        layer.keepMargin = try mapping.optional("keep_margin").map { value throws(ConfigurationError) in
            try value.string()
        }
        layer.revisions = try mapping.optional("revisions").map { value throws(ConfigurationError) in
            try value.string()
        }
        layer.missingCounts = try mapping.optional("missing_counts").map { value throws(ConfigurationError) in
            try value.string()
        }
        if let value = mapping.optional("max_reject") {
            guard let share = Settings.perMillion(try value.string()) else {
                throw value.error("max_reject is not a share", hint: "write 1% or 0.01")
            }
            layer.maximumRejectPerMillion = share
        }
        layer.nightly = try NightlyLayer.file(path, mapping)
        layer.rows = try RowLayer.file(path, mapping)
        if mapping.optional("regions") != nil || mapping.optional("trip_types") != nil { layer.lists = root }
        return layer
    }

    /// A path with a folder in it lies beside the file; a bare name is one of the shipped ones.
    private static func beside(_ file: String, _ name: String) -> String {
        guard name.contains("/"), !name.hasPrefix("/") else { return name }
        return URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(name).path
    }
}

/// A setting that cannot be taken: where it stands, what is wrong, how to mend it.
package struct SettingError: Error, Sendable, Hashable, CustomStringConvertible {
    package let origin: String
    package let problem: String
    package let remedy: String

    package var description: String { "\(origin): \(problem); \(remedy)" }
}
