/// A strict checker of JSON that is fed byte after byte and holds nothing but its place and the open containers.
///
/// It reads what stands around the records, at any size. Ruled by the same grammar as `JSONCursor`; tests hold the two
/// together.
struct JSONStreamMachine: Sendable {
    enum Position: Sendable, Hashable {
        case value
        case firstElementOrEnd
        case firstKeyOrEnd
        case key
        case colon
        case afterMember
        case string
        case escape
        case hex(left: Int)
        case utf8(left: Int, next: ClosedRange<UInt8>)
        case literal(rest: UInt64)
        case minus
        case zero
        case integer
        case point
        case fraction
        case exponentSign
        case exponentFirst
        case exponent
        case complete

        var isInString: Bool {
            switch self {
            case .string, .escape, .hex, .utf8: true
            default: false
            }
        }
    }

    private(set) var place: Position = .value
    /// The open containers from the outside in: whether each is an object.
    private(set) var isObject: [Bool] = []
    /// Commas with nothing after them.
    private(set) var trailingCommas = 0
    /// Whether the string that is open is a key.
    private(set) var isKey = false

    /// Whether the text may end here.
    var isComplete: Bool {
        switch place {
        case .complete: true
        case .zero, .integer, .fraction, .exponent: isObject.isEmpty
        default: false
        }
    }

    /// Takes the next byte; returns what is wrong with it.
    mutating func step(_ byte: UInt8) -> JSONFault.Kind? {
        switch place {
        case .string, .escape, .hex, .utf8: return stepInString(byte)
        case .literal(let rest): return stepInLiteral(byte, rest: rest)
        case .minus, .zero, .integer, .point, .fraction, .exponentSign, .exponentFirst, .exponent:
            return stepInNumber(byte)
        default:
            return Self.isWhitespace(byte) ? nil : stepBetweenTokens(byte)
        }
    }

    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private mutating func stepBetweenTokens(_ byte: UInt8) -> JSONFault.Kind? {
        switch (place, byte) {
        case (.firstElementOrEnd, UInt8(ascii: "]")), (.firstKeyOrEnd, UInt8(ascii: "}")): close()
        // A comma too many.
        case (.value, UInt8(ascii: "]")) where isObject.last == false, (.key, UInt8(ascii: "}")):
            trailingCommas += 1
            close()
        case (.value, _), (.firstElementOrEnd, _): return startValue(byte)
        case (.key, UInt8(ascii: "\"")), (.firstKeyOrEnd, UInt8(ascii: "\"")): (place, isKey) = (.string, true)
        case (.colon, UInt8(ascii: ":")): place = .value
        case (.afterMember, UInt8(ascii: ",")): place = isObject.last == true ? .key : .value
        case (.afterMember, UInt8(ascii: "}")) where isObject.last == true: close()
        case (.afterMember, UInt8(ascii: "]")) where isObject.last == false: close()
        case (.key, _), (.firstKeyOrEnd, _): return .keyExpected
        case (.colon, _): return .colonExpected
        case (.complete, _): return .trailingText
        default: return isObject.last == true ? .commaOrBraceExpected : .commaOrBracketExpected
        }
        return nil
    }

    private mutating func startValue(_ byte: UInt8) -> JSONFault.Kind? {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return open(object: byte == UInt8(ascii: "{"))
        case UInt8(ascii: "\""): (place, isKey) = (.string, false)
        case UInt8(ascii: "-"): place = .minus
        case UInt8(ascii: "0"): place = .zero
        case UInt8(ascii: "1")...UInt8(ascii: "9"): place = .integer
        // The letters that must follow, the next in the lowest byte.
        case UInt8(ascii: "t"): place = .literal(rest: 0x65_7572)
        case UInt8(ascii: "f"): place = .literal(rest: 0x6573_6C61)
        case UInt8(ascii: "n"): place = .literal(rest: 0x6C_6C75)
        // NaN and Infinity are no JSON, and some write them.
        case UInt8(ascii: "N"): place = .literal(rest: 0x4E61)
        case UInt8(ascii: "I"): place = .literal(rest: Self.infinity)
        default: return .valueExpected
        }
        return nil
    }

    private static var infinity: UInt64 { 0x79_7469_6E69_666E }

    private mutating func open(object: Bool) -> JSONFault.Kind? {
        if isObject.count >= JSONCursor.maximumDepth { return .depth }
        isObject.append(object)
        place = object ? .firstKeyOrEnd : .firstElementOrEnd
        return nil
    }

    /// Closes the innermost container, as its bracket would.
    mutating func close() {
        isObject.removeLast()
        endValue()
    }

    private mutating func endValue() { place = isObject.isEmpty ? .complete : .afterMember }

    private mutating func stepInLiteral(_ byte: UInt8, rest: UInt64) -> JSONFault.Kind? {
        guard UInt64(byte) == rest & 0xFF else { return .badLiteral }
        if rest >> 8 == 0 { endValue() } else { place = .literal(rest: rest >> 8) }
        return nil
    }

    private mutating func stepInString(_ byte: UInt8) -> JSONFault.Kind? {
        switch place {
        case .escape: return stepInEscape(byte)
        case .hex(let left):
            guard JSONString.hexDigit(byte) != nil else { return .badEscape }
            place = left == 1 ? .string : .hex(left: left - 1)
        case .utf8(let left, let next):
            guard next.contains(byte) else { return .invalidUTF8 }
            place = left == 1 ? .string : .utf8(left: left - 1, next: 0x80...0xBF)
        default:
            if byte == UInt8(ascii: "\"") {
                if isKey { place = .colon } else { endValue() }
            } else if byte == UInt8(ascii: "\\") {
                place = .escape
            } else if byte < 0x20 {
                return .controlCharacter
            } else if byte >= 0x80 {
                guard let rest = JSONString.continuation(after: byte) else { return .invalidUTF8 }
                place = .utf8(left: rest.count, next: rest.range)
            }
        }
        return nil
    }

    private mutating func stepInEscape(_ byte: UInt8) -> JSONFault.Kind? {
        switch byte {
        case UInt8(ascii: "u"): place = .hex(left: 4)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            place = .string
        default: return .badEscape
        }
        return nil
    }

    private mutating func stepInNumber(_ byte: UInt8) -> JSONFault.Kind? {
        let digit = UInt8(ascii: "0")...UInt8(ascii: "9")
        switch (place, byte) {
        case (.minus, UInt8(ascii: "0")): place = .zero
        case (.minus, UInt8(ascii: "I")): place = .literal(rest: Self.infinity)
        case (.zero, digit): return .badNumber
        case (.minus, digit), (.integer, digit): place = .integer
        case (.zero, UInt8(ascii: ".")), (.integer, UInt8(ascii: ".")): place = .point
        case (.point, digit), (.fraction, digit): place = .fraction
        case (.zero, _) where byte | 0x20 == UInt8(ascii: "e"), (.integer, _) where byte | 0x20 == UInt8(ascii: "e"),
            (.fraction, _) where byte | 0x20 == UInt8(ascii: "e"):
            place = .exponentSign
        case (.exponentSign, UInt8(ascii: "+")), (.exponentSign, UInt8(ascii: "-")): place = .exponentFirst
        case (.exponentSign, digit), (.exponentFirst, digit), (.exponent, digit): place = .exponent
        case (.zero, _), (.integer, _), (.fraction, _), (.exponent, _):
            endValue()
            return step(byte)
        default: return .badNumber
        }
        return nil
    }
}
