import Hashing
package import KPIContract

/// A set of files that is ready to be published, with what its manifest says about them.
package struct PublicationDraft: Sendable {
    /// One file of the set.
    package struct File: Sendable {
        package var name: String
        package var mediaType: String
        package var content: Content
        package var byteCount: Int
        package var sha256: String
        /// Records below the header; nil where the file is one document.
        package var rows: Int?

        /// Where its bytes are.
        package enum Content: Sendable {
            case bytes([UInt8])
            /// In a file that is copied: for what is too large to be held.
            case draft(path: String)
        }

        package init(name: String, mediaType: String, bytes: [UInt8], rows: Int? = nil) {
            self.name = name
            self.mediaType = mediaType
            content = .bytes(bytes)
            byteCount = bytes.count
            sha256 = ContentHash.of(bytes)
            self.rows = rows
        }

        /// A file that lies at `draft` and stays as it is until the set is published.
        package init(
            name: String, mediaType: String, draft: String, byteCount: Int, sha256: String, rows: Int? = nil
        ) {
            self.name = name
            self.mediaType = mediaType
            content = .draft(path: draft)
            self.byteCount = byteCount
            self.sha256 = sha256
            self.rows = rows
        }
    }

    /// What the manifest says besides the files.
    package struct Facts: Sendable, Hashable {
        package var runID: String
        /// RFC 3339 in UTC, as in the summary. It comes from the caller's clock or `SOURCE_DATE_EPOCH`.
        package var generatedAt: String
        package var contractVersion: String
        /// `YYYY-MM-DD`; nil without trips.
        package var dataThrough: String?
        /// SHA-256 over the ledger.
        package var ledger: String
        package var exports: Int
        package var rules: KPISummaryV1.RuleSetStamp
        package var minimumCell: Int
        /// Such as `tripkpi 0.1.0`.
        package var tool: String

        package init(
            runID: String, generatedAt: String, contractVersion: String = KPISummaryV1.version, dataThrough: String?,
            ledger: String, exports: Int, rules: KPISummaryV1.RuleSetStamp, minimumCell: Int, tool: String
        ) {
            self.runID = runID
            self.generatedAt = generatedAt
            self.contractVersion = contractVersion
            self.dataThrough = dataThrough
            self.ledger = ledger
            self.exports = exports
            self.rules = rules
            self.minimumCell = minimumCell
            self.tool = tool
        }
    }

    package let facts: Facts
    /// By name, so that the same files are the same set in whatever order they came.
    package let files: [File]
    package let manifest: PublicationManifestV1

    /// - Throws: `PublishingError.unsafeName` or `.repeatedName`, before anything is written.
    package init(_ facts: Facts, files: [File]) throws(PublishingError) {
        guard SafeName.isSafe(facts.runID) else { throw .unsafeName(facts.runID) }
        var names: Set<String> = [PublicationManifestV1.fileName]
        for file in files {
            guard SafeName.isSafe(file.name) else { throw .unsafeName(file.name) }
            guard names.insert(file.name).inserted else { throw .repeatedName(file.name) }
        }
        self.facts = facts
        self.files = files.sorted { $0.name < $1.name }
        manifest = PublicationManifestV1(
            runId: facts.runID, generatedAt: facts.generatedAt, contractVersion: facts.contractVersion,
            dataThrough: facts.dataThrough,
            files: self.files.map { file in
                PublicationManifestV1.File(
                    name: file.name, mediaType: file.mediaType, bytes: file.byteCount, sha256: file.sha256,
                    rows: file.rows)
            },
            ledger: facts.ledger, exports: facts.exports, rules: facts.rules, minimumCell: facts.minimumCell,
            tool: facts.tool)
    }
}
