/// A value that can point at a person. It prints as `‹redacted›`, has no mirror to look into, is not Codable and is not
/// Equatable or Hashable, so that it cannot be logged, encoded, or compared by accident.
///
/// Code that needs the value calls `revealed(for:)` with the purpose: `grep 'revealed(for'` lists every use of an
/// identifier.
package struct Sensitive<Value: Sendable>: Sendable, Redacted {
    private let value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// Why an identifier may be used. Only the last four let anything of it out of the process: de-identified, encrypted,
    /// or to a user on record.
    package enum Purpose: Sendable {
        /// To test a rule's or filter's condition.
        case matching
        /// To look a value up in a table (facility, ZIP, roster).
        case lookup
        /// To describe its shape (`99/99/9999`).
        case masking
        /// To keep a text of a field that identifies no person, such as a contract's number.
        case keeping
        /// To reduce it to what a privacy profile shows, such as a date of birth to an age.
        case deidentifying
        /// To encrypt it into the crosswalk, where one is configured.
        case sealing
        /// To list an invoice number beside an exception in finance's workbook for staff. The audit log records that
        /// workbook before it is written.
        case reviewing
        /// To show it to the user of `reidentify`, after the audit log has recorded it.
        case reidentifying
        /// To compute the pseudonym of what leaves the store for good.
        case removing
    }

    package func revealed(for purpose: Purpose) -> Value { value }
}

/// A type whose values print as `‹redacted›` and have no mirror to look into.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// The shape of a value without its content: digits become `9`, letters `A` or `a`, other bytes are kept
/// only if they are common punctuation. Runs are cut at 24 characters.
package enum ValueShape {
    package static func of(_ bytes: some Sequence<UInt8>) -> String {
        var shape = ""
        var length = 0
        for byte in bytes {
            if length == 24 { return shape + "…" }
            length += 1
            switch byte {
            case 0x30...0x39: shape.append("9")
            case 0x41...0x5A: shape.append("A")
            case 0x61...0x7A: shape.append("a")
            case 0x20, 0x2C, 0x2D, 0x2E, 0x2F, 0x3A, 0x24, 0x28, 0x29, 0x2B, 0x5F, 0x23, 0x40:
                shape.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x80...0xBF: length -= 1
            case 0xC0...0xFF: shape.append("ä")
            default: shape.append("?")
            }
        }
        return shape
    }
}
