/// `manifest.json`: what a published set consists of, written last. A set whose manifest agrees with its files is whole.
///
/// Keys are written in the order of the properties here. Within version 1 keys are only ever added.
public struct PublicationManifestV1: Decodable, Sendable, Hashable {
    /// Always `"1.0"` for this type.
    public static let version = "1.0"
    /// The file's name in the set's folder.
    public static let fileName = "manifest.json"

    /// Major 1: keys are only ever added.
    public var manifestVersion: String
    /// The run that made the set; also the name of its folder.
    public var runId: String
    /// RFC 3339, UTC.
    public var generatedAt: String
    /// Of the documents in the set.
    public var contractVersion: String
    /// The latest local date of a trip, `YYYY-MM-DD`; nil if there is no trip.
    public var dataThrough: String?
    /// Every file of the set but this one, by name.
    public var files: [File]
    /// SHA-256 over the ledger: which exports the figures are made of.
    public var ledger: String
    /// How many exports that are.
    public var exports: Int
    /// Which rules sorted the trips.
    public var rules: KPISummaryV1.RuleSetStamp
    /// Counts from 1 to one below this are hidden in the set.
    public var minimumCell: Int
    /// The program that wrote the set, with its version.
    public var tool: String

    /// Every value as it is to be published; nothing is checked.
    public init(
        manifestVersion: String = version, runId: String, generatedAt: String, contractVersion: String,
        dataThrough: String?, files: [File], ledger: String, exports: Int, rules: KPISummaryV1.RuleSetStamp,
        minimumCell: Int, tool: String
    ) {
        self.manifestVersion = manifestVersion
        self.runId = runId
        self.generatedAt = generatedAt
        self.contractVersion = contractVersion
        self.dataThrough = dataThrough
        self.files = files
        self.ledger = ledger
        self.exports = exports
        self.rules = rules
        self.minimumCell = minimumCell
        self.tool = tool
    }

    /// One file of the set.
    public struct File: Decodable, Sendable, Hashable {
        /// In the set's folder.
        public var name: String
        /// IANA media type.
        public var mediaType: String
        /// Its size.
        public var bytes: Int
        /// 64 lower-case hexadecimal digits.
        public var sha256: String
        /// Records below the header; nil where the file is one document.
        public var rows: Int?
        /// What a server must send with a page: the value of `Content-Security-Policy`. Nil for other files.
        public var contentSecurityPolicy: String?

        /// Every value as it is to be published; nothing is checked.
        public init(
            name: String, mediaType: String, bytes: Int, sha256: String, rows: Int?,
            contentSecurityPolicy: String? = nil
        ) {
            self.name = name
            self.mediaType = mediaType
            self.bytes = bytes
            self.sha256 = sha256
            self.rows = rows
            self.contentSecurityPolicy = contentSecurityPolicy
        }
    }
}

extension PublicationManifestV1 {
    /// The manifest as the bytes that are published: UTF-8, a file a line, newline at the end; the same on every machine.
    public func canonicalJSON() -> [UInt8] {
        let document: CanonicalJSON = [
            "manifestVersion": manifestVersion, "runId": runId, "generatedAt": generatedAt,
            "contractVersion": contractVersion, "dataThrough": dataThrough, "files": files, "ledger": ledger,
            "exports": exports, "rules": rules, "minimumCell": minimumCell, "tool": tool,
        ]
        return document.document
    }
}

extension PublicationManifestV1.File: CanonicalValue {
    package var canonical: CanonicalJSON {
        [
            "name": name, "mediaType": mediaType, "bytes": bytes, "sha256": sha256, "rows": rows,
            "contentSecurityPolicy": contentSecurityPolicy.orAbsent,
        ]
    }
}
