package import Trips

/// Why a text is not the JSON that was wanted, and where: an offset in bytes, never a piece of the text.
package struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The raw value is a clause for users; it holds nothing of the text.
    package enum Kind: String, Hashable, Sendable {
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
        case depth = "the nesting is deeper than the limit"
        case duplicateKey = "a needed key is named twice in one object"
        case notAnObject = "the element is not a JSON object"
        case controlCharacter = "a string holds a raw control character; write it as an escape"
        case badEscape = "a string holds a backslash escape that JSON does not know"
        case badNumber = "the number is not one that JSON allows"
        case invalidUTF8 = "a string is not valid UTF-8"
    }

    /// The offset of the first byte that cannot be right, counted from the start of the buffer or the document.
    package let position: Int
    package let kind: Kind

    package init(_ position: Int, _ kind: Kind) {
        self.position = position
        self.kind = kind
    }

    package var description: String { "byte \(position): \(kind.rawValue)" }

    /// The reason under which a record with this fault is quarantined.
    package var rejectReason: RejectReason {
        switch kind {
        case .duplicateKey: .duplicateKey
        case .notAnObject: .notAnObject
        default: .malformedJSON
        }
    }
}

extension JSONFault.Kind {
    /// That a text around the records is not what it should be.
    func error(file: String, offset: Int) -> ExportError {
        switch self {
        case .arrayExpected, .pathObjectExpected, .pathMissing:
            ExportError(
                kind: .malformed, file: file, offset: offset,
                problem: "its records are not where they are looked for (\(rawValue))",
                remedy:
                    "correct “records_path” in the profile: the keys that lead to the array of records, with points between; "
                    + "no records_path for an array at the top, “[].units[]” for arrays within its elements")
        default:
            ExportError(
                kind: .malformed, file: file, offset: offset, problem: "it is not valid JSON (\(rawValue))",
                remedy: "export it again, or give one object a line (NDJSON)")
        }
    }
}
