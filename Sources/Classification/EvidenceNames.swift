internal import Conditions
internal import Hashing
internal import Trips

/// How the tests of hidden fields are called in the store.
enum EvidenceNames {
    static let clearFields = StoredFacts.clearFields.map(\.rawValue)

    /// 32 of the 64 digits of SHA-256: nobody can choose two lists of one name by accident.
    static func name(of test: Condition) -> String? {
        test.testName(showsOperands: showsOperands(of: test)) { String(ContentHash.of($0).prefix(32)) }
    }

    /// Beside an outcome of `yes` the operand of a test is a value, or near to it. For a field that identifies it is
    /// told by its hash, but for the beginnings of the numbers of vehicles, facilities and papers.
    private static func showsOperands(of test: Condition) -> Bool {
        guard let field = test.testedField.flatMap(CanonicalField.init(rawValue:)) else { return false }
        guard field.isIdentifying else { return true }
        guard case .prefix = test else { return false }
        return [.vehicleID, .facilityID, .invoiceNumber].contains(field)
    }
}
