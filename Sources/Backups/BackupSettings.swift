import Files
import Foundation
import Keys
package import Settings

/// The settings of a site for the record: settings files, rules, profiles and the tables that the profiles name. Shipped rules
/// and profiles are not among them; they come with the program.
package struct BackupSettings: Sendable {
    /// Of profiles and the tables of their lookups.
    private static let mostBytes = 1 << 26
    private static let mostFiles = 1000
    private static let tableEndings = [".csv", ".json", ".geojson"]

    private let files: [String]
    private let rules: String?
    private let profile: String?
    private let profiles: String
    /// Files that never come into a backup by this way, wherever they are.
    private let secrets: [String]

    package init(_ settings: Settings) {
        files = settings.files
        rules = settings.rules
        profile = settings.profile
        profiles = settings.profiles
        let crosswalk = settings.crosswalk.map { [$0.file, $0.keyFile] } ?? []
        secrets =
            [settings.keyFile, settings.store, settings.apiCertificateKey, settings.apiKeys].compactMap(\.self)
            + crosswalk
    }

    /// Name in the backup → bytes, sorted, and how many files were left out.
    func contents() throws -> (files: [(name: String, bytes: [UInt8])], leftOut: Int) {
        var found: [(name: String, path: String)] = [], leftOut = 0
        func add(_ path: String, _ folder: String) {
            if let name = BackupPlace.encoded(FilePath.name(of: path)) {
                found.append((folder + name, path))
            } else {
                leftOut += 1
            }
        }
        // Two files may have one name.
        for (index, path) in files.enumerated() { add(path, "\(index + 1)/") }
        for (path, folder) in [(rules, "rules/"), (profile, "profile/")] {
            if let path, try FileStatus.lookUp(path)?.kind == .file { add(path, folder) }
        }
        for path in try profileFiles() { add(path, "profiles/") }
        let identities = try Set(secrets.compactMap { try FileStatus.lookUp($0)?.identity })
        var contents: [(name: String, bytes: [UInt8])] = []
        for (name, path) in found.sorted(by: { $0.name < $1.name }) {
            guard let status = try FileStatus.lookUp(path), status.kind == .file, status.size <= Self.mostBytes,
                !identities.contains(status.identity), contents.count < Self.mostFiles
            else {
                leftOut += 1
                continue
            }
            contents.append((name, try OpenFile(path, for: .readLinked).read()))
        }
        return (contents, leftOut)
    }

    /// Profiles, and other files of their folder that a profile names. The folder may hold anything else.
    private func profileFiles() throws -> [String] {
        guard try FileStatus.lookUp(profiles)?.kind == .folder else { return [] }
        let names = try FolderNames.texts(profiles).filter { !$0.hasPrefix(".") }
        let own = names.filter { $0.hasSuffix(".yaml") }
        var texts: [String] = []
        for name in own {
            let path = "\(profiles)/\(name)"
            guard let status = try FileStatus.lookUp(path), status.kind == .file, status.size <= Self.mostBytes else {
                continue
            }
            texts.append(String(decoding: try OpenFile(path, for: .readLinked).read(), as: UTF8.self))
        }
        let tables = names.filter { name in
            Self.tableEndings.contains { name.hasSuffix($0) } && texts.contains { $0.contains(name) }
        }
        return (own + tables).map { "\(profiles)/\($0)" }
    }
}
