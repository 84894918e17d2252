/// The texts that are kept of a trip. None of them may identify a person.
package enum StoredText: Int, CaseIterable, Sendable, Hashable {
    /// Id of the rule that decided.
    case rule
    case providerID, providerName, contractNumber, hcpcsCode, hcpcsModifiers
    /// Stored test results of the rules for fields whose values are not kept; see `TestResultRecorder`.
    case testResults

    /// The fields kept in clear.
    package static let publicFields: [(text: StoredText, field: CanonicalField)] = [
        (.providerID, .providerID), (.providerName, .providerName), (.contractNumber, .contractNumber),
        (.hcpcsCode, .hcpcsCode), (.hcpcsModifiers, .hcpcsModifiers),
    ]
}
