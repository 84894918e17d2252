import Cluster
import Foundation
import KPIContract
import Keys
import Operations
import Privacy
import Publishing
import Reporting
import Rules
import Settings
import Store
import TestSupport
import Testing
import UseCases

/// A store in a folder of its own, and what is done to it.
struct NightlyHistory {
    let folder: TemporaryFolder
    let name: String
    let rules: RuleSet
    /// What staff saw, set by set.
    private(set) var published: [KPISummaryV1] = []
    /// What anybody saw, set by set.
    private(set) var released: [KPISummaryV1] = []
    /// Places in `released` of sets before which the release was revised.
    private(set) var revisions: Set<Int> = []
    private var isRevised = false

    private struct Killed: Error {}

    init(_ name: String, in folder: TemporaryFolder, rules: RuleSet) throws {
        self.folder = folder
        self.name = name
        self.rules = rules
        let key = folder.path(of: "key")
        if !FileManager.default.fileExists(atPath: key) {
            try folder.write((0..<32).map { UInt8($0) }, to: "key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        }
    }

    var storePath: String { folder.path(of: "\(name)/store") }

    private func fixture(_ rules: RuleSet? = nil, inbox: String = "none", workers: Int = 1) -> UseCaseFixture {
        var fixture = UseCaseFixture(folder, store: "\(name)/store", rules: rules ?? self.rules)
        fixture.inbox = folder.path(of: inbox)
        fixture.reports = folder.path(of: "\(name)/reports")
        fixture.disclosure.minimumCell = 2
        fixture.maximumRejectPerMillion = 200_000
        fixture.workers = workers
        return fixture
    }

    private func environment(_ fixture: UseCaseFixture, killAfter: Int? = nil) -> RunEnvironment {
        let countdown = Countdown(killAfter)
        return fixture.environment(
            tell: { #expect($0.name != "release.not_revised", CaseTrace.current) },
            checkpoint: { if countdown.isOver() { throw Killed() } })
    }

    /// SHA-256 of what is in the store.
    func loaded() throws -> Set<String> {
        guard FileManager.default.fileExists(atPath: storePath) else { return [] }
        return Set(try TripStore(reading: storePath).exports().map(\.sha256))
    }

    func digest() throws -> String { try TripStore(reading: storePath).digest() }

    func load(_ files: [RandomExports.File]) throws {
        let fixture = fixture()
        _ = try LoadRun(fixture.site, fixture.figures).run(files: files.map(\.path), environment(fixture))
    }

    func rotate() throws -> KeyRotation.Outcome { try KeyRotation(fixture().site).run(environment(fixture())) }

    /// Loads, withdraws, replays, runs with an inbox; under other rules, or stopped half way.
    mutating func doSomething(
        _ files: [RandomExports.File], publishes: Bool, otherRules: RuleSet, _ random: inout SplitMix64
    ) throws {
        let some = Array(files.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
        let there = try loaded()
        let leaving = files.filter { there.contains($0.sha256) }.randomElement(using: &random)
        let fixture = fixture(
            Int.random(in: 0..<6, using: &random) == 0 ? otherRules : nil,
            workers: Int.random(in: 1...2, using: &random))
        let killAfter = Int.random(in: 0..<5, using: &random) == 0 ? Int.random(in: 0...12, using: &random) : nil
        let load = LoadRun(fixture.site, fixture.figures)
        let environment = environment(fixture, killAfter: killAfter)
        do {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                _ = try load.run(
                    files: some.map(\.path), withdraw: [leaving?.sha256].compactMap { $0 }, environment)
            case 1: _ = try load.run(files: [], withdraw: [String(leaving?.sha256.prefix(12) ?? "")], environment)
            case 2: _ = try load.run(files: some.map(\.path), isReplay: true, environment)
            case 3 where publishes: try run(some, killAfter: killAfter, &random)
            case 4 where publishes: try publish(isRevision: Bool.random(using: &random))
            default: _ = try load.run(files: some.map(\.path), environment)
            }
        } catch is Killed {
        } catch StoreError.notLoaded, StoreError.missing, PublishingError.nothingPublished {
        }
    }

    /// Ends with all of these exports and without the visitor, in some order and some number of runs.
    func settle(
        _ files: [RandomExports.File], visitor: RandomExports.File?, _ random: inout SplitMix64
    ) throws {
        let leaving = try loaded().contains(visitor?.sha256 ?? "") ? [visitor?.sha256].compactMap { $0 } : []
        let shuffled = files.shuffled(using: &random)
        let half = Int.random(in: 0...shuffled.count, using: &random)
        let fixture = fixture()
        let load = LoadRun(fixture.site, fixture.figures), environment = environment(fixture)
        _ = try load.run(files: shuffled.prefix(half).map(\.path), environment)
        _ = try load.run(files: shuffled.dropFirst(half).map(\.path), withdraw: leaving, environment)
    }

    private mutating func run(
        _ files: [RandomExports.File], killAfter: Int?, _ random: inout SplitMix64
    ) throws {
        let inbox = "\(name)/inbox-\(random.next())"
        try FileManager.default.createDirectory(
            atPath: folder.path(of: inbox), withIntermediateDirectories: true)
        for file in files {
            let name = URL(fileURLWithPath: file.path).lastPathComponent
            try FileManager.default.linkItem(atPath: file.path, toPath: folder.path(of: inbox) + "/" + name)
        }
        do {
            let fixture = fixture(inbox: inbox)
            _ = try NightlyRun(fixture.site, fixture.figures, PublicationPolicy())
                .run(environment(fixture, killAfter: killAfter))
            try note()
        } catch is DisclosureError {
        }
    }

    /// False if nothing may be published.
    @discardableResult
    mutating func publish(isRevision: Bool = false) throws -> Bool {
        isRevised = isRevised || isRevision
        do {
            let fixture = fixture()
            _ = try PublishRun(fixture.site, fixture.figures, PublicationPolicy())
                .publish(PublishRequest(revision: isRevision ? .now : .whenDue), environment(fixture))
            try note()
            return true
        } catch is DisclosureError {
            return false
        }
    }

    func waive(_ file: RandomExports.File) throws {
        guard let key = PseudonymKey(bytes: try folder.read("key")) else { return }
        let store = try TripStore(
            path: storePath,
            identity: TripStore.Identity(
                keyFingerprint: key.fingerprint, rulesName: rules.name, rulesVersion: rules.version), isDurable: false)
        try store.waive(Waiver(sha256: file.sha256, reason: "test", waivedBy: "test", waivedAt: 0))
    }

    private mutating func note() throws {
        if let summary = try summary("staff") { published.append(summary) }
        guard let summary = try summary("release") else { return }
        if isRevised { revisions.insert(released.count) }
        isRevised = false
        released.append(summary)
    }

    private func summary(_ audience: String) throws -> KPISummaryV1? {
        let path = "\(name)/reports/\(audience)/current/kpi-summary.json"
        guard let bytes = try? folder.read(path) else { return nil }
        return try JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes))
    }

    /// A file of the staff set.
    func bytes(_ file: String) throws -> [UInt8] { try folder.read("\(name)/reports/staff/current/\(file)") }

    /// As if nothing had ever been published.
    func forgetPublished() throws {
        try FileManager.default.removeItem(atPath: folder.path(of: "\(name)/reports"))
    }

    /// The files of the staff set by name.
    func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in ["kpi-summary.json", "kpi-cells.csv", "dashboard.html", "manifest.json"] {
            files[name] = try bytes(name)
        }
        return files
    }
}
