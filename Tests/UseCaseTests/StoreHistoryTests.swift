import Cluster
import Foundation
import KPIs
import Operations
import Reporting
import Rules
import Store
import StrictYAML
import TestSupport
import Testing
import Trips
import UseCases

/// What the store says depends on the exports in it, not on what happened on the way.
@Suite struct StoreHistoryTests {
    /// A store, its key and its inbox in a folder of their own.
    private struct Site {
        let folder: TemporaryFolder
        var fixture: UseCaseFixture

        init(_ folder: TemporaryFolder, store: String = "a") throws {
            self.folder = folder
            fixture = UseCaseFixture(folder, store: store + ".sqlite", rules: try ShippedRules.sample())
            fixture.generatedAt = 1_767_225_600
        }

        /// Loads files that are written for it, one after another.
        func load(_ files: [(name: String, text: String)]) throws {
            for file in files {
                try folder.write(file.text, to: file.name)
                let outcome = try fixture.load([folder.path(of: file.name)])
                #expect(outcome.failures.isEmpty, "\(outcome.failures)")
            }
        }

        @discardableResult
        func withdraw(_ name: String) throws -> String {
            let hash = try TripStore(reading: fixture.store).exports().first { $0.label == name }?.sha256 ?? ""
            try fixture.load([], withdraw: [hash])
            return hash
        }

        func replay(_ names: [String]) throws {
            try fixture.load(names.map(folder.path(of:)), isReplay: true)
        }

        @discardableResult
        func classify(_ rules: RuleSet) throws -> Reclassification.Outcome {
            var fixture = fixture
            fixture.rules = rules
            return try Reclassification(fixture.site, fixture.figures).run(fixture.environment())
        }

        func run() throws -> NightlyOutcome {
            try NightlyRun(fixture.site, fixture.figures, PublicationPolicy()).run(fixture.environment())
        }

        var digest: String { get throws { try TripStore(reading: fixture.store).digest() } }

        /// Every figure of the store, and its counts. The digest also tells evidence apart, which depends on the rules
        /// that a trip was loaded under.
        var figures: String {
            get throws {
                let store = try TripStore(reading: fixture.store)
                let lists = try store.lists()
                let context = KPITally.TableContext(
                    regions: lists.regions, tripTypes: lists.tripTypes, intervalPairs: [:])
                let table = try store.tally(shape: store.shape()).table(context)
                return try "\(table?.cells.map { "\($0)" } ?? []) \(store.totals())"
            }
        }

