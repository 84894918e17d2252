extension JSONCursor {
    /// Moves over the value here, of any kind, and checks all of it. `depth` is the number of containers around it.
    mutating func value(depth: Int) throws(JSONFault) {
        switch byte {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        default: try scalar()
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) {
        if depth > maximumDepth { throw JSONFault(position: position, kind: .depth) }
        position += 1
        skipWhitespace()
        if byte == UInt8(ascii: "}") {
            position += 1
            return
        }
        while true {
            _ = try key()
            try value(depth: depth)
            skipWhitespace()
            guard byte == UInt8(ascii: ",") else { break }
            position += 1
            skipWhitespace()
        }
        try closing(UInt8(ascii: "}"), else: .commaOrBraceExpected)
    }

    private mutating func array(depth: Int) throws(JSONFault) {
        if depth > maximumDepth { throw JSONFault(position: position, kind: .depth) }
        position += 1
        skipWhitespace()
        if byte == UInt8(ascii: "]") {
            position += 1
            return
        }
        while true {
            try value(depth: depth)
            skipWhitespace()
            guard byte == UInt8(ascii: ",") else { break }
            position += 1
            skipWhitespace()
        }
        try closing(UInt8(ascii: "]"), else: .commaOrBracketExpected)
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

    mutating func closing(_ bracket: UInt8, else reason: JSONSyntaxReason) throws(JSONFault) {
        guard byte == bracket else { throw JSONFault(position, position < end ? reason : .unexpectedEnd) }
        position += 1
    }

    /// Checks that only white space is left.
    mutating func onlyWhitespace() throws(JSONFault) {
        skipWhitespace()
        if position < end { throw JSONFault(position, .trailingText) }
    }
}
