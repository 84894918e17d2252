import Foundation
import StrictYAML

/// What one place says about the nightly run. Nil: nothing.
package struct NightlyLayer: Sendable {
    package var store: String?
    package var inbox: String?
    package var reports: String?
    /// The path of the key, and never the key, which no flag, variable or settings file may hold (SPEC §5).
    package var keyFile: String?
    package var auditLog: String?
    package var metricsFile: String?
    /// Of a settings file only: what is kept of patients is not for a flag to say.
    var crosswalk: (file: String, keyFile: String)?
    package var logFormat: String?
    /// For whom sets are published: `release`, `staff` or both.
    package var audiences: [String]?
    package var keepRuns: Int?
    package var freshnessWarnDays: Int?
    package var freshnessFailDays: Int?

    package init() {}

    static let paths: [(key: String, any WritableKeyPath<NightlyLayer, String?> & Sendable)] = [
        ("store", \.store), ("inbox", \.inbox), ("reports", \.reports), ("key_file", \.keyFile),
        ("audit_log", \.auditLog), ("metrics_file", \.metricsFile),
    ]
    static let numbers: [(key: String, any WritableKeyPath<NightlyLayer, Int?> & Sendable)] = [
        ("keep_runs", \.keepRuns), ("freshness_warn_days", \.freshnessWarnDays),
        ("freshness_fail_days", \.freshnessFailDays),
    ]
    static let keys =
        paths.map { $0.key } + numbers.map { $0.key }
        + ["log_format", "audiences", "crosswalk"]

    /// `TRIPKPI_STORE`, `TRIPKPI_KEY_FILE` and so on: the keys of the file in capitals.
    static func environment(_ value: (String) -> String?) throws(SettingError) -> NightlyLayer {
        var layer = NightlyLayer()
        for (key, path) in paths { layer[keyPath: path] = value(key.uppercased()) }
        layer.logFormat = value("LOG_FORMAT")
        layer.audiences = value("AUDIENCES").map { text in
            text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        for (key, path) in numbers {
            guard let text = value(key.uppercased()) else { continue }
            guard let number = Int(text) else {
                throw SettingError(
                    origin: "TRIPKPI_\(key.uppercased())", problem: "it is not a whole number", remedy: "write digits")
            }
            layer[keyPath: path] = number
        }
        return layer
    }

    /// Paths of a file are relative to its folder, a bare name too.
    static func file(_ path: String, _ mapping: YAMLMapping) throws(ConfigurationError) -> NightlyLayer {
        var layer = NightlyLayer()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        for (key, member) in paths {
            guard let value = mapping.optional(key) else { continue }
            layer[keyPath: member] = try Self.path(value, key, in: folder)
        }
        if let value = mapping.optional("crosswalk") {
            let places = try value.mapping(allowed: ["file", "key_file"])
            layer.crosswalk = (
                try Self.path(places.required("file"), "file", in: folder),
                try Self.path(places.required("key_file"), "key_file", in: folder)
            )
        }
        for (key, member) in numbers {
            layer[keyPath: member] = try mapping.optional(key).map { value throws(ConfigurationError) in
                try value.int()
            }
        }
        layer.logFormat = try mapping.optional("log_format").map { value throws(ConfigurationError) in
            try value.string()
        }
        layer.audiences = try mapping.optional("audiences").map { value throws(ConfigurationError) in
            try value.strings()
        }
        return layer
    }

    private static func path(_ value: YAMLValue, _ key: String, in folder: URL) throws(ConfigurationError) -> String {
        let name = try value.string()
        guard !name.isEmpty else {
            throw value.error("\(key) is empty", hint: "write a path, or leave the key out")
        }
        return name.hasPrefix("/") ? name : folder.appendingPathComponent(name).path
    }
}
