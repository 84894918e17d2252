/// Why a text is not a date pattern. Columns are 1-based characters of the pattern.
package enum DatePatternError: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    case tooLong(limit: Int)
    case unknownLetter(Character, column: Int)
    case letterCount(Character, count: Int, column: Int)
    case unterminatedQuote(column: Int)
    case controlCharacter(column: Int)
    /// One of `year`, `month`, `day` is not there.
    case missingPart(String)
    case repeatedPart(String, column: Int)
    /// A part of one or two digits is followed at once by more digits: nothing says where it ends.
    case digitsRunTogether(column: Int)
    case dayPeriodMissing
    case dayPeriodUnused(column: Int)
    /// The first part makes no sense without the second (`ss` without `mm`).
    case partNeeds(String, String)

    package var message: String {
        switch self {
        case .empty: "the date pattern is empty"
        case .tooLong(let limit): "the date pattern is longer than \(limit) characters"
        case .unknownLetter(let letter, let column):
            "the letter '\(letter)' at \(column) has no meaning in a date pattern"
        case .letterCount(let letter, let count, let column):
            "'\(String(repeating: letter, count: min(count, 8)))' at \(column) has no meaning in a date pattern"
        case .unterminatedQuote(let column): "the quote at \(column) of the date pattern is never closed"
        case .controlCharacter(let column): "there is a control character at \(column) of the date pattern"
        case .missingPart(let part): "the date pattern has no \(part)"
        case .repeatedPart(let part, let column): "the date pattern has the \(part) a second time at \(column)"
        case .digitsRunTogether(let column):
            "at \(column) of the date pattern digits follow a part of one or two digits: nothing says where it ends"
        case .dayPeriodMissing: "the date pattern has a 12-hour 'h' without 'a' (AM or PM)"
        case .dayPeriodUnused(let column): "the date pattern has 'a' (AM or PM) at \(column) without a 12-hour 'h'"
        case .partNeeds(let part, let other): "the date pattern has the \(part) without the \(other)"
        }
    }

    /// How to mend it.
    package var hint: String {
        switch self {
        case .empty, .missingPart: "give year, month and day, such as MM/dd/yyyy hh:mm:ss a"
        case .tooLong: "a pattern describes one date and time only"
        case .unknownLetter(let letter, _):
            switch letter {
            case "S": "fractions of a second are read in ISO 8601 times only, which need no pattern"
            case "Z", "X", "x", "z", "V", "O": "offsets are read in ISO 8601 times only, which need no pattern"
            case "Y": "the calendar year is 'yyyy'"
            case "D": "the day of the month is 'dd'"
            case "k", "K": "use 'HH' (00 to 23) or 'hh' (01 to 12) with 'a'"
            default: "use yyyy yy MM M dd d HH H hh h mm m ss s a, and put other letters in quotes: '\(letter)'"
            }
        case .letterCount(let letter, _, _):
            switch letter {
            case "y": "use 'yyyy' or 'yy'"
            case "M": "use 'MM' or 'M'; names of months are not read"
            case "a": "use one 'a'"
            default: "use '\(letter)\(letter)' or '\(letter)'"
            }
        case .unterminatedQuote: "close it, or write two quotes for one"
        case .controlCharacter: "remove it"
        case .repeatedPart: "remove one of them (minutes are 'mm', months 'MM')"
        case .digitsRunTogether: "use two letters for a part that always has two digits"
        case .dayPeriodMissing: "add 'a', or use 'HH' for 00 to 23"
        case .dayPeriodUnused: "use 'hh' with 'a', or remove the 'a'"
        case .partNeeds(_, let other): "add the \(other)"
        }
    }

    package var description: String { message + " — " + hint }
}
