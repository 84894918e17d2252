/// A key of a JSON object by its name, where the names are those of a list.
package struct NamedKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(_ name: some StringProtocol) { stringValue = String(name) }
    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}
