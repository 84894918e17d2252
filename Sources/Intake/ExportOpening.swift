import ExportBytes
import Profiles

/// How an export is compressed and encoded, and its first bytes as UTF-8.
struct ExportOpening {
    /// The start of the text (after a byte-order mark), at most about `maximumHeadBytes`.
    var head: [UInt8]
    /// How many bytes of a plain file come before `head`.
    var headOffset: Int
    /// What comes after `head`, if the text can only be read in order; nil for a plain file in UTF-8.
    var stream: (any ByteStream)?
    var isWhole: Bool
    /// `gzip` or `zstd`; nil: it is not compressed.
    let compression: String?
    var encoding: TextEncoding
    var format: ExportFormat
    /// Of a workbook.
    var sheets: WorkbookSheets?
    /// How the records of JSON are arranged; nil: they are rows.
    private(set) var shape: JSONShape?
    /// What is odd about a JSON text, once all is read.
    private(set) var remarks = JSONRemarks()
    /// The path to a list within the records that was found; nil: none was.
    private var innerPath: [String]?
    /// The keys that lead to the array of records, of a document or of each.
    var recordsPath: [String] {
        if let innerPath { return innerPath }
        return switch shape {
        case .array(let path), .documents(let path): path
        default: []
        }
    }

    private static let usualHeadBytes = 1 << 16
    private static let maximumHeadBytes = 1 << 20

    /// - Parameters:
    ///   - encoding: nil: what the profile says, or the text shows.
    ///   - sheets: of a workbook; nil: what the profile says.
    ///   - opensInnerLists: see `JSONArrangement.find`.
    init(
        file: ExportFile, profile: Profile?, encoding wanted: TextEncoding? = nil,
        sheets: WorkbookSheets.Expectation? = nil, inflate: InflateLibrary? = nil, opensInnerLists: Bool = false
    ) throws(ExportError) {
        if let workbook = try Self.workbook(file) {
            let expected =
                sheets
                ?? WorkbookSheets.Expectation(
                    wanted: profile?.sheets ?? [], profile: profile, hasHeader: profile?.hasHeader ?? true)
            self = try Self(WorkbookSheets(workbook, file: file.name, expected))
            return
        }
        guard sheets?.wanted.isEmpty ?? true else {
            throw ExportError(
                kind: .malformed, file: file.name, problem: "a sheet is named, and it is no workbook",
                remedy: "give the workbook (.xlsx), or name no sheet")
        }
        var raw = try Self.bytes(of: file, inflate: inflate)
        var start = try raw.take(FileKind.headBytes)
        var kind = FileKind(head: start, tail: file.member == nil ? try file.tail : nil)
        compression = kind == .gzip ? "gzip" : kind == .zstd ? "zstd" : nil
        if compression != nil {
            let packed = PrefixedStream(ahead: start, rest: raw)
            raw =
                kind == .gzip
                ? try GzipStream(source: packed, name: file.name, library: inflate)
                : try ZstdStream(source: packed, name: file.name)
            start = try raw.take(FileKind.headBytes)
            kind = FileKind(head: start)
        }
        try Self.check(kind, start, file: file.name)
        let mark = Self.byteOrderMark(start)
        encoding =
            mark?.encoding ?? wanted ?? profile?.encoding ?? WideText(head: start).map(TextEncoding.init) ?? .utf8
        var text: any ByteStream = PrefixedStream(
            ahead: Array(start.dropFirst(mark?.length ?? 0)), rest: raw)
        headOffset = mark?.length ?? 0
        if encoding != .utf8 { text = TranscodingStream(source: text, encoding: encoding) }
        head = try text.take(Self.usualHeadBytes)
        isWhole = head.count < Self.usualHeadBytes
        if !isWhole && !head.contains(0x0A) {
            head += try text.take(Self.maximumHeadBytes - Self.usualHeadBytes)
            isWhole = head.count < Self.maximumHeadBytes
        }
        let canSeek = file.size != nil && file.member == nil && compression == nil && encoding == .utf8
        stream = canSeek ? nil : text
        format = profile?.format ?? Self.sniffFormat(head)
        if format == .json || format == .ndjson {
            try arrange(text, file: file, profile: profile, canSeek: canSeek, opensInnerLists)
        }
    }

