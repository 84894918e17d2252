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
    var isCompressed: Bool
    var encoding: TextEncoding
    var format: ExportFormat
    /// Of a workbook.
    var sheets: WorkbookSheets?

    private static let usualHeadBytes = 1 << 16
    private static let maximumHeadBytes = 1 << 20

    init(file: ExportFile, profile: Profile?, inflate: InflateLibrary? = nil) throws(ExportError) {
        if let workbook = try Self.workbook(file) {
            self = try Self(WorkbookSheets(workbook, file: file.name, wanted: profile?.sheets ?? []))
            return
        }
        var raw: any ByteStream = FileStream(file)
        var start = try raw.take(4)
        isCompressed = start.starts(with: [0x1F, 0x8B])
        if isCompressed {
            raw = try GzipStream(
                source: PrefixedStream(ahead: start, rest: raw), name: file.name, library: inflate)
            start = try raw.take(4)
        }
        let mark = Self.byteOrderMark(start)
        encoding = mark?.encoding ?? profile?.encoding ?? .utf8
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
        let canSeek = file.size != nil && !isCompressed && encoding == .utf8
        stream = canSeek ? nil : text
        format = profile?.format ?? Self.sniffFormat(head, hasPath: !(profile?.recordsPath.isEmpty ?? true))
    }

    /// The rows of a workbook are CSV.
    private init(_ sheets: WorkbookSheets) throws(ExportError) {
        var text = sheets.stream
        self.sheets = sheets
        isCompressed = false
        encoding = .utf8
        headOffset = 0
        format = .csv
        head = try text.take(Self.usualHeadBytes)
        isWhole = head.count < Self.usualHeadBytes
        stream = text
    }

    /// Nil: the file is none.
    private static func workbook(_ file: ExportFile) throws(ExportError) -> Workbook? {
        guard file.size != nil else { return nil }
        var start = FileStream(file, from: 0)
        guard try start.take(4) == [0x50, 0x4B, 3, 4] else { return nil }
        let directory = try ZipDirectory(file)
        guard directory.member("xl/workbook.xml") != nil else { return nil }
        return try Workbook(file, directory)
    }

    private static func byteOrderMark(_ bytes: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return nil
    }

    /// By the first byte that is not blank: `[` opens an array, `{` an object — a line of NDJSON, or a document if the
    /// profile says where in it the records lie.
    private static func sniffFormat(_ head: [UInt8], hasPath: Bool) -> ExportFormat {
        switch head.first(where: { $0 > 0x20 }) {
        case 0x5B: .json
        case 0x7B: hasPath ? .json : .ndjson
        default: .csv
        }
    }
}
