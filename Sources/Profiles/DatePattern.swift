/// How a source writes a date or a time, in the letters of Unicode TR 35 that exports use:
/// `yyyy yy MM M dd d HH H hh h mm m ss s a` and literal text (quoted with `'` if it holds letters).
///
/// A pattern is carried out on bytes by the reader; it is never guessed beyond (day and month are never swapped).
package struct DatePattern: Sendable, Hashable {
    package enum Piece: Sendable, Hashable {
        /// Four digits.
        case year4
        /// Two digits: 00–68 are 2000–2068, 69–99 are 1969–1999 (POSIX).
        case year2
        /// `digits` 2: exactly two; 1: one or two.
        case month(digits: Int)
        case day(digits: Int)
        case hour24(digits: Int)
        case hour12(digits: Int)
        case minute(digits: Int)
        case second(digits: Int)
        /// `AM`, `PM` in any case.
        case dayPeriod
        case literal(UInt8)
    }

    /// As written in the profile.
    package let text: String
    package let pieces: [Piece]

    package init(text: String, pieces: [Piece]) {
        self.text = text
        self.pieces = pieces
    }

    /// Whether it has a time of day. Without one it can only give a date.
    package var hasTime: Bool {
        pieces.contains { piece in
            switch piece {
            case .hour24, .hour12: true
            default: false
            }
        }
    }
}
