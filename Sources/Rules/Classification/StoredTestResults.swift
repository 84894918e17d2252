import Basics
internal import Files
internal import Trips

/// The outcomes of a rule set's tests on fields whose values may not be kept, by the name of each test (decision 0006).
///
/// Its text, one line of ASCII, is what a store keeps:
/// `invoice_number present: no; vehicle_id prefix va: yes; vehicle_id present: yes`.
struct StoredTestResults: Sendable, Hashable {
    /// Outcome by `FieldTest.storedName`.
    private var outcomes: [String: Bool]

    init(outcomes: [String: Bool]) {
        self.outcomes = outcomes
    }

    /// Reads what `text` wrote. What cannot be read is left out: a test without outcome is not known, never guessed.
    init(text: String) {
        var outcomes: [String: Bool] = [:]
        for entry in text.split(separator: ";") {
            let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let name = String(parts[0].drop { $0 == " " })
            switch parts[1] {
            case " yes": outcomes[name] = true
            case " no": outcomes[name] = false
            default: continue
            }
        }
        self.outcomes = outcomes
    }

    /// In the order of the names. Of a field without a value only its absence is written: every test of it fails.
    var text: String {
        outcomes.sorted { $0.key < $1.key }
            .filter { $0.key.hasSuffix(" present") || outcomes[$0.key.prefix { $0 != " " } + " present"] != false }
            .map { "\($0.key): \($0.value ? "yes" : "no")" }.joined(separator: "; ")
    }

    /// Takes over the outcomes of the fields that a part of the trip has; what it does not have stays.
    mutating func fill(from part: StoredTestResults) {
        for (name, isPresent) in part.outcomes where isPresent && name.hasSuffix(" present") {
            let field = name.prefix { $0 != " " } + " "
            guard name == field + "present" else { continue }
            outcomes = outcomes.filter { !$0.key.hasPrefix(field) }
            outcomes.merge(part.outcomes.filter { $0.key.hasPrefix(field) }) { $1 }
        }
    }

    /// The outcome of the test of this name on this field; nil: not known.
    func outcome(of name: String, field: String) -> Bool? {
        outcomes[FieldTest(field, .present).storedName] == false ? false : outcomes[name]
    }
}

extension FieldTest {
    /// Whether the store keeps the values of the field.
    var isOfStoredField: Bool { StoredText.publicFields.contains { $0.field.rawValue == field } }

    /// The name of the test in the store: `vehicle_id prefix va`, `provider_npi roster inHouse #5d41…`. Tests of one
    /// name have one outcome for every value and day.
    ///
    /// It is ASCII without `;`, `:` and `,` inside an operand; the order in which a list is written does not matter.
    var storedName: String {
        switch kind {
        case .present: return Self.escaped(field) + " present"
        case .isIn(let values): return name("in", list: values)
        case .prefix(let prefixes): return name("prefix", list: prefixes)
        case .containsToken(let tokens): return name("token", list: tokens)
        case .regex(let pattern): return name("regex", [Self.escaped(pattern)])
        case .range(let minimum, let maximum):
            let bounds = [minimum, maximum].map { $0.map(String.init(describing:)) ?? "" }
            return name("range", [Self.escaped(bounds.joined(separator: ".."))])
        case .roster(let roster, let sourcing):
            // Keys without a comma come first and days have none, so different entries are different lines.
            let lines = roster.entries.filter { $0.sourcing == sourcing }.map { entry in
                let days = [entry.from, entry.to].map { $0?.description ?? "" }
                return ([Self.escaped(FoldedText.folded(entry.key))] + days).joined(separator: ",")
            }
            return "\(Self.escaped(field)) roster \(sourcing.name) "
                + Self.digest(of: Set(lines).sorted().joined(separator: "\n"))
        }
    }

    /// Longer lists are named by their hash.
    private static let maximumListed = 10

    private func name(_ kind: String, list: [String]) -> String {
        name(kind, Set(list.map { Self.escaped(FoldedText.folded($0)) }).sorted())
    }

    private func name(_ kind: String, _ operands: [String]) -> String {
        let text = operands.joined(separator: ",")
        let isShown = showsOperands && operands.count <= Self.maximumListed
        return "\(Self.escaped(field)) \(kind) " + (isShown ? text : Self.digest(of: text))
    }

    /// Beside an outcome of `yes` the operand of a test is a value, or near to it. For a field that identifies it is
    /// replaced by its hash, except the prefixes of the numbers of vehicles, facilities and invoices.
    private var showsOperands: Bool {
        guard let field = CanonicalField(rawValue: field) else { return false }
        guard field.isIdentifying else { return true }
        guard case .prefix = kind else { return false }
        return [.vehicleID, .facilityID, .invoiceNumber].contains(field)
    }

    /// 32 of the 64 digits of SHA-256: two lists of one name do not occur by accident.
    private static func digest(of text: String) -> String {
        "#" + ContentHash.of(Array(text.utf8)).prefix(32)
    }

    /// Letters, digits and most signs as they are, every other byte as `%` and two hexadecimal digits.
    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            let isPlain = (0x21...0x7E).contains(byte) && !";:,%#".utf8.contains(byte)
            bytes += isPlain ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
