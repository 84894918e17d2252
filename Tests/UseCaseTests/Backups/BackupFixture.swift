import Basics
import Foundation
import Keys
import Operations
import Privacy
import Publishing
import Reporting
import Rules
import Settings
import Store
import TestSupport
import Trips
import UseCases

/// A site in a folder: its store, key, audit log and published sets, and where its backup goes.
struct BackupFixture {
    let folder: TemporaryFolder
    /// Of this site in the folder.
    let name: String
    static let publishedAt = 1_775_000_000

    init(_ folder: TemporaryFolder, _ name: String = "site") {
        self.folder = folder
        self.name = name
    }

    /// A site whose backup is of two exports; a third one was loaded since.
    static func withBackup(_ body: (BackupFixture, TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let site = BackupFixture(folder)
            try site.load(0..<2)
            try site.publish()
            try site.backUp()
            try site.load(2..<3)
            try site.publish(at: BackupFixture.publishedAt + 60)
            try body(site, folder)
        }
    }

    static func remove(_ paths: String...) throws {
        for path in paths { try FileManager.default.removeItem(atPath: path) }
    }

    func path(_ file: String) -> String { folder.path(of: "\(name)/\(file)") }
    var store: String { path("store/tripkpi.sqlite") }
    var key: String { path("store/tripkpi.sqlite.key") }
    var log: String { path(logName) }
    let logName = "audit/log.jsonl"
    var reports: String { path("reports") }
    /// The audit log is in a folder of its own, which no command has made yet.
    var site: StoreSite { StoreSite(store: store, key: key, reports: reports, auditLog: log) }

    func environment(
        at time: Int = publishedAt, checkpoint: @escaping @Sendable () throws -> Void = {}
    ) -> RunEnvironment {
        let owner = LockOwner(
            process: 1, host: "test", user: "test", command: "test", startedAt: UTCTime(secondsSince1970: 0))
        return RunEnvironment(
            owner: owner, tool: "tripkpi test", generatedAt: UTCTime(secondsSince1970: time), workers: 1,
            isDurable: false,
            temporaryFolder: folder.path, checkpoint: checkpoint)
    }

    private var figures: FigureSettings {
        get throws {
            let data = DataFolder(path: Repository.root.appendingPathComponent("data").path, origin: .flag)
            let configuration = Configuration(folder: data)
            return FigureSettings(
                reading: ExportReading(inbox: path("inbox"), configuration: configuration),
                rules: try configuration.rules("sample"), disclosure: DisclosureSettings())
        }
    }

    /// Loads twenty trips a number: of January 2024.
    func load(_ numbers: Range<Int>) throws {
        // Not before the sets that are there: such a clock is not believed.
        let newest = try PublishedSets(root: reports).newestTime().flatMap(UTCTime.init)
        let now = max(Self.publishedAt, newest?.secondsSince1970 ?? 0)
        for number in numbers {
            let rows = (0..<20).map { "T\(number)-\($0),2024-01-\($0 + 10),QN,\(number * 20 + $0).50" }
            let text = "trip_id,service_date,hcpcs_modifiers,cost\n" + rows.map { $0 + "\n" }.joined()
            let file = try folder.write(text, to: "\(name)/exports/\(number).csv")
            _ = try LoadRun(site, figures).run(files: [file], environment(at: now))
        }
    }

    func publish(at time: Int = publishedAt) throws {
        _ = try PublishRun(site, figures, PublicationPolicy()).publish(PublishRequest(), environment(at: time))
    }

    /// Removes one trip, and publishes.
    func remove(_ trip: String, at time: Int) throws {
        let request = TripRemoval.Request(trips: [(Sensitive(trip), Sensitive(""))])
        _ = try TripRemoval(site, figures, PublicationPolicy()).run(request, environment(at: time)) { _ in }
    }

    func digest() throws -> String { try TripStore(reading: store).digest() }

    func current() throws -> [String?] {
        try [.release, .staff].map { try PublishedSets(root: reports).folder($0).currentID() }
    }

    @discardableResult
    func backUp(
        to file: String = "backup.tar", sealedWith secret: String? = nil,
        checkpoint: @escaping @Sendable () throws -> Void = {}
    ) throws -> String {
        let file = folder.path(of: file)
        let settings = try Settings(
            flags: SettingLayer(), config: nil, environment: [:], workingFolder: folder.path, processors: 1)
        _ = try Backup(site, settings: BackupSettings(settings), sealedWith: secret)
            .write(to: file, environment(checkpoint: checkpoint))
        return file
    }

    /// Puts the backup in place.
    @discardableResult
    func restore(
        _ file: String = "backup.tar", replaces: Bool = false, sealedWith secret: String? = nil,
        at time: Int = publishedAt, checkpoint: @escaping @Sendable () throws -> Void = {}
    ) throws -> [String] {
        try Restore(site, from: folder.path(of: file), sealedWith: secret)
            .run(replaces: replaces, environment(at: time, checkpoint: checkpoint))
    }

    /// A private file of this many bytes.
    func secret(_ name: String = "secret", count: Int = 32, byte: UInt8 = 7) throws -> String {
        let path = try folder.write([UInt8](repeating: byte, count: count), to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    /// Copies the key of another site here.
    func takeKey(of other: BackupFixture) throws {
        try folder.write(folder.read("\(other.name)/store/tripkpi.sqlite.key"), to: "\(name)/store/tripkpi.sqlite.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    }

    /// The names beside the store.
    func namesBesideStore() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path("store")).sorted()
    }
}
