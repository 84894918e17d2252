internal import Trips

/// The tests of conditions on fields whose values may not be kept: for each such field whether it is present, then
/// every distinct test of it.
struct HiddenTests: Sendable {
    struct Field: Sendable {
        let name: String
        var conditions: [Condition]
        /// The name of each condition.
        var names: [String]
    }

    private(set) var fields: [Field] = []

    init(_ conditions: [Condition], clear: [String], name: (Condition) -> String?) {
        for test in conditions.flatMap(\.tests) {
            guard let field = test.testedField, !clear.contains(field), let text = name(test) else { continue }
            let place = fields.firstIndex { $0.name == field } ?? fields.count
            if place == fields.count {
                let presence = Condition.presenceName(of: field)
                fields.append(Field(name: field, conditions: [.present(field: field)], names: [presence]))
            }
            guard !fields[place].names.contains(text) else { continue }
            fields[place].conditions.append(test)
            fields[place].names.append(text)
        }
    }
}
