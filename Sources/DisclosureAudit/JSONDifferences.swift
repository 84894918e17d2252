import KPIContract

extension CanonicalJSON {
    /// Where a value differs from the one that is expected, such as `cells (2026-01, North, All).duration.mean`. Names
    /// are the expected ones.
    func differences(from expected: CanonicalJSON, at path: String = "") -> [String] {
        switch (self, expected) {
        case (.null, .null), (.absent, .absent): return []
        case (.bool(let value), .bool(let own)): return value == own ? [] : [path]
        case (.number(let value), .number(let own)), (.text(let value), .text(let own)):
            return value == own ? [] : [path]
        case (.list(let values), .list(let own)) where values.count == own.count:
            return zip(values, own).flatMap { $0.differences(from: $1, at: path + $1.elementName) }
        case (.object(let members), .object(let own)) where members.map(\.name) == own.map(\.name):
            return zip(members, own).flatMap { member, own in
                member.value.differences(from: own.value, at: path.isEmpty ? own.name : "\(path).\(own.name)")
            }
        case (.null, _), (.bool, _), (.number, _), (.text, _), (.list, _), (.object, _), (.absent, _): return [path]
        }
    }

    /// What an object of a list is about.
    private var elementName: String {
        guard case .object(let members) = self else { return "" }
        let names = members.compactMap { member -> String? in
            guard case .text(let text) = member.value, Self.names.contains(member.name) else { return nil }
            return text
        }
        return " (\(names.joined(separator: ", ")))"
    }

    private static let names: Set<String> = ["id", "month", "population", "measure", "region", "tripType", "kind"]
}
