import Files
import Foundation
import Keys
import Profiles
package import Settings

/// The settings of a site for the record: settings files, rules, profiles and the tables that they name. Shipped rules
/// and profiles are not among them; they come with the program.
package struct BackupSettings: Sendable {
    /// Of profiles and the tables of their lookups.
    private static let mostBytes = 1 << 26
    private static let mostFiles = 1000

    private let files: [String]
    private let rules: String?
    private let profile: String?
    private let profiles: String
    private let vocabulary: Vocabulary
    /// Files that never come into a backup by this way, wherever they are.
    private let secrets: [String]

    package init(_ settings: Settings) {
        files = settings.files
        rules = settings.rules
        profile = settings.profile
        profiles = settings.profiles
        vocabulary = settings.vocabulary
        let crosswalk = settings.crosswalk.map { [$0.file, $0.keyFile] } ?? []
        secrets =
            [settings.keyFile, settings.store, settings.apiCertificateKey, settings.apiKeys].compactMap(\.self)
            + crosswalk
    }

    /// Paths by their names in the backup.
    private struct NamedFiles {
        var paths: [String: String] = [:]
        /// Files that cannot have a name in it, and tables of a file that no run could read.
        var leftOut = 0

        mutating func add(_ path: String, _ folder: String) {
            guard let name = BackupPlace.encoded(FilePath.name(of: path)) else {
                leftOut += 1
                return
            }
            // Two files of different folders may have one name.
            var number = 1, unique = folder + name
            while let known = paths[unique], known != path {
                number += 1
                unique = "\(folder)\(number)/\(name)"
            }
            paths[unique] = path
        }

        mutating func add(_ tables: NamedTables, _ folder: String) {
            guard tables.isRead else {
                leftOut += tables.paths.count
                return
            }
            for path in tables.paths { add(path, folder) }
        }
    }

    /// Name in the backup → bytes, sorted, and how many files were left out.
    func contents() throws -> (files: [(name: String, bytes: [UInt8])], leftOut: Int) {
        let found = try namedFiles()
        let identities = try Set(secrets.compactMap { try FileStatus.lookUp($0)?.identity })
        var contents: [(name: String, bytes: [UInt8])] = [], leftOut = found.leftOut
        for (name, path) in found.paths.sorted(by: { $0.key < $1.key }) {
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

    private func namedFiles() throws -> NamedFiles {
        var found = NamedFiles()
        for (index, path) in files.enumerated() { found.add(path, "\(index + 1)/") }
        if let rules, try isOwn(rules) {
            found.add(rules, "rules/")
            found.add(NamedTables(ofRules: rules, mostBytes: Self.mostBytes), "rules/")
        }
        if let profile, try isOwn(profile) { add(profile: profile, "profile/", to: &found) }
        guard try FileStatus.lookUp(profiles)?.kind == .folder else { return found }
        // The folder may hold anything else: exports, say.
        for name in try FolderNames.texts(profiles) where name.hasSuffix(".yaml") && !name.hasPrefix(".") {
            add(profile: "\(profiles)/\(name)", "profiles/", to: &found)
        }
        return found
    }

    private func add(profile path: String, _ folder: String, to found: inout NamedFiles) {
        found.add(path, folder)
        found.add(NamedTables(ofProfile: path, vocabulary: vocabulary, mostBytes: Self.mostBytes), folder)
    }

    /// Whether it is a path rather than the name of a shipped file. A path that leads nowhere is one too: it is left out.
    private func isOwn(_ nameOrPath: String) throws -> Bool {
        try nameOrPath.contains("/") || FileStatus.lookUp(nameOrPath)?.kind == .file
    }
}
