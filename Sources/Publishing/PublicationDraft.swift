import Encoding
package import KPIContract

/// A set of files that is ready to be published, with its manifest.
package struct PublicationDraft: Sendable {
    /// One file of the set.
    package struct File: Sendable {
        /// Where its bytes are.
        package enum Content: Sendable {
            case bytes([UInt8])
            /// In a file that is copied and stays unchanged until then: for content too large for memory.
            case draft(path: String)
        }

        /// The file in the manifest.
        package let entry: PublicationManifestV1.File
        package let content: Content

        /// - Parameters:
        ///   - rows: records below the header; nil for a file that is one document.
        ///   - contentSecurityPolicy: what a server must send with a page; nil for other files.
        package init(
            name: String, mediaType: String, bytes: [UInt8], rows: Int? = nil, contentSecurityPolicy: String? = nil
        ) {
            entry = .init(
                name: name, mediaType: mediaType, bytes: bytes.count, sha256: ContentHash.of(bytes), rows: rows,
                contentSecurityPolicy: contentSecurityPolicy)
            content = .bytes(bytes)
        }

        /// A file whose bytes are at `draft`.
        package init(_ entry: PublicationManifestV1.File, draft: String) {
            self.entry = entry
            content = .draft(path: draft)
        }
    }

    /// By name, so that the same files are the same set in any order.
    package let files: [File]
    package let manifest: PublicationManifestV1

    /// - Parameter manifest: everything but its files. Its `generatedAt` comes from the caller's clock or
    ///   `SOURCE_DATE_EPOCH`.
    /// - Throws: `PublishingError.unsafeName` or `.repeatedName`, before anything is written.
    package init(_ manifest: PublicationManifestV1, files: [File]) throws(PublishingError) {
        guard SafeName.isSafe(manifest.runId) else { throw .unsafeName(manifest.runId) }
        var names: Set<String> = [PublicationManifestV1.fileName]
        for file in files {
            guard SafeName.isSafe(file.entry.name) else { throw .unsafeName(file.entry.name) }
            guard names.insert(file.entry.name).inserted else { throw .repeatedName(file.entry.name) }
        }
        self.files = files.sorted { $0.entry.name < $1.entry.name }
        var manifest = manifest
        manifest.files = self.files.map(\.entry)
        self.manifest = manifest
    }
}

/// Names of runs, of their files and of the parts of a backup: they become paths, so they can lead nowhere else and are never
/// hidden.
package enum SafeName {
    /// 1 to 128 letters, digits, `.`, `_` and `-` of ASCII; the first is no `.` and no `-`.
    package static func isSafe(_ name: String) -> Bool {
        guard (1...128).contains(name.utf8.count), let first = name.utf8.first else { return false }
        guard first != UInt8(ascii: "."), first != UInt8(ascii: "-") else { return false }
        return name.utf8.allSatisfy(isPlain)
    }

    /// Whether a byte can be in such a name.
    package static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
