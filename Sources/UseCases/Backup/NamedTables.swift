import Files
import Foundation
import Profiles
import Rules

/// The tables that a profile or a rule file names, found by reading it as a run does.
struct NamedTables {
    /// In the order of the names.
    let paths: [String]
    /// Whether a run could read the file with all its tables. Otherwise what it names may be anything.
    let isRead: Bool

    /// Remembers which files are asked for.
    private final class Loader {
        let mostBytes: Int
        private(set) var paths: Set<String> = []

        init(mostBytes: Int) { self.mostBytes = mostBytes }

        func load(_ path: String) throws -> [UInt8] {
            paths.insert(path)
            let file = try OpenFile(path, for: .readLinked), status = try file.status()
            guard status.kind == .file, status.size <= mostBytes else {
                throw FileError(path, "be read", code: EFBIG)
            }
            return try file.read()
        }
    }

    /// - Parameters:
    ///   - path: of the file of a profile, of trips or of events.
    ///   - mostBytes: a larger file is not read.
    init(ofProfile path: String, vocabulary: Vocabulary, mostBytes: Int) {
        self.init(of: path, mostBytes: mostBytes) { loader in
            let bytes = try loader.load(path), isKnownZone = { TimeZone(identifier: $0) != nil }
            if EventProfileFile.isOfEvents(bytes, file: path) {
                _ = try EventProfileFile.read(
                    bytes, file: path, vocabulary: vocabulary, isKnownZone: isKnownZone, load: loader.load)
            } else {
                _ = try ProfileFile.read(
                    bytes, file: path, vocabulary: vocabulary, isKnownZone: isKnownZone, load: loader.load)
            }
        }
    }

    init(ofRules path: String, mostBytes: Int) {
        self.init(of: path, mostBytes: mostBytes) { loader in
            _ = try RuleSetFile.read(file: path, load: loader.load)
        }
    }

    private init(of path: String, mostBytes: Int, _ read: (Loader) throws -> Void) {
        let loader = Loader(mostBytes: mostBytes)
        // The error is one of the file: `doctor` and the next run report it.
        isRead = (try? read(loader)) != nil
        paths = loader.paths.subtracting([path]).sorted()
    }
}
