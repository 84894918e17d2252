internal import Trips

extension Condition {
    /// What it tests of single fields: every distinct test once, in the order of first mention.
    package var tests: [Condition] {
        switch self {
        case .all(let conditions), .any(let conditions):
            var tests: [Condition] = []
            for test in conditions.flatMap(\.tests) where !tests.contains(test) { tests.append(test) }
            return tests
        case .not(let condition): return condition.tests
        case .present, .isIn, .prefix, .containsToken, .regex, .range, .roster: return [self]
        }
    }

    /// The field of a test of a single field; nil for `all`, `any` and `not`.
    package var testedField: String? {
        switch self {
        case .present(let field), .isIn(let field, _), .prefix(let field, _), .containsToken(let field, _),
            .regex(let field, _), .range(let field, _, _), .roster(let field, _, _):
            field
        case .all, .any, .not: nil
        }
    }

    /// More listed values than this are told by their hash.
    private static let maximumListed = 10

    /// The name of a test of a single field: `vehicle_id prefix va`, `provider_npi roster inHouse #5d41…`. Tests of one
    /// name have one outcome for every value and day. Nil for `all`, `any` and `not`.
    ///
    /// It is ASCII without `;`, `:` and `,` inside an operand; the order in which a list is written does not matter.
    /// - Parameters:
    ///   - showsOperands: false to tell what the test names by a hash; long lists and rosters always are.
    ///   - digest: hexadecimal digits for bytes, different for different bytes.
    package func testName(showsOperands: Bool, digest: ([UInt8]) -> String) -> String? {
        func named(_ field: String, _ kind: String, _ operands: [String], isList: Bool = true) -> String {
            let folded = operands.map { Self.escaped(isList ? FoldedText.folded($0) : $0) }
            let list = isList ? Set(folded).sorted() : folded
            guard showsOperands && list.count <= Self.maximumListed else {
                return "\(Self.escaped(field)) \(kind) #\(digest(Array(list.joined(separator: ",").utf8)))"
            }
            return "\(Self.escaped(field)) \(kind) \(list.joined(separator: ","))"
        }
        switch self {
        case .present(let field): return Self.presenceName(of: field)
        case .isIn(let field, let values): return named(field, "in", values)
        case .prefix(let field, let prefixes): return named(field, "prefix", prefixes)
        case .containsToken(let field, let tokens): return named(field, "token", tokens)
        case .regex(let field, let pattern): return named(field, "regex", [pattern], isList: false)
        case .range(let field, let minimum, let maximum):
            let bounds = [minimum, maximum].map { $0.map(String.init(describing:)) ?? "" }
            return named(field, "range", [bounds.joined(separator: "..")], isList: false)
        case .roster(let field, let roster, let sourcing):
            // Keys without a comma come first and days have none, so different entries are different lines.
            let lines = roster.entries.filter { $0.sourcing == sourcing }.map { entry in
                [
                    Self.escaped(FoldedText.folded(entry.key)), entry.from?.description ?? "",
                    entry.to?.description ?? "",
                ]
                .joined(separator: ",")
            }
            let text = Set(lines).sorted().joined(separator: "\n")
            return "\(Self.escaped(field)) roster \(sourcing.name) #\(digest(Array(text.utf8)))"
        case .all, .any, .not: return nil
        }
    }

    /// The name of the test whether a field has a value.
    static func presenceName(of field: String) -> String { escaped(field) + " present" }

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
