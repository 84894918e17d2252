import Basics
import Rules
import TestSupport
import Testing
import Trips

@Suite struct StoredClassifierTests {
    private typealias Fixture = StoredTripFixture

    private func testResults(
        of records: [(day: CivilDay, values: Fixture.Record)], _ rules: RuleSet, allValues: Bool = true
    ) -> [String] {
        var recorder = TestResultRecorder(rules)
        let classifier = Classifier(rules)
        let made = Fixture.batch(records, fields: Fixture.fields.reversed()) { field in
            allValues ? .value : classifier.need(of: field)
        }
        recorder.record(made.batch, dictionaries: made.dictionaries)
        return records.indices.map { recorder.texts[Int(recorder.codes[$0])] }
    }

    private func direct(_ rules: RuleSet, _ record: (day: CivilDay, values: Fixture.Record)) -> StoredClassifier.Outcome
    {
        let explanation = rules.explain(day: record.day) { record.values[$0] }
        let index = rules.rules.firstIndex { $0.id == explanation.decidingRuleID }
        return .classified(explanation.sourcing ?? .unclassified, rule: index)
    }

    /// The trip's own rules, then others made of the same tests: every answer is the one of the original record.
    @Test func whatWasAskedAtLoadingIsAnsweredLater() {
        for seed in UInt64(0)..<150 {
            var fixture = Fixture(seed: seed)
            let tests = (0..<4).map { _ in fixture.test() }
            let loaded = fixture.rules(of: tests)
            let used = loaded.rules.flatMap(\.condition.tests).map(Condition.test)
            let records = fixture.records(60)
            let kept = testResults(of: records, loaded, allValues: seed % 2 == 0)
            for rules in [loaded, fixture.rules(of: used)] {
                var classifier = StoredClassifier(rules)
                for (record, text) in zip(records, kept) {
                    let facts = fixture.facts(record, testResults: text)
                    let texts = fixture.texts
                    let outcome = classifier.classify(facts) { texts[Int($0)] }
                    #expect(outcome == direct(rules, record), "seed \(seed), test results \(text)")
                }
                #expect(classifier.missingResults.isEmpty)
            }
        }
    }

    /// Rules that ask other things: an answer is right, or there is none and the test it lacks is told.
    @Test func whatIsNotKnownIsToldAndNeverGuessed() {
        var answered = 0, unanswered = 0
        for seed in UInt64(0)..<150 {
            var fixture = Fixture(seed: 1000 + seed)
            let old = (0..<3).map { _ in fixture.test() }, new = (0..<3).map { _ in fixture.test() }
            let loaded = fixture.rules(of: old), rules = fixture.rules(of: old + new)
            let records = fixture.records(60)
            var classifier = StoredClassifier(rules)
            for (record, text) in zip(records, testResults(of: records, loaded)) {
                let facts = fixture.facts(record, testResults: text)
                let texts = fixture.texts
                let outcome = classifier.classify(facts) { texts[Int($0)] }
                let explanation = rules.explain(
                    day: record.day, value: { record.values[$0] }, testResults: text)
                switch outcome {
                case .classified:
                    answered += 1
                    #expect(outcome == direct(rules, record), "seed \(seed), test results \(text)")
                    #expect(explanation.sourcing == rules.explain(day: record.day) { record.values[$0] }.sourcing)
                case .needsReplay(let index):
                    unanswered += 1
                    let missing = classifier.missingResults[index]
                    #expect(!text.contains(missing.test + ":"))
                    #expect(explanation.sourcing == nil)
                    #expect(explanation.steps.first { $0.outcome == .notKnown }?.ruleID == missing.ruleID)
                }
            }
        }
        #expect(answered > 1000 && unanswered > 1000)
    }

    private static func facts(day: Int32, testResults: Int32) -> TripFacts {
        var facts = TripFacts()
        facts.day = day
        facts[.testResults] = testResults
        return facts
    }

    private static func rules(_ conditions: [Condition]) -> RuleSet {
        let rules = conditions.enumerated().map {
            Rule(id: "r\($0)", reason: "", condition: $1, sourcing: .inHouse, line: $0 + 1)
        }
        return RuleSet(name: "test", rules: rules, version: "0")
    }

