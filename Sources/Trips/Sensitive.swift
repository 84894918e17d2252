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
