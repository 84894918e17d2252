import Conditions
package import Hashing
package import OutputScan
package import Profiles
package import Trips

// The face of Intake. An export goes in; batches of trips come out, with a count of what became of every record.
//
// - In: a path (or standard input), a profile (or none, for a plain file), and which text fields the rules look at.
// - Out: `ExportWorker`s, one a thread, that hand out `TripBatch`es until the export ends.
// - Memory: each worker owns one window and one batch, reused from block to block; nothing grows with the export.
// - It never prints, stores or throws a value of a record: rejections carry places, codes and shapes.

/// An export that has been opened and understood: its format, its columns, its profile.
package final class ExportReader: Sendable {
    /// What a run asks of every export.
    package struct Request: Sendable {
        package var path: String
        /// Nil: the header must speak for itself.
        package var profile: Profile?
        package var vocabulary: Vocabulary
        /// The zone of a plain file's times, if it is configured.
        package var zone: String?
        package var textNeeds: [(field: CanonicalField, need: TextNeed)]
        /// Which of the run's exports this is; later ones win ties between versions.
        package var fileIndex: Int
        /// Whether versions of trips will be told apart: unreadable ones are then warned of.
        package var checksVersions: Bool
        package var blockBytes: Int
        /// What trips and patients get lasting pseudonyms by: batches then hold a trip's `TripKey` in `keyHashes` (high)
        /// and `versions[].keyCheck` (low). Nil: hashes that tell trips apart within this process.
        package var pseudonyms: PseudonymKey?
        /// What identifiers are remembered by, for a run that gives files out; nil: they are not looked at.
        package var gatherer: IdentifierGatherer?
        /// Whether identifiers are gathered for a crosswalk: see `ExportWorker.identifiers`.
        package var collectsIdentifiers = false
        /// Whether anything but a regular file is refused, without waiting for it.
        package var mustBeRegular = false

        package init(
            path: String, profile: Profile?, vocabulary: Vocabulary = .standard, zone: String? = nil,
            textNeeds: [(field: CanonicalField, need: TextNeed)], fileIndex: Int = 0, checksVersions: Bool = true,
            blockBytes: Int = 1 << 18, pseudonyms: PseudonymKey? = nil
        ) {
            self.path = path
            self.profile = profile
            self.vocabulary = vocabulary
            self.zone = zone
            self.textNeeds = textNeeds
            self.fileIndex = fileIndex
            self.checksVersions = checksVersions
            self.blockBytes = max(64, blockBytes)
            self.pseudonyms = pseudonyms
        }
    }

    /// How the workers get at the records.
    enum Source: Sendable {
        case rowsOfFile(FileBlockSource<CSVBlockScanner>)
        case rowsOfStream(StreamBlockSource<CSVBlockScanner>)
        case linesOfFile(FileBlockSource<LineScanner>)
        case linesOfStream(StreamBlockSource<LineScanner>)
        case elements(JSONArraySource)
        case nothing
    }

    package let name: String
    package let profile: Profile
    package let format: ExportFormat
    package let encoding: TextEncoding
    package let isCompressed: Bool
    /// Unmapped columns that look like PHI; positions and kinds, no content.
    package let warnings: [String]
    /// Which columns are read, and for what.
    package let columnUses: [ColumnUse]

    let request: Request
    let file: ExportFile
    let plan: ColumnPlan
    let zones: ZonePlan
    let dialect: CSVDialect
    let source: Source
    let filterMachine: ConditionMachine?

    /// Whether records can be read again at their offsets: a plain file in UTF-8.
    package var isRepeatable: Bool {
        switch source {
        case .rowsOfFile, .linesOfFile, .nothing: true
        case .elements(let source): source.isRepeatable
        case .rowsOfStream, .linesOfStream: false
        }
    }

    package init(_ request: Request) throws(ExportError) {
        self.request = request
        let file = try ExportFile(path: request.path, mustBeRegular: request.mustBeRegular)
        self.file = file
        name = file.name
        let opening = try ExportOpening(file: file, profile: request.profile)
        encoding = opening.encoding
        isCompressed = opening.isCompressed
        format = opening.format
        let header = try ExportHeader(opening, file: file, request: request)
        profile = header.profile
        warnings = header.warnings
        columnUses = ColumnUse.all(
            profile: header.profile, header: header.names, isJSON: format == .json || format == .ndjson)
        filterMachine = header.profile.filter.map { ConditionMachine(clauses: [.init(condition: $0)]) }
        plan = try ColumnPlan(
            profile: header.profile, header: header.names, textNeeds: request.textNeeds,
            filterFields: filterMachine?.fields ?? [],
            identifying: request.gatherer == nil
                ? [] : IdentifyingColumns.all(profile: header.profile, header: header.names), file: file.name)
        zones = try ZonePlan(profile: header.profile, file: file.name)
        dialect = CSVDialect(
            delimiter: header.delimiter, fieldCount: header.names.count,
            maximumRecordBytes: header.profile.maximumRecordBytes, lastNameIsBlank: header.names.last == "")
        source = Self.source(opening, header: header, file: file, request: request)
    }

    static func source(
        _ opening: ExportOpening, header: ExportHeader, file: ExportFile, request: Request
    ) -> Source {
        if header.isEmpty { return .nothing }
        let blockBytes = request.blockBytes
        switch opening.format {
        case .csv, .tsv:
            guard let stream = opening.stream else {
                return .rowsOfFile(
                    FileBlockSource(
                        file: file, size: file.size ?? 0, dataStart: opening.headOffset + header.dataStart,
                        blockBytes: blockBytes))
            }
            return .rowsOfStream(
                StreamBlockSource(
                    stream: stream, head: opening.head, dataStart: header.dataStart, blockBytes: blockBytes))
        case .ndjson:
            guard let stream = opening.stream else {
                return .linesOfFile(
                    FileBlockSource(
                        file: file, size: file.size ?? 0, dataStart: opening.headOffset, blockBytes: blockBytes))
            }
            return .linesOfStream(
                StreamBlockSource(stream: stream, head: opening.head, dataStart: 0, blockBytes: blockBytes))
        case .json:
            return .elements(
                JSONArraySource(opening, file: file, profile: header.profile, blockBytes: blockBytes))
        }
    }

    var isJSON: Bool { format == .json || format == .ndjson }

    /// See `RecordWindow.lastSeparator`.
    var lastSeparator: Int { isJSON ? 0 : dialect.fieldCount - (dialect.lastNameIsBlank ? 2 : 1) }

    /// Whether records say which version of their trip they are.
    package var hasVersionFields: Bool { plan.updatedAt != nil || plan.sequence != nil }

    package var fileIndex: Int { request.fileIndex }

    /// How the export is written, in words.
    package var description: String {
        [format.rawValue, encoding.rawValue, isCompressed ? "gzip" : nil].compactMap { $0 }.joined(separator: ", ")
    }

    /// Throws if the file is not the one any more that was opened: see `ExportFile.checkUnchanged`.
    package func checkUnchanged() throws(ExportError) { try file.checkUnchanged() }

    /// Closes the file until a record of it is read again. Only when no worker of it is at work.
    package func close() { file.close() }

    /// A worker's own reader. Workers of one reader may run on different threads at the same time.
    package func makeWorker() -> ExportWorker { ExportWorker(self) }
}
