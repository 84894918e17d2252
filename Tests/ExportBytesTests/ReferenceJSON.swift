/// A plain recursive reader of JSON, written from RFC 8259 and the two liberties that are taken with it: what the fast ones are
/// compared with. `NaN` and `Infinity` are no value, and a comma may have nothing after it.
struct ReferenceJSON {
    indirect enum Value {
        case null, literal(Range<Int>), string(Range<Int>, [UInt8])
        case array(Range<Int>, [Value])
        case object(Range<Int>, [(key: [UInt8], value: Value)])
    }
    struct Broken: Error {}

    let bytes: [UInt8]
    var at = 0
    let maximumDepth: Int
    /// Whether only RFC 8259 counts.
    let isStrict: Bool

    static func parse(_ bytes: [UInt8], maximumDepth: Int = 128, isStrict: Bool = false) -> Value? {
        var reader = ReferenceJSON(bytes: bytes, maximumDepth: maximumDepth, isStrict: isStrict)
        do {
            reader.space()
            let value = try reader.value(depth: 0)
            reader.space()
            return reader.at == bytes.count ? value : nil
        } catch {
            return nil
        }
    }

    /// The value that begins here; nil: there is none.
    mutating func nextValue() -> Value? { try? value(depth: 0) }

    /// Passes over what is between the values of a sequence.
    mutating func separators(afterValue: Bool) {
        var mayBeComma = afterValue
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D, 0x1E].contains(byte) || byte == 0x2C && mayBeComma {
            if byte == 0x2C { mayBeComma = false }
            at += 1
        }
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func space() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { at += 1 }
    }

    private mutating func take(_ text: String) throws(Broken) {
        for byte in text.utf8 {
            guard next == byte else { throw Broken() }
            at += 1
        }
    }

    private mutating func value(depth: Int) throws(Broken) -> Value {
        let start = at
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""):
            let text = try string()
            return .string(start + 1..<at - 1, text)
        case UInt8(ascii: "n"):
            try take("null")
            return .null
        case UInt8(ascii: "t"): try take("true")
        case UInt8(ascii: "f"): try take("false")
        case UInt8(ascii: "N") where !isStrict:
            try take("NaN")
            return .null
        case UInt8(ascii: "I") where !isStrict:
            try take("Infinity")
            return .null
        case UInt8(ascii: "-") where !isStrict && at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "I"):
            try take("-Infinity")
            return .null
        default: try number()
        }
        return .literal(start..<at)
    }

    private mutating func object(depth: Int) throws(Broken) -> Value {
        if depth > maximumDepth { throw Broken() }
        var members: [(key: [UInt8], value: Value)] = []
        let start = at
        try take("{")
        space()
        if next != UInt8(ascii: "}") {
            while true {
                let key = try string()
                space()
                try take(":")
                space()
                members.append((key, try value(depth: depth)))
                space()
                guard next == UInt8(ascii: ",") else { break }
                at += 1
                space()
                if !isStrict, next == UInt8(ascii: "}") { break }
            }
        }
        try take("}")
        return .object(start..<at, members)
    }

    private mutating func array(depth: Int) throws(Broken) -> Value {
        if depth > maximumDepth { throw Broken() }
        var elements: [Value] = []
        let start = at
        try take("[")
        space()
        if next != UInt8(ascii: "]") {
            while true {
                elements.append(try value(depth: depth))
                space()
                guard next == UInt8(ascii: ",") else { break }
                at += 1
                space()
                if !isStrict, next == UInt8(ascii: "]") { break }
            }
        }
        try take("]")
        return .array(start..<at, elements)
    }

    private mutating func digits() throws(Broken) {
        guard let first = next, (0x30...0x39).contains(first) else { throw Broken() }
        while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
    }

    private mutating func number() throws(Broken) {
        if next == UInt8(ascii: "-") { at += 1 }
        if next == UInt8(ascii: "0") { at += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            at += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            at += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
            try digits()
        }
    }

    private mutating func string() throws(Broken) -> [UInt8] {
        try take("\"")
        var units: [UInt16] = []
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw Broken() }
            at += 1
            if byte == UInt8(ascii: "\\") {
                units.append(try escape())
            } else {
                // An escape between the bytes of a sequence becomes text there and so breaks it.
                text += String(decoding: units, as: UTF16.self).utf8
                units = []
                text.append(byte)
            }
        }
        text += String(decoding: units, as: UTF16.self).utf8
        guard String(validating: text, as: UTF8.self) != nil else { throw Broken() }
        try take("\"")
        return text
    }

    private mutating func escape() throws(Broken) -> UInt16 {
        guard let byte = next else { throw Broken() }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "u"):
            var unit: UInt16 = 0
            for _ in 0..<4 {
                guard let digit = next, let value = Character(Unicode.Scalar(digit)).hexDigitValue, digit < 0x80 else {
                    throw Broken()
                }
                unit = unit << 4 | UInt16(value)
                at += 1
            }
            return unit
        default: throw Broken()
        }
    }
}
