/// A place in a text of JSON, and the tokens from there on. The second of two steps: it walks from byte to byte outside
/// strings, and jumps over strings with the index.
///
/// Invariants. `bytes` may be read up to 64 bytes beyond `end`; whatever is found there is never accepted, because each
/// step checks `position` against `end` before it moves on. `position` is outside a string. `entry` is the number of
/// the first entry of `entries` after `position`; at least two entries beyond every text follow the last.
struct JSONCursor {
    let bytes: UnsafePointer<UInt8>
    var end: Int
    let entries: UnsafePointer<UInt32>
    var position: Int
    var entry: Int
    /// Commas with nothing after them before a bracket: some writers leave one.
    var trailingCommas = 0

    /// Objects and arrays within one another, the record included.
    static let maximumDepth = 128

    /// The byte here, or 0, which JSON has no use for, at the end.
    @inline(__always)
    var byte: UInt8 { position < end ? bytes[position] : 0 }

    @inline(__always)
    mutating func skipWhitespace() {
        // Most texts have none: one compare.
        if byte <= 0x20 { skipSomeWhitespace() }
    }

    @inline(never)
    private mutating func skipSomeWhitespace() {
        while position < end {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
            default: return
            }
        }
    }

    /// Moves over the string whose opening quote is here. Returns whether it holds escapes.
    @inline(__always)
    mutating func string() throws(JSONFault) -> Bool {
        let note = entries[entry]
        let close = Int(note >> 1)
        if note & 1 != 0 || close >= end { return try unusualString(close: close) }
        entry &+= 1
        position = close &+ 1
        return false
    }

    @inline(never)
    private mutating func unusualString(close: Int) throws(JSONFault) -> Bool {
        if close >= end {
            // What the string holds up to the end may be wrong earlier than its missing end.
            throw JSONFault(position, .unterminatedString)
        }
        let hasEscapes = try JSONString.check(bytes, from: position &+ 1, close: close)
        if bytes[close] != UInt8(ascii: "\"") { throw JSONFault(close, .controlCharacter) }
        entry &+= 1
        position = close &+ 1
        return hasEscapes
    }

    /// Moves over a number, `true`, `false` or `null`.
    @inline(__always)
    mutating func scalar() throws(JSONFault) {
        switch byte {
        case UInt8(ascii: "-") where bytes[position &+ 1] == UInt8(ascii: "I"):
            position &+= 1
            try notANumber()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        case UInt8(ascii: "n"): try literal(0x6C6C_756E, length: 4)
        case UInt8(ascii: "t"): try literal(0x6575_7274, length: 4)
        case UInt8(ascii: "f"):
            position &+= 1
            try literal(0x6573_6C61, length: 4)
        case UInt8(ascii: "N"), UInt8(ascii: "I"): try notANumber()
        default: throw JSONFault(position, position < end ? .valueExpected : .unexpectedEnd)
        }
    }

    /// Moves over `NaN` or `Infinity`, which some writers write though JSON has neither. They are no value.
    @inline(never)
    private mutating func notANumber() throws(JSONFault) {
        let word: StaticString = byte == UInt8(ascii: "N") ? "NaN" : "Infinity"
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[index] else {
                throw JSONFault(start, position < end ? .badLiteral : .unexpectedEnd)
            }
            position &+= 1
        }
    }

    /// Whether the value that begins with this byte at `start` is `NaN`, `Infinity` or `-Infinity`.
    @inline(__always)
    func isNotANumber(_ first: UInt8, at start: Int) -> Bool {
        first == UInt8(ascii: "N") || first == UInt8(ascii: "I")
            || first == UInt8(ascii: "-") && bytes[start &+ 1] == UInt8(ascii: "I")
    }

    @inline(__always)
    private mutating func literal(_ letters: UInt32, length: Int) throws(JSONFault) {
        let found = UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt32.self)
        if UInt32(littleEndian: found) != letters || position &+ length > end {
            throw JSONFault(position, .badLiteral)
        }
        position &+= length
    }

    /// Moves over the number whose sign or first digit is here.
    @inline(__always)
    mutating func number() throws(JSONFault) {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
        let first = bytes[position]
        let digits = digitRun()
        if digits == 0 || (first == UInt8(ascii: "0") && digits > 1) { throw wrongNumber(from: start) }
        if bytes[position] == UInt8(ascii: ".") {
            position &+= 1
            if digitRun() == 0 { throw wrongNumber(from: start) }
        }
        if bytes[position] | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") { position &+= 1 }
            if digitRun() == 0 { throw wrongNumber(from: start) }
        }
        // Digits beyond the end belong to another text.
        if position > end { throw wrongNumber(from: start) }
    }

    /// At the end of the text the number may be right and only cut off.
    @inline(never)
    private func wrongNumber(from start: Int) -> JSONFault {
        position >= end ? JSONFault(end, .unexpectedEnd) : JSONFault(start, .badNumber)
    }

    /// Moves over the digits here, at most 7 beyond the end; returns how many.
    @inline(__always)
    private mutating func digitRun() -> Int {
        let start = position
        while position < end {
            let loaded = UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt64.self)
            // A byte is a digit when its high half is 3 and stays 3 after adding 6.
            let word = UInt64(littleEndian: loaded) ^ 0x3030_3030_3030_3030
            let others = (word | ((word & 0x0F0F_0F0F_0F0F_0F0F) &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0
            position &+= others.trailingZeroBitCount >> 3
            if others != 0 { break }
        }
        return position &- start
    }
}

// MARK: - Values of any kind

extension JSONCursor {
    /// Moves over the value here, of any kind, and checks all of it. `depth` is the number of containers around it.
    mutating func value(depth: Int) throws(JSONFault) {
        switch byte {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"): try container(closing: UInt8(ascii: "}"), depth: depth + 1)
        case UInt8(ascii: "["): try container(closing: UInt8(ascii: "]"), depth: depth + 1)
        default: try scalar()
        }
    }

    private mutating func container(closing bracket: UInt8, depth: Int) throws(JSONFault) {
        if depth > Self.maximumDepth { throw JSONFault(position, .depth) }
        let isObject = bracket == UInt8(ascii: "}")
        position += 1
        skipWhitespace()
        if byte == bracket {
            position += 1
            return
        }
        while true {
            if isObject { _ = try key() }
            try value(depth: depth)
            skipWhitespace()
            guard byte == UInt8(ascii: ",") else { break }
            position += 1
            skipWhitespace()
            if byte == bracket {
                trailingCommas += 1
                break
            }
        }
        try closing(bracket, else: isObject ? .commaOrBraceExpected : .commaOrBracketExpected)
    }

    /// Moves over the key here, its colon and the white space up to the value. Returns whether the key holds escapes.
    mutating func key() throws(JSONFault) -> Bool {
        guard byte == UInt8(ascii: "\"") else {
            throw JSONFault(position, position < end ? .keyExpected : .unexpectedEnd)
        }
        let hasEscapes = try string()
        skipWhitespace()
        guard byte == UInt8(ascii: ":") else {
            throw JSONFault(position, position < end ? .colonExpected : .unexpectedEnd)
        }
        position += 1
        skipWhitespace()
        return hasEscapes
    }

    mutating func closing(_ bracket: UInt8, else reason: JSONFault.Kind) throws(JSONFault) {
        guard byte == bracket else { throw JSONFault(position, position < end ? reason : .unexpectedEnd) }
        position += 1
    }

    /// Checks that only white space is left.
    mutating func onlyWhitespace() throws(JSONFault) {
        skipWhitespace()
        if position < end { throw JSONFault(position, .trailingText) }
    }
}
