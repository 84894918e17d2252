package import Trips

/// Why a text is not the JSON that was wanted, and where: an offset in bytes, never a piece of the text.
package struct JSONFault: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case syntax(JSONSyntaxReason)
        case depth
        case duplicateKey
        case notAnObject
        case controlCharacter
        case badEscape
        case badNumber
        case invalidUTF8
    }

    /// The offset of the first byte that cannot be right, counted from the start of the buffer.
    package let position: Int
    package let kind: Kind

    package init(position: Int, kind: Kind) {
        self.position = position
        self.kind = kind
    }

    init(_ position: Int, _ reason: JSONSyntaxReason) {
        self.init(position: position, kind: .syntax(reason))
    }

    /// The reason under which a record with this fault is quarantined.
    package var rejectReason: RejectReason {
        switch kind {
        case .duplicateKey: .duplicateKey
        case .notAnObject: .notAnObject
        case .syntax, .depth, .controlCharacter, .badEscape, .badNumber, .invalidUTF8: .malformedJSON
        }
    }
}

/// What the grammar misses. The raw value is a message for users.
package enum JSONSyntaxReason: String, Hashable, Sendable, CaseIterable {
    case valueExpected = "a value is expected here"
    case keyExpected = "a key in double quotes is expected here"
    case colonExpected = "a colon is expected after the key"
    case commaOrBraceExpected = "a comma or } is expected after the member"
    case commaOrBracketExpected = "a comma or ] is expected after the element"
    case badLiteral = "this is none of true, false and null"
    case unterminatedString = "the string that starts here is never closed"
    case unexpectedEnd = "the text ends before the value does"
    case trailingText = "there is text after the value"
    case arrayExpected = "an array of records is expected here"
    case pathObjectExpected = "the path to the records leads through an object, and this is none"
    case pathMissing = "the document has no array at the path to the records"
}

/// A document that cannot be read on: where (bytes from its start) and why.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    package let position: Int
    package let kind: JSONFault.Kind

    package init(position: Int, kind: JSONFault.Kind) {
        self.position = position
        self.kind = kind
    }

    package var description: String { "byte \(position): \(kind.message)" }
}

extension JSONFault.Kind {
    /// One clause for users; holds nothing of the text.
    package var message: String {
        switch self {
        case .syntax(let reason): reason.rawValue
        case .depth: "the nesting is deeper than the limit"
        case .duplicateKey: "a needed key is named twice in one object"
        case .notAnObject: "the element is not a JSON object"
        case .controlCharacter: "a string holds a raw control character; write it as an escape"
        case .badEscape: "a string holds a backslash escape that JSON does not know"
        case .badNumber: "the number is not one that JSON allows"
        case .invalidUTF8: "a string is not valid UTF-8"
        }
    }
}
