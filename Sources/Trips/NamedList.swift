/// A configured list of names (regions, trip types) behind small codes: code 0 is `Unassigned`, then the names in the
/// order of the configuration, which is also the order of all outputs.
package struct NamedList: Sendable, Hashable {
    package static let unassigned = "Unassigned"

    /// All names by code; the first is `Unassigned`.
    package let names: [String]

    /// At most 254 distinct names; `Unassigned` among them is not counted twice.
    package init(_ names: [String]) {
        self.names = [Self.unassigned] + names.filter { $0 != Self.unassigned }
    }

    package func code(of name: String) -> UInt8? {
        names.firstIndex(of: name).flatMap { UInt8(exactly: $0) }
    }

    /// `Unassigned` for a code that is not in the list.
    package func name(of code: UInt8) -> String {
        names.indices.contains(Int(code)) ? names[Int(code)] : Self.unassigned
    }
}

extension NamedList {
    /// The code of a name written in another case.
    package func code(ignoringCase name: String) -> UInt8? {
        let folded = name.lowercased()
        return names.firstIndex { $0.lowercased() == folded }.flatMap { UInt8(exactly: $0) }
    }
}
