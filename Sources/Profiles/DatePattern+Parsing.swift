/// Why a text is not a date pattern. Places in the message are 1-based characters of the pattern.
package struct DatePatternError: Error, Sendable, Hashable, CustomStringConvertible {
    package let message: String
    /// How to fix it.
    package let hint: String

    init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }

    package var description: String { message + " — " + hint }
}

extension DatePattern {
    /// The longest pattern, in characters.
    package static let maximumLength = 64

    /// Reads a pattern as written in a profile, such as `MM/dd/yyyy hh:mm:ss a`.
    ///
    /// It must give year, month and day, each once, and may give a time of day. Letters that are meant as themselves
    /// are quoted (`yyyy-MM-dd'T'HH:mm`); two quotes are one.
    package init(parsing text: String) throws(DatePatternError) {
        guard text.count <= Self.maximumLength else {
            throw DatePatternError(
                "the date pattern is longer than \(Self.maximumLength) characters",
                hint: "a pattern describes one date and time only")
        }
        var parser = DatePatternParser(text)
        self.init(text: text, pieces: try parser.pieces())
    }
}

private struct DatePatternParser {
    /// A piece with its 1-based column.
    private typealias PieceColumn = (piece: DatePattern.Piece, column: Int)

    private let characters: [Character]
    private var position = 0

    init(_ text: String) {
        characters = Array(text)
    }

    mutating func pieces() throws(DatePatternError) -> [DatePattern.Piece] {
        guard !characters.isEmpty else { throw DatePatternError("the date pattern is empty", hint: Self.example) }
        var parts: [PieceColumn] = []
        while position < characters.count {
            let character = characters[position]
            if character == "'" {
                parts += try quoted()
            } else if character.isASCII, character.isLetter {
                parts.append(try field(character))
            } else {
                position += 1
                parts += try Self.literal(character, column: position)
            }
        }
        try Self.check(parts)
        return parts.map(\.piece)
    }

    private static let example = "give year, month and day, such as MM/dd/yyyy hh:mm:ss a"

    /// A run of one letter.
    private mutating func field(_ letter: Character) throws(DatePatternError) -> PieceColumn {
        let column = position + 1
        let count = characters[position...].prefix { $0 == letter }.count
        position += count
        switch (letter, count) {
        case ("y", 4): return (.year4, column)
        case ("y", 2): return (.year2, column)
        case ("M", 1...2): return (.month(digits: count), column)
        case ("d", 1...2): return (.day(digits: count), column)
        case ("H", 1...2): return (.hour24(digits: count), column)
        case ("h", 1...2): return (.hour12(digits: count), column)
        case ("m", 1...2): return (.minute(digits: count), column)
        case ("s", 1...2): return (.second(digits: count), column)
        case ("a", 1): return (.dayPeriod, column)
        default: throw Self.unknownField(letter, count: count, column: column)
        }
    }

    private static func unknownField(_ letter: Character, count: Int, column: Int) -> DatePatternError {
        guard "yMdHhmsa".contains(letter) else {
            let hint =
                switch letter {
                case "S": "fractions of a second are read in ISO 8601 times only, which need no pattern"
                case "Z", "X", "x", "z", "V", "O": "offsets are read in ISO 8601 times only, which need no pattern"
                case "Y": "the calendar year is 'yyyy'"
                case "D": "the day of the month is 'dd'"
                case "k", "K": "use 'HH' (00 to 23) or 'hh' (01 to 12) with 'a'"
                default: "use yyyy yy MM M dd d HH H hh h mm m ss s a, and put other letters in quotes: '\(letter)'"
                }
            return DatePatternError("the letter '\(letter)' at \(column) has no meaning in a date pattern", hint: hint)
        }
        let hint =
            switch letter {
            case "y": "use 'yyyy' or 'yy'"
            case "M": "use 'MM' or 'M'; names of months are not read"
            case "a": "use one 'a'"
            default: "use '\(letter)\(letter)' or '\(letter)'"
            }
        let run = String(repeating: letter, count: min(count, 8))
        return DatePatternError("'\(run)' at \(column) has no meaning in a date pattern", hint: hint)
    }

    /// Text in quotes, or `''`, which is one quote.
    private mutating func quoted() throws(DatePatternError) -> [PieceColumn] {
        position += 1
        let start = position
        var parts: [PieceColumn] = []
        while position < characters.count {
            let character = characters[position]
            position += 1
            if character == "'", position == start + 1 || position == characters.count || characters[position] != "'" {
                return parts.isEmpty ? try Self.literal("'", column: position) : parts
            }
            parts += try Self.literal(character, column: position)
            if character == "'" { position += 1 }
        }
        throw DatePatternError(
            "the quote at \(start) of the date pattern is never closed", hint: "close it, or write two quotes for one")
    }

    private static func literal(_ character: Character, column: Int) throws(DatePatternError) -> [PieceColumn] {
        let bytes = Array(String(character).utf8)
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw DatePatternError(
                "there is a control character at \(column) of the date pattern", hint: "remove it")
        }
        return bytes.map { (piece: .literal($0), column: column) }
    }

    /// Whether the parts together give one date, and perhaps one time, without doubt.
    private static func check(_ parts: [PieceColumn]) throws(DatePatternError) {
        var columns: [String: Int] = [:]
        for part in parts {
            guard let name = part.piece.partName else { continue }
            guard columns.updateValue(part.column, forKey: name) == nil else {
                throw DatePatternError(
                    "the date pattern has the \(name) a second time at \(part.column)",
                    hint: "remove one of them (minutes are 'mm', months 'MM')")
            }
        }
        for name in ["year", "month", "day"] where columns[name] == nil {
            throw DatePatternError("the date pattern has no \(name)", hint: example)
        }
        for (part, other) in [("second", "minute"), ("minute", "hour")]
        where columns[part] != nil && columns[other] == nil {
            throw DatePatternError("the date pattern has the \(part) without the \(other)", hint: "add the \(other)")
        }
        let isTwelveHour = parts.contains { if case .hour12 = $0.piece { true } else { false } }
        switch (isTwelveHour, columns["AM or PM"]) {
        case (true, nil):
            throw DatePatternError(
                "the date pattern has a 12-hour 'h' without 'a' (AM or PM)", hint: "add 'a', or use 'HH' for 00 to 23")
        case (false, let column?):
            throw DatePatternError(
                "the date pattern has 'a' (AM or PM) at \(column) without a 12-hour 'h'",
                hint: "use 'hh' with 'a', or remove the 'a'")
        default: break
        }
        for (part, next) in zip(parts, parts.dropFirst()) where part.piece.digits == 1 && startsWithDigit(next.piece) {
            throw DatePatternError(
                "at \(next.column) of the date pattern digits follow a part of one or two digits: the end of the"
                    + " part is not known", hint: "use two letters for a part that always has two digits")
        }
    }

    private static func startsWithDigit(_ piece: DatePattern.Piece) -> Bool {
        if case .literal(let byte) = piece { return TextShape.isDigit(byte) }
        return piece.digits != nil
    }
}