    @Test func testResultsOfTheShippedRulesAreReadable() throws {
        let day = CivilDay(daysSince1970: 20_000)
        let records: [(day: CivilDay, values: Fixture.Record)] = [
            (day, [.vehicleID: "VA-17", .providerID: "P-1"]), (day, [.vehicleID: "X-1", .invoiceNumber: "I-1"]),
            (day, [:]),
        ]
        #expect(
            testResults(of: records, try ShippedRules.sample(), allValues: false) == [
                "invoice_number present: no; vehicle_id prefix va: yes; vehicle_id present: yes",
                "invoice_number present: yes; vehicle_id prefix va: no; vehicle_id present: yes",
                "invoice_number present: no; vehicle_id present: no",
            ])
    }

    @Test func rulesThatTestNoHiddenFieldLeaveNoTestResults() {
        let day = CivilDay(daysSince1970: 20_000)
        let rules = Self.rules([.prefix(field: "provider_id", prefixes: ["P"])])
        #expect(testResults(of: [(day, [.vehicleID: "VA-1"])], rules) == [""])
    }

    @Test func anAbsentValueAnswersEveryTest() {
        var classifier = StoredClassifier(Self.rules([.regex(field: "vehicle_id", pattern: "new")]))
        let texts = ["", "vehicle_id present: no", "vehicle_id present: yes"]
        func outcome(_ testResults: Int32) -> StoredClassifier.Outcome {
            classifier.classify(Self.facts(day: 20_000, testResults: testResults)) { texts[Int($0)] }
        }
        #expect(outcome(1) == .classified(.unclassified, rule: nil))
        #expect(outcome(2) == .needsReplay(0))
        #expect(outcome(0) == .needsReplay(0))
    }

    @Test func anotherRosterIsAnotherTest() {
        let entry = Roster.Entry(key: "1", from: nil, to: CivilDay(daysSince1970: 20_010), sourcing: .inHouse)
        var moved = entry
        moved.to = CivilDay(daysSince1970: 20_011)
        var other = entry
        other.sourcing = .contracted
        func rules(_ entries: [Roster.Entry]) -> RuleSet {
            let roster = Roster(name: "file \(entries.count)", entries: entries)
            return Self.rules([.roster(field: "vehicle_id", roster: roster, sourcing: .inHouse)])
        }
        let loaded = testResults(of: [(CivilDay(daysSince1970: 20_000), [.vehicleID: "1"])], rules([entry]))
        func outcome(_ rules: RuleSet) -> StoredClassifier.Outcome {
            var classifier = StoredClassifier(rules)
            return classifier.classify(Self.facts(day: 20_000, testResults: 1)) { _ in loaded[0] }
        }
        #expect(outcome(rules([entry])) == .classified(.inHouse, rule: 0))
        // An entry of the other sourcing changes no outcome of this test.
        #expect(outcome(rules([entry, other])) == .classified(.inHouse, rule: 0))
        #expect(outcome(rules([moved])) == .needsReplay(0))
    }

    /// What a rule names may be a person's: beside a `yes` it would be the value itself.
    @Test func listedValuesOfIdentifyingFieldsAreReplacedByTheirHash() {
        let rules = Self.rules([
            .isIn(field: "patient_zip", values: ["94110"]), .regex(field: "patient_name", pattern: "Rivera"),
            .prefix(field: "patient_name", prefixes: ["Riv"]), .isIn(field: "vehicle_id", values: ["VA-1"]),
            .containsToken(field: "notes", tokens: ["Rivera"]),
            .range(field: "patient_zip", minimum: 94_110, maximum: nil),
        ])
        var recorder = TestResultRecorder(rules)
        var batch = TripBatch(capacity: 1, textFields: [])
        batch.count = 1
        recorder.record(batch, dictionaries: [])
        let records: [(day: CivilDay, values: Fixture.Record)] = [
            (
                CivilDay(daysSince1970: 0),
                [.patientZIP: "94110", .patientName: "Rivera", .vehicleID: "VA-1", .notes: "x"]
            )
        ]
        let made = Fixture.batch(records, fields: recorder.fields) { _ in .value }
        recorder.record(made.batch, dictionaries: made.dictionaries)
        let text = recorder.texts[Int(recorder.codes[0])]
        #expect(text.contains("patient_zip in #") && text.contains("vehicle_id in #"))
        for value in ["94110", "riv", "Riv", "va-1"] { #expect(!text.contains(value)) }
    }

    @Test func theErrorNamesRuleTestAndTrips() {
        let test = MissingTestResult(ruleID: "fleet", test: "vehicle_id prefix vb")
        #expect(RulesNeedingReplay(trips: [test: 0]) == nil)
        let text = RulesNeedingReplay(trips: [test: 1234])?.description ?? ""
        for part in ["fleet", "vehicle_id prefix vb", "1234", "tripkpi load --replay"] { #expect(text.contains(part)) }
    }

    /// Work that is done once a trip and not once a text would show in the load of a large store.
    @Test func eachTextIsReadOnce() throws {
        var classifier = StoredClassifier(try ShippedRules.sample())
        var random = SplitMix64(seed: 4)
        let texts =
            [""] + (1...5000).map { "P-\($0)" } + [
                "invoice_number present: no; vehicle_id prefix va: yes; vehicle_id present: yes",
                "invoice_number present: yes; vehicle_id present: no",
            ]
        let trips = (0..<100_000).map { _ -> TripFacts in
            var facts = Self.facts(
                day: Int32.random(in: 19_000...20_800, using: &random),
                testResults: Int32.random(in: 5001...5002, using: &random))
            facts[.providerID] = Int32.random(in: 0...40, using: &random)
            facts[.providerName] = 7
            facts[.contractNumber] = Int32.random(in: 0...5000, using: &random)
            facts[.hcpcsModifiers] = Int32.random(in: 0...10, using: &random)
            return facts
        }
        var inHouse = 0, read = 0
        for trip in trips {
            let outcome = classifier.classify(trip) { number in
                read += 1
                return texts[Int(number)]
            }
            if case .classified(.inHouse, _) = outcome { inHouse += 1 }
        }
        #expect(inHouse > 0)
        // 40 providers, a name, 5,000 contracts, 10 modifiers and 2 test results, as far as the rules ask for them.
        #expect((1...5053).contains(read), "\(read)")
    }
}
