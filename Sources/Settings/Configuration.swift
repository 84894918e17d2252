package import Files
import Foundation
package import Profiles
package import Rules
import StrictYAML
import Trips

/// Finds and reads profiles and rules, by name from the data folder or by path.
package struct Configuration: Sendable {
    private let folder: DataFolder
    private let profiles: String?
    private let vocabulary: Vocabulary

    /// - Parameters:
    ///   - profiles: the folder of the user's own profiles; there may be none.
    ///   - vocabulary: the configured lists. A profile's own lists replace them.
    package init(folder: DataFolder, profiles: String? = nil, vocabulary: Vocabulary = .standard) {
        self.folder = folder
        self.profiles = profiles
        self.vocabulary = vocabulary
    }

    /// The profile at that path, or of that name: the user's own, else a shipped one.
    package func profile(_ nameOrPath: String) throws -> Profile { try versionedProfile(nameOrPath).profile }

    /// The profile with its version: SHA-256 of the file and of every table it names.
    package func versionedProfile(_ nameOrPath: String) throws -> (profile: Profile, version: String) {
        let (profile, version) = try versioned(nameOrPath) { bytes, path, load in
            try ProfileFile.read(
                bytes, file: path, vocabulary: vocabulary, isKnownZone: { TimeZone(identifier: $0) != nil }, load: load)
        }
        return (profile, version)
    }

    /// Whether there is a profile of events at that path, or of that name.
    package func isOfEvents(_ nameOrPath: String) -> Bool {
        guard let path = try? find(nameOrPath, in: "profiles"), let bytes = try? Self.load(path) else { return false }
        return EventProfileFile.isOfEvents(bytes, file: path)
    }

    /// Reads the profile at that path, or of that name, of trips or of events.
    package func checkProfile(_ nameOrPath: String) throws {
        if isOfEvents(nameOrPath) { _ = try eventProfile(nameOrPath) } else { _ = try profile(nameOrPath) }
    }

    /// The profile of events at that path, or of that name, with its version.
    ///
    /// - Parameter lists: in place of the configured ones.
    package func eventProfile(
        _ nameOrPath: String, lists: Vocabulary? = nil
    ) throws -> (profile: EventProfile, version: String) {
        try versioned(nameOrPath) { bytes, path, load in
            try EventProfileFile.read(
                bytes, file: path, vocabulary: lists ?? vocabulary, isKnownZone: { TimeZone(identifier: $0) != nil },
                load: load)
        }
    }

    /// What is read of a profile's file, with the SHA-256 of it and of every table it names.
    private func versioned<Value>(
        _ nameOrPath: String,
        _ read: (_ bytes: [UInt8], _ path: String, _ load: @escaping (String) throws -> [UInt8]) throws -> Value
    ) throws -> (profile: Value, version: String) {
        var files: [String: [UInt8]] = [:]
        let path = try find(nameOrPath, in: "profiles")
        let load = { (path: String) throws -> [UInt8] in
            let bytes = try Self.load(path)
            files[path] = bytes
            return bytes
        }
        let profile = try read(try load(path), path, load)
        var hash = ContentHash()
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            hash.update(Array("\(name)\n\(bytes.count)\n".utf8))
            hash.update(bytes)
        }
        return (profile, hash.hexadecimal)
    }

    /// Checks that a subfolder of the inbox is named like a profile. The error does not repeat its name, which may be a
    /// person's.
    package func checkInboxFolder(named name: String) throws {
        do {
            _ = try find(name, in: "profiles")
        } catch let error as ConfigurationError {
            throw ConfigurationError(
                file: FileLabel(fileName: name).description,
                message: "a subfolder of the inbox has a name like this, and there is no such profile", hint: error.hint
            )
        }
    }

    /// The versions of all profiles of the data folder and of these others, except those that cannot be read.
    package func profileVersions(also others: [String]) throws -> Set<String> {
        let shipped = try folder.files(in: "profiles", endingIn: [".yaml"]).map { String($0.dropLast(5)) }
        return try Set((shipped + ownProfiles() + others).compactMap { try? versionedProfile($0).version })
    }

    /// The names of the user's own profiles, sorted.
    package func ownProfiles() throws(FileError) -> [String] {
        guard let profiles else { return [] }
        return try FolderNames.texts(profiles).filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.map {
            String($0.dropLast(5))
        }.sorted()
    }

    /// The rules of that name in `data/rules`, or at that path; the default rules if none are named.
    package func rules(_ nameOrPath: String?) throws -> RuleSet {
        let path = try nameOrPath.map { try find($0, in: "rules") } ?? folder.path(of: "rules/default.yaml")
        return try RuleSetFile.read(file: path, load: Self.load)
    }

    /// A bare name may be that of a file in the working folder. Where this user may not search that folder, it is not.
    private func isFile(_ nameOrPath: String) throws(FileError) -> Bool {
        do throws(FileError) {
            return try FileStatus.lookUp(nameOrPath).map { $0.kind != .folder } ?? false
        } catch {
            if !nameOrPath.contains("/"), !error.isPassing { return false }
            throw error
        }
    }

    private func find(_ nameOrPath: String, in place: String) throws -> String {
        if try isFile(nameOrPath) { return nameOrPath }
        let own = place == "profiles" ? profiles.map { "\($0)/\(nameOrPath).yaml" } : nil
        let known = [own, folder.path(of: "\(place)/\(nameOrPath).yaml")].compactMap(\.self)
        for path in known where !nameOrPath.contains("/") {
            if try FileStatus.lookUp(path) != nil { return path }
        }
        var names = try folder.files(in: place, endingIn: [".yaml"]).map { String($0.dropLast(5)) }
        if place == "profiles" { names = try ownProfiles() + names }
        let folderHint = own == nil ? "" : ", or put the profile into the folder of the setting `profiles`"
        throw ConfigurationError(
            file: nameOrPath, message: "there is no such file in \(place)",
            hint: "give a path, or one of: \(names.joined(separator: ", "))\(folderHint)")
    }

    /// The bytes of a file that the configuration names.
    static func load(_ path: String) throws(ConfigurationError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(file: path, message: "it cannot be read", hint: "check the path and its mode")
        }
        return Array(data)
    }
}
