import Basics
import Rules
import TestSupport
import Trips

/// Random conditions, values and days for property tests, small enough that they often coincide.
struct RandomConditions {
    var random: SplitMix64
    static let fields = ["a", "b", "c", "d"]
    static let values = ["", " ", "VA1", "va1 ", "VA12", "P-1", "P-2", "RH QN", "QN", "QM,RH", "7", "12.5", "-3", "é"]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func some(_ elements: [String]) -> [String] {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in pick(elements) }
    }

    mutating func day() -> CivilDay {
        CivilDay(daysSince1970: Int32.random(in: 20_000..<20_020, using: &random))
    }

    mutating func bound() -> CivilDay? {
        Bool.random(using: &random) ? day() : nil
    }

    mutating func roster() -> Roster {
        let entries = (0..<4).map { _ in
            Roster.Entry(
                key: pick(["VA1", "p-1", "P-2", "QN"]), from: bound(), to: bound(),
                sourcing: pick([.inHouse, .contracted]))
        }
        return Roster(name: "roster", entries: entries)
    }

    mutating func condition(depth: Int) -> Condition {
        let field = pick(Self.fields)
        switch Int.random(in: 0..<(depth > 0 ? 12 : 7), using: &random) {
        case 0: return .present(field: field)
        case 1: return .isIn(field: field, values: some(["va1", "P-1", "QN", "7", "é"]))
        case 2: return .prefix(field: field, prefixes: some(["V", "va1", "P-", "Q"]))
        case 3: return .containsToken(field: field, tokens: some(["QN", "QM", "RH"]))
        case 4: return .regex(field: field, pattern: pick([#"\d$"#, "^VA", "(?i)^v", "Q[MN]", "."]))
        case 5: return .range(field: field, minimum: pick([nil, 0, 7]), maximum: pick([nil, 7, 12.5]))
        case 6: return .roster(field: field, roster: roster(), sourcing: pick([.inHouse, .contracted]))
        case 7, 8: return .all((0..<2).map { _ in condition(depth: depth - 1) })
        case 9, 10: return .any((0..<2).map { _ in condition(depth: depth - 1) })
        default: return .not(condition(depth: depth - 1))
        }
    }
}
