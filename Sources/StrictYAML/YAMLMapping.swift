/// A mapping whose keys have been checked against the known ones; see `YAMLValue.mapping(allowed:)`.
package struct YAMLMapping: Sendable {
    /// In file order.
    package let entries: [YAMLValue.Entry]
    package let place: YAMLValue.Location

    /// The value of a key that may be left out.
    package func optional(_ key: String) -> YAMLValue? {
        entries.first { $0.key == key }?.value
    }

    /// The value of a key that must be there.
    package func required(_ key: String) throws(ConfigurationError) -> YAMLValue {
        guard let value = optional(key) else {
            throw place.error("“\(key)” is missing", hint: "add “\(key): …”")
        }
        return value
    }

    /// The place of a key; the mapping's place if the key is not there.
    package func place(ofKey key: String) -> YAMLValue.Location {
        entries.first { $0.key == key }?.keyPlace ?? place
    }
}
