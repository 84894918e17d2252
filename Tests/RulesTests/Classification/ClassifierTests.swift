import Basics
import Rules
import TestSupport
import Testing
import Trips

@Suite struct ClassifierTests {
    private static let values: [CanonicalField: [String]] = [
        .hcpcsModifiers: ["", "RH", "RH QN", "QM"], .contractNumber: ["", "", "C-1"],
        .invoiceNumber: ["", "", "", "I-1"], .providerID: ["", "VA-101", "P-100", "P-105", "P-999"],
        .vehicleID: ["", "VA-1", "X-1"],
    ]

    /// The batch's column order is not the classifier's, and one column is of no interest to it.
    @Test func givesTheAnswersOfTheExplanation() throws {
        let rules = try ShippedRules.sample()
        var classifier = Classifier(rules)
        let fields: [CanonicalField] = [
            .vehicleID, .cost, .providerID, .invoiceNumber, .hcpcsModifiers, .contractNumber,
        ]
        #expect(Set(classifier.fields).isSubset(of: fields))
        var random = SplitMix64(seed: 9)
        var batch = TripBatch(capacity: 500, textFields: fields)
        var dictionaries = fields.map { _ in TextDictionary() }
        var rows: [[CanonicalField: String]] = []
        batch.count = 500
        for row in 0..<500 {
            var record: [CanonicalField: String] = [:]
            for (place, field) in fields.enumerated() {
                let value = Self.values[field]?.randomElement(using: &random) ?? ""
                record[field] = value
                batch.text[place][row] = code(value, need: classifier.need(of: field), &dictionaries[place])
            }
            rows.append(record)
            batch.day[row] = Int32.random(in: 20_000...20_800, using: &random)
        }
        classifier.classify(&batch, dictionaries: dictionaries)
        for row in 0..<500 {
            let day = CivilDay(daysSince1970: batch.day[row])
            let expected = rules.explain(day: day) { rows[row][$0] }
            let index = Int(classifier.ruleIndexes[row])
            let ruleID = index < 0 ? nil : rules.rules[index].id
            #expect(ruleID == expected.decidingRuleID, "\(rows[row]) \(day)")
            #expect(batch.sourcing[row] == expected.sourcing?.rawValue)
        }
    }

    private func code(_ value: String, need: TextNeed, _ dictionary: inout TextDictionary) -> UInt32 {
        if value.isEmpty { return 0 }
        if need == .presence { return 1 }
        for code in 1..<UInt32(max(1, dictionary.count)) where dictionary[code].revealed(for: .matching) == value {
            return code
        }
        return dictionary.append(value)
    }

    @Test func onlyTheEvidenceThatIsReadNeedsItsValues() throws {
        let classifier = Classifier(try ShippedRules.sample())
        #expect(classifier.need(of: .invoiceNumber) == .presence)
        #expect(classifier.need(of: .contractNumber) == .presence)
        #expect(classifier.need(of: .providerID) == .value)
    }

    @Test func aFieldTheBatchLacksCountsAsAbsent() throws {
        var classifier = Classifier(try ShippedRules.sample())
        var batch = TripBatch(capacity: 2, textFields: [.invoiceNumber])
        batch.count = 2
        batch.text[0][1] = 1
        classifier.classify(&batch, dictionaries: [TextDictionary()])
        #expect(batch.sourcing == [Sourcing.unclassified.rawValue, Sourcing.contracted.rawValue])
    }
}
