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
    /// It gives year, month and day, each once, and may give a time of day; a time of day alone is a pattern too, for profiles
    /// that name the column of the date. Letters that are meant as themselves are quoted (`yyyy-MM-dd'T'HH:mm`); two quotes are
    /// one. `epoch`, `serial` and `serial-1904` are numbers, and so are `HHmm` and `HHmmss`.
    package init(parsing text: String) throws(DatePatternError) {
        if let number = Number(rawValue: text) {
            self.init(number)
            return
        }
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
        return Self.withOptionalBlanks(parts.map(\.piece))
    }

    private static let example = "give year, month and day, such as MM/dd/yyyy hh:mm:ss a"

    /// One step for each run of blanks, and none before the pieces that take the blanks before them.
    private static func withOptionalBlanks(_ pieces: [DatePattern.Piece]) -> [DatePattern.Piece] {
        var kept: [DatePattern.Piece] = []
        for piece in pieces {
            if kept.last == .blank, piece == .blank || piece == .dayPeriod || piece == .zone { kept.removeLast() }
            kept.append(piece)
        }
        return kept
    }

    /// A run of one letter.
    private mutating func field(_ letter: Character) throws(DatePatternError) -> PieceColumn {
        let column = position + 1
        let count = characters[position...].prefix { $0 == letter }.count
        position += count
        switch (letter, count) {
        case ("y", 4): return (.year4, column)
        case ("y", 2): return (.year2, column)
        case ("M", 1...2): return (.month(digits: count), column)
        case ("M", 3...4): return (.monthName, column)
        case ("E", 1...4): return (.weekday, column)
        case ("S", 1...9): return (.fraction, column)
        case ("z", 1...4), ("Z", 1...5), ("X", 1...5), ("x", 1...5), ("O", 1), ("O", 4): return (.zone, column)
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
        guard "yMdHhmsaESzZXxO".contains(letter) else {
            let hint =
                switch letter {
                case "V": "the zone or offset is 'z'"
                case "L": "the month is 'MM', or 'MMM' for its name"
                case "e", "c": "the day of the week is 'EEE'"
                case "Y": "the calendar year is 'yyyy'"
                case "D": "the day of the month is 'dd'"
                case "k", "K": "use 'HH' (00 to 23) or 'hh' (01 to 12) with 'a'"
                default:
                    "use yyyy yy MM M MMM dd d EEE HH H hh h mm m ss s S a z, and put other letters in quotes: '\(letter)'"
                }
            return DatePatternError("the letter '\(letter)' at \(column) has no meaning in a date pattern", hint: hint)
        }
        let hint =
            switch letter {
            case "y": "use 'yyyy' or 'yy'"
            case "M": "use 'MM' or 'M', or 'MMM' for a name"
            case "a": "use one 'a'"
            case "E": "use 'EEE' for the name of a day of the week"
            case "S": "use 'SSS' for a fraction of a second: all its digits are read"
            case "z", "Z", "X", "x", "O": "use one 'z' for a zone or an offset"
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
        if character == " " { return [(.blank, column)] }
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
        let isClock =
            ["year", "month", "day", "day of the week"].allSatisfy { columns[$0] == nil } && columns["hour"] != nil
        for name in ["year", "month", "day"] where columns[name] == nil && !isClock {
            throw DatePatternError("the date pattern has no \(name)", hint: example)
        }
        for (part, other) in [("fraction", "second"), ("second", "minute"), ("minute", "hour"), ("zone", "hour")]
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