        /// The finished tallies, which must be those of the rows.
        func checkTallies() throws {
            let store = try TripStore(reading: fixture.store)
            let shape = try store.shape()
            let months = try store.months()
            for month in months {
                #expect(
                    try store.tally(of: month...month, shape: shape).encoded(month: month)
                        == store.tallyRows(of: [month], shape: shape, workers: 1).encoded(month: month))
            }
        }
    }

    private static func export(_ rows: [String]) -> String {
        (["trip_id,service_date,hcpcs_modifiers,status"] + rows).joined(separator: "\n") + "\n"
    }

    private static let january = export((10..<30).map { "T\($0),2024-01-\($0),QN," })
    private static let correction = export(["T10,2024-02-10,QM,", "T11,2024-01-11,QM,"])
    private static let void = export(["T12,2024-01-12,QN,void"])

    private static func rules(_ name: String, _ modifier: String) throws -> RuleSet {
        let text = """
            name: \(name)
            rules:
              - id: only
                reason: A rule of a test.
                when: {contains-token: {hcpcs_modifiers: \(modifier)}}
                then: contracted

            """
        return try RuleSetFile.read(file: "rules.yaml") { _ in Array(text.utf8) }
    }

    @Test func aCorrectionToAnotherMonthLeavesNoTraceWhenWithdrawn() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder), plain = try Site(folder, store: "b")
            try site.load([("trips_2024-02-01.csv", Self.january), ("trips_2024-03-01.csv", Self.correction)])
            try plain.load([("trips_2024-02-01.csv", Self.january)])
            #expect(try site.digest != plain.digest)
            try site.withdraw("trips_2024-03-01.csv")
            #expect(try site.digest == plain.digest)
            try site.checkTallies()
        }
    }

    @Test func aVoidWithdrawnAfterOtherRulesLeavesNoTrace() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            var plain = try Site(folder, store: "b")
            try site.load([("trips_2024-02-01.csv", Self.january), ("trips_2024-03-01.csv", Self.void)])
            let rules = try Self.rules("other", "QN")
            #expect(try site.classify(rules).changes?.map(\.trips) == [20])
            #expect(try site.classify(rules).changes == nil)
            plain.fixture.rules = rules
            try plain.load([("trips_2024-02-01.csv", Self.january)])
            var later = site
            later.fixture.rules = rules
            try later.withdraw("trips_2024-03-01.csv")
            #expect(try site.figures == plain.figures)
            try site.checkTallies()
        }
    }

    /// Which of its names comes first does not matter: the earliest date counts, and decides anew what wins.
    @Test func oneContentUnderTwoDatedNamesIsTheSameInBothOrders() throws {
        let files = [
            ("trips_2024-02-01.csv", Self.correction), ("trips_2024-03-01.csv", Self.january),
            ("trips_2024-04-01.csv", Self.correction), ("trips.csv", Self.correction),
        ]
        try TemporaryFolder.with { folder in
            var digests: Set<String> = []
            for (number, order) in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 1, 3], [1, 3, 2, 0]].enumerated() {
                let site = try Site(folder, store: "store\(number)")
                try site.load(order.map { files[$0] })
                try digests.insert(site.digest)
                try site.checkTallies()
            }
            #expect(digests.count == 1)
        }
    }

    @Test func aReplayEqualsAFreshLoad() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder), plain = try Site(folder, store: "b")
            let files = [("trips_2024-02-01.csv", Self.january), ("trips_2024-03-01.csv", Self.correction)]
            try site.load(files)
            try site.replay(["trips_2024-02-01.csv"])
            try plain.load(files.reversed())
            #expect(try site.digest == plain.digest)
            try site.checkTallies()
        }
    }

    /// Other rules by a replay of some exports: nothing stays half classified.
    @Test func aReplayByOtherRulesClassifiesAllTrips() throws {
        try TemporaryFolder.with { folder in
            var site = try Site(folder), plain = try Site(folder, store: "b")
            let files = [("trips_2024-02-01.csv", Self.january), ("trips_2024-03-01.csv", Self.correction)]
            try site.load(files)
            site.fixture.rules = try Self.rules("other", "QM")
            try site.replay(["trips_2024-03-01.csv"])
            plain.fixture.rules = site.fixture.rules
            try plain.load(files)
            #expect(try TripStore(reading: site.fixture.store).rules().name == "other")
            try site.checkTallies()
            #expect(try site.figures == plain.figures)
        }
    }

    @Test func aWithdrawnExportIsIgnoredUntilItIsLoadedByName() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            try folder.write(Self.january, to: "inbox/trips_2024-02-01.csv")
            try folder.write(Self.correction, to: "inbox/trips_2024-03-01.csv")
            #expect(try site.run().exports.loaded == 2)
            let both = try site.digest
            let hash = try site.withdraw("trips_2024-03-01.csv")
            let run = try site.run()
            #expect((run.exports.loaded, run.exports.known) == (0, 2))
            #expect(try TripStore(reading: site.fixture.store).withdrawnExports() == [hash])

            var plain = try Site(folder, store: "b")
            plain.fixture.inbox = folder.path(of: "other")
            plain.fixture.reports = folder.path(of: "others")
            try folder.write(Self.january, to: "other/trips_2024-02-01.csv")
            #expect(try plain.run().publication?.runID == run.publication?.runID)
            #expect(try site.digest == plain.digest)

            try site.load([("inbox/trips_2024-03-01.csv", Self.correction)])
            #expect(try site.digest == both)
            #expect(try TripStore(reading: site.fixture.store).withdrawnExports().isEmpty)
        }
    }

    /// The first by path wins within a run; what is in the ledger wins across runs.
    @Test func oneContentInTwoProfileFoldersIsLoadedOnce() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            try folder.write(Self.january, to: "inbox/b_2024-02-01.csv")
            try folder.write(Self.january, to: "inbox/trips_2024-02-01.csv")
            let run = try site.run()
            #expect((run.exports.loaded, run.exports.known) == (1, 1))
        }
    }

    @Test func rulesThatAskWhatWasNotKeptAreRefusedAndChangeNothing() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            let file = "trip_id,service_date,vehicle_id\n" + (10..<30).map { "T\($0),2024-01-\($0),X1\n" }.joined()
            try site.load([("trips_2024-02-01.csv", file)])
            let before = try site.digest
            let text = """
                name: vehicles
                rules:
                  - id: x-fleet
                    reason: A rule of a test.
                    when: {prefix: {vehicle_id: X1}}
                    then: contracted

                """
            let rules = try RuleSetFile.read(file: "rules.yaml") { _ in Array(text.utf8) }
            #expect(throws: RulesNeedingReplay.self) { try site.classify(rules) }
            var compared = site.fixture
            compared.rules = rules
            do {
                _ = try RulesComparison(store: compared.store, compared.figures, workers: 1)
                Issue.record("the comparison was not refused")
            } catch let refusal as RulesNeedingReplay {
                #expect(refusal.trips.values.reduce(0, +) == 20)
                #expect(refusal.description.contains("x-fleet"))
            }
            #expect(try site.digest == before)
        }
    }
}
