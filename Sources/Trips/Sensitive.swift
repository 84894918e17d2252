/// A value that can point at a person. It prints as `‹redacted›`, has no mirror to look into, is not Codable and is not
/// Equatable or Hashable, so that it cannot be logged, encoded, or compared by accident.
///
/// Whoever needs the value says so by the long name, `revealed(for:)`, and gives the purpose: `grep 'revealed(for'`
/// lists every place where an identifier is looked at.
package struct Sensitive<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// Why an identifier may be looked at. Only the last three let anything of it out of the process: what the rules of
    /// `Deidentification` make of it, encrypted, or to somebody who is told on record.
    package enum Purpose: Sendable {
        /// To test a rule's or filter's condition.
        case matching
        /// To look a value up in a table (facility, ZIP, roster).
        case lookup
        /// To describe its shape (`99/99/9999`).
        case masking
        /// To keep a text of a field that identifies nobody, such as a contract's number.
        case keeping
        /// To make of it what a privacy profile lets be shown, such as an age of a date of birth.
        case deidentifying
        /// To encrypt it into the crosswalk, where one is configured.
        case sealing
        /// To tell whoever asked with `reidentify`, once that was written to the audit log.
        case reidentifying
    }

    package func revealed(for purpose: Purpose) -> Value { value }

    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
