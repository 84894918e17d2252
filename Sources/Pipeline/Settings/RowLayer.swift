package import Deidentification
import Foundation
import StrictYAML

/// What one place says about row-level output. Nil: nothing.
package struct RowLayer: Sendable {
    /// `none`, or a profile's name.
    package var feed: String?
    package var shownProviders: String?
    /// Only a file may say it: it is a claim that somebody answers for.
    package var regionsAreStates: Bool?

    package init() {}

    static let keys = ["trips_feed", "shown_providers", "regions_are_states"]

    static func environment(_ value: (String) -> String?) -> RowLayer {
        var layer = RowLayer()
        layer.feed = value("TRIPS_FEED")
        layer.shownProviders = value("SHOWN_PROVIDERS")
        return layer
    }

    /// Paths of a file are relative to its folder.
    static func file(_ path: String, _ mapping: YAMLMapping) throws(ConfigurationError) -> RowLayer {
        var layer = RowLayer()
        layer.feed = try mapping.optional("trips_feed").map { value throws(ConfigurationError) in try value.string() }
        layer.regionsAreStates = try mapping.optional("regions_are_states").map { value throws(ConfigurationError) in
            try value.bool()
        }
        if let name = try mapping.optional("shown_providers").map({ value throws(ConfigurationError) in
            try value.string()
        }) {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            layer.shownProviders = name.hasPrefix("/") ? name : folder.appendingPathComponent(name).path
        }
        return layer
    }
}

/// What may be shown row by row, and whether rows are published, resolved once.
package struct RowSettings: Sendable {
    /// Nil: no rows are published.
    package let feed: PrivacyProfile.Name?
    package let shownProviders: String?
    package let regionsAreStates: Bool

    /// - Parameter note: takes each setting that somebody made, with its place.
    init(_ layers: [(RowLayer, origin: String)], note: (String) -> Void) throws(SettingError) {
        func first<Value>(_ key: String, _ member: (RowLayer) -> Value?) -> (value: Value, origin: String)? {
            for (layer, origin) in layers {
                if let value = member(layer) {
                    note("\(key): \(origin)")
                    return (value, origin)
                }
            }
            return nil
        }
        if let named = first("trips_feed", \.feed), named.value != "none" {
            guard let name = PrivacyProfile.Name(rawValue: named.value) else {
                throw SettingError(
                    origin: named.origin, problem: "trips_feed is no privacy profile",
                    remedy: "write none, safe-harbor or limited-data-set")
            }
            feed = name
        } else {
            feed = nil
        }
        shownProviders = first("shown_providers", \.shownProviders)?.value
        regionsAreStates = first("regions_are_states", \.regionsAreStates)?.value ?? false
    }

    /// What rows of the profile of that name are made by; nil if there is none.
    package func request(named name: String) -> TripRowTerms.Request? {
        PrivacyProfile.Name(rawValue: name).map { request($0) }
    }

    /// What rows of this profile are made by.
    package func request(_ profile: PrivacyProfile.Name) -> TripRowTerms.Request {
        TripRowTerms.Request(profile: profile, regionsAreStates: regionsAreStates, shownProviders: shownProviders)
    }
}
