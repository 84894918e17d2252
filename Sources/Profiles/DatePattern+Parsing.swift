extension DatePattern {
    /// The longest pattern, in characters.
    package static let maximumLength = 64

    /// Reads a pattern as written in a profile, such as `MM/dd/yyyy hh:mm:ss a`.
    ///
    /// It must give year, month and day, each once, and may give a time of day. Letters that are meant as themselves
    /// stand in quotes (`yyyy-MM-dd'T'HH:mm`); two quotes are one.
    package init(parsing text: String) throws(DatePatternError) {
        guard text.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
        var scanner = DatePatternScanner(text)
        let parts = try scanner.parts()
        try DatePatternScanner.check(parts)
        self.init(text: text, pieces: parts.map(\.piece))
    }
}

/// Takes the text of a pattern apart.
struct DatePatternScanner {
    struct Part {
        var piece: DatePattern.Piece
        /// 1-based.
        var column: Int
    }

    private let characters: [Character]
    private var position = 0

    init(_ text: String) {
        characters = Array(text)
    }

    mutating func parts() throws(DatePatternError) -> [Part] {
        guard !characters.isEmpty else { throw .empty }
        var parts: [Part] = []
        while position < characters.count {
            let character = characters[position]
            let column = position + 1
            if character == "'" {
                parts += try quoted()
            } else if character.isASCII, character.isLetter {
                parts.append(Part(piece: try field(character), column: column))
            } else {
                parts += try Self.literal(character, column: column)
                position += 1
            }
        }
        return parts
    }

    /// A run of one letter.
    private mutating func field(_ letter: Character) throws(DatePatternError) -> DatePattern.Piece {
        let column = position + 1
        var count = 0
        while position < characters.count, characters[position] == letter {
            count += 1
            position += 1
        }
        let isShort = count == 1 || count == 2
        switch letter {
        case "y" where count == 4: return .year4
        case "y" where count == 2: return .year2
        case "M" where isShort: return .month(digits: count)
        case "d" where isShort: return .day(digits: count)
        case "H" where isShort: return .hour24(digits: count)
        case "h" where isShort: return .hour12(digits: count)
        case "m" where isShort: return .minute(digits: count)
        case "s" where isShort: return .second(digits: count)
        case "a" where count == 1: return .dayPeriod
        case "y", "M", "d", "H", "h", "m", "s", "a": throw .letterCount(letter, count: count, column: column)
        default: throw .unknownLetter(letter, column: column)
        }
    }

    /// Text in quotes, or `''`, which is one quote.
    private mutating func quoted() throws(DatePatternError) -> [Part] {
        let start = position + 1
        position += 1
        var parts: [Part] = []
        var isEmpty = true
        while position < characters.count {
            let character = characters[position]
            let column = position + 1
            position += 1
            if character != "'" {
                parts += try Self.literal(character, column: column)
                isEmpty = false
            } else if position < characters.count, characters[position] == "'", !isEmpty {
                parts += try Self.literal("'", column: column)
                position += 1
            } else {
                return isEmpty ? try Self.literal("'", column: column) : parts
            }
        }
        throw .unterminatedQuote(column: start)
    }

    private static func literal(_ character: Character, column: Int) throws(DatePatternError) -> [Part] {
        let bytes = Array(String(character).utf8)
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .controlCharacter(column: column) }
        return bytes.map { Part(piece: .literal($0), column: column) }
    }
}

extension DatePatternScanner {
    /// Whether the parts together say one date, and perhaps one time, without doubt.
    static func check(_ parts: [Part]) throws(DatePatternError) {
        var columns: [String: Int] = [:]
        for part in parts {
            guard let name = part.piece.partName else { continue }
            guard columns.updateValue(part.column, forKey: name) == nil else {
                throw .repeatedPart(name, column: part.column)
            }
        }
        for name in ["year", "month", "day"] where columns[name] == nil { throw .missingPart(name) }
        if columns["second"] != nil, columns["minute"] == nil { throw .partNeeds("second", "minute") }
        if columns["minute"] != nil, columns["hour"] == nil { throw .partNeeds("minute", "hour") }
        let isTwelveHour = parts.contains { if case .hour12 = $0.piece { true } else { false } }
        if isTwelveHour, columns["AM or PM"] == nil { throw .dayPeriodMissing }
        if !isTwelveHour, let column = columns["AM or PM"] { throw .dayPeriodUnused(column: column) }
        for (part, next) in zip(parts, parts.dropFirst()) where part.piece.isOneOrTwoDigits {
            if next.piece.startsWithDigit { throw .digitsRunTogether(column: next.column) }
        }
    }
}

extension DatePattern.Piece {
    /// What it gives; nil for a literal.
    var partName: String? {
        switch self {
        case .year4, .year2: "year"
        case .month: "month"
        case .day: "day"
        case .hour24, .hour12: "hour"
        case .minute: "minute"
        case .second: "second"
        case .dayPeriod: "AM or PM"
        case .literal: nil
        }
    }

    /// The fewest digits it is written with; nil if it is not digits.
    var digits: Int? {
        switch self {
        case .year4: 4
        case .year2: 2
        case .month(let digits), .day(let digits), .hour24(let digits), .hour12(let digits), .minute(let digits),
            .second(let digits):
            digits
        case .dayPeriod, .literal: nil
        }
    }

    var isOneOrTwoDigits: Bool { digits == 1 }

    var startsWithDigit: Bool {
        if case .literal(let byte) = self { return (0x30...0x39).contains(byte) }
        return digits != nil
    }
}
