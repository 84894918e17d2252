import Files
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