    /// Finds how the records of a JSON text are arranged, and makes lines of them where they are not read in place.
    private mutating func arrange(
        _ rest: any ByteStream, file: ExportFile, profile: Profile?, canSeek: Bool, _ opensInnerLists: Bool
    ) throws(ExportError) {
        let (found, inner) =
            profile?.format == .ndjson
            ? (.lines, nil)
            : try JSONArrangement.find(
                in: head, isWhole: isWhole, profile: profile, opensInnerLists: opensInnerLists, file: file.name)
        shape = found
        innerPath = inner
        format = found.isRearranged || found == .lines ? .ndjson : .json
        guard found.isRearranged else { return }
        var lines: any ByteStream
        if case .columns(let path) = found {
            guard canSeek else {
                throw ExportError(
                    kind: .malformed, file: file.name,
                    problem:
                        "it has an array for each column, which can only be read from an uncompressed file in UTF-8",
                    remedy: "decompress it first, or have it exported with one object for each record")
            }
            lines = try JSONColumnLines(file, path: path, textOffset: headOffset)
        } else {
            lines = JSONLines(
                PrefixedStream(ahead: head, rest: rest), shape: found,
                maximumRecordBytes: profile?.maximumRecordBytes ?? Profile(source: "").maximumRecordBytes,
                remarks: remarks, file: file.name)
        }
        head = try lines.take(Self.usualHeadBytes)
        isWhole = head.count < Self.usualHeadBytes
        headOffset = 0
        stream = lines
    }

    /// The bytes of a file, or of a member of a zip file.
    private static func bytes(of file: ExportFile, inflate: InflateLibrary?) throws(ExportError) -> any ByteStream {
        guard let name = file.member else { return FileStream(file) }
        let directory = try ZipDirectory(file)
        guard let member = directory.member(named: name) else {
            throw ExportError(
                kind: .missing, file: file.name, problem: "the zip file has no such member", remedy: "check the name")
        }
        return try directory.open(member, library: inflate)
    }

    /// - Throws: if it is of a kind that is not read.
    private static func check(_ kind: FileKind, _ head: [UInt8], file: String) throws(ExportError) {
        switch kind {
        case .text: return
        case .other(let other): throw other.error(file: file)
        case .zip:
            if case .packed(let other) = ZipContent(names: LocalZipNames.all(in: head), head: head) {
                throw other.error(file: file)
            }
            throw ExportError(
                kind: .malformed, file: file, problem: "it is a zip archive, whose members are exports of their own",
                remedy: "name one of them: FILE.zip/MEMBER")
        case .gzip, .zstd:
            throw ExportError(
                kind: .malformed, file: file, problem: "it is compressed twice", remedy: "decompress it once")
        }
    }

    /// The rows of a workbook are CSV.
    private init(_ sheets: WorkbookSheets) throws(ExportError) {
        var text = sheets.stream
        self.sheets = sheets
        compression = nil
        encoding = .utf8
        headOffset = 0
        format = .csv
        head = try text.take(Self.usualHeadBytes)
        isWhole = head.count < Self.usualHeadBytes
        stream = text
    }

    /// Nil: the file is none.
    private static func workbook(_ file: ExportFile) throws(ExportError) -> Workbook? {
        guard file.size != nil, file.member == nil else { return nil }
        var start = FileStream(file, from: 0)
        guard try FileKind(head: start.take(FileKind.headBytes)) == .zip else { return nil }
        let directory = try ZipDirectory(file)
        guard Workbook.isWorkbook(directory) else { return nil }
        return try Workbook(file, directory)
    }

    private static func byteOrderMark(_ bytes: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return nil
    }

    /// By the first byte that is not blank: `[` opens an array, `{` an object.
    private static func sniffFormat(_ head: [UInt8]) -> ExportFormat {
        switch head.first(where: { $0 > 0x20 && $0 != 0x1E }) {
        case 0x5B, 0x7B: .json
        default: .csv
        }
    }
}

extension TextEncoding {
    init(_ text: WideText) {
        self =
            switch text {
            case .littleEndian: .utf16LittleEndian
            case .bigEndian: .utf16BigEndian
            }
    }
}
