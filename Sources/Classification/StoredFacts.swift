package import Trips

/// What a store keeps of a trip for its classification: the day, five texts in clear, and evidence of the rest.
///
/// Texts are known by numbers that stay the same (the store's interned texts); 0: none.
package struct StoredFacts: Sendable, Hashable {
    /// The fields whose values are kept; of every other field that a rule looks at there is evidence.
    package static let clearFields: [CanonicalField] = [
        .providerID, .providerName, .contractNumber, .hcpcsCode, .hcpcsModifiers,
    ]

    /// Days since 1970.
    package var day: Int32
    package var providerID: Int
    package var providerName: Int
    package var contractNumber: Int
    package var hcpcsCode: Int
    package var hcpcsModifiers: Int
    package var evidence: Int

    package init(
        day: Int32, providerID: Int = 0, providerName: Int = 0, contractNumber: Int = 0, hcpcsCode: Int = 0,
        hcpcsModifiers: Int = 0, evidence: Int = 0
    ) {
        self.day = day
        self.providerID = providerID
        self.providerName = providerName
        self.contractNumber = contractNumber
        self.hcpcsCode = hcpcsCode
        self.hcpcsModifiers = hcpcsModifiers
        self.evidence = evidence
    }
}
