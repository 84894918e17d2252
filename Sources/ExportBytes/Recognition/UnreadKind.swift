/// A kind of file that is recognised and not read.
package enum UnreadKind: String, Sendable, Hashable, CaseIterable {
    case xlsx, xlsb, xls, encryptedWorkbook, ods, document
    case pdf, parquet, orc, avro, arrow, sqlite, access
    case xz, bzip2, sevenZip, rar, tar, lz4, compress
    case html, xml, rtf, png, jpeg, gif, tiff, webp, pgp, utf32, binary

    /// What it is, for a message: `an old Excel workbook (.xls)`.
    package var name: String {
        switch self {
        case .xlsx: "an Excel workbook (.xlsx) that is no file of its own"
        case .xlsb: "an Excel workbook in the binary form (.xlsb)"
        case .xls: "an old Excel workbook (.xls) or another file of old Office programs"
        case .encryptedWorkbook: "an Excel workbook with a password"
        case .ods: "an OpenDocument spreadsheet (.ods)"
        case .document: "a document of a word processor or of slides"
        case .pdf: "a PDF"
        case .parquet: "a Parquet file"
        case .orc: "an ORC file"
        case .avro: "an Avro file"
        case .arrow: "an Arrow (Feather) file"
        case .sqlite: "an SQLite database"
        case .access: "an Access database"
        case .xz: "compressed with xz"
        case .bzip2: "compressed with bzip2"
        case .sevenZip: "a 7z archive"
        case .rar: "a RAR archive"
        case .tar: "a tar archive"
        case .lz4: "compressed with LZ4"
        case .compress: "compressed with compress (.Z)"
        case .html: "an HTML page, such as a saved sign-in page or a report that is only named like a table"
        case .xml: "an XML file"
        case .rtf: "an RTF document"
        case .png: "a picture (PNG)"
        case .jpeg: "a picture (JPEG)"
        case .gif: "a picture (GIF)"
        case .tiff: "a picture (TIFF)"
        case .webp: "a picture or sound (RIFF)"
        case .pgp: "encrypted with PGP"
        case .utf32: "a text in UTF-32"
        case .binary: "binary data of an unknown kind"
        }
    }

    /// What to do about it.
    package var remedy: String {
        switch self {
        case .xlsx: "write it to a file, or take it out of its archive, and give that file"
        case .xls: "save it as .xlsx or CSV"
        case .xlsb, .ods: "save it as CSV"
        case .encryptedWorkbook: "save it without a password"
        case .xz: "decompress it first: xz -d FILE"
        case .bzip2: "decompress it first: bzip2 -d FILE"
        case .lz4: "decompress it first: lz4 -d FILE"
        case .compress: "decompress it first: uncompress FILE"
        case .sevenZip, .rar, .tar: "take the exports out of it, or have them packed as zip"
        case .pgp: "decrypt it first: gpg -d FILE"
        case .utf32: "save it as UTF-8"
        case .html: "open it to see what it says, and have the data exported as CSV"
        case .sqlite, .access, .parquet, .orc, .avro, .arrow: "have its table exported as CSV or NDJSON"
        case .pdf, .document, .rtf, .png, .jpeg, .gif, .tiff, .webp, .xml, .binary:
            "have the data exported as CSV or JSON"
        }
    }

    /// That an export is of this kind, and what to do.
    package func error(file: String) -> ExportError {
        ExportError(kind: .malformed, file: file, problem: "it is \(name), which is not read", remedy: remedy)
    }

    init?(head: [UInt8], tail: [UInt8]?) {
        if let kind = Self.signatures.first(where: { head.starts(with: $0.bytes) })?.kind {
            self = kind == .xls && Self.isEncrypted(head) ? .encryptedWorkbook : kind
        } else if Self.beginsAndEnds(head, tail, with: "PAR1") || head.starts(with: Array("PARE".utf8)) {
            self = .parquet
        } else if let bzip2 = Self.bzip2(head) {
            self = bzip2
        } else if Self.holds(head, "ustar", at: 257) {
            self = .tar
        } else if Self.holds(head, "Standard Jet DB", at: 4) || Self.holds(head, "Standard ACE DB", at: 4) {
            self = .access
        } else if Self.isOldBIFF(head) {
            self = .xls
        } else if let markup = Self.markup(head) {
            self = markup
        } else if Self.isBinary(head) {
            self = .binary
        } else {
            return nil
        }
    }

    private static let signatures: [(bytes: [UInt8], kind: UnreadKind)] = [
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .xls),
        (Array("%PDF-".utf8), .pdf),
        (Array("SQLite format 3".utf8) + [0], .sqlite),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .xz),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip),
        (Array("Rar!".utf8) + [0x1A, 0x07], .rar),
        ([0x04, 0x22, 0x4D, 0x18], .lz4),
        ([0x1F, 0x9D], .compress), ([0x1F, 0xA0], .compress),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        ([0xFF, 0xD8, 0xFF], .jpeg),
        (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
        ([0x49, 0x49, 0x2A, 0x00], .tiff), ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
        (Array("ORC".utf8) + [0x0A], .orc),
        (Array("Obj".utf8) + [0x01], .avro),
        (Array("ARROW1".utf8) + [0x00], .arrow), (Array("FEA1".utf8), .arrow),
        (Array("{\\rtf".utf8), .rtf),
        (Array("-----BEGIN PGP MESSAGE".utf8), .pgp),
        ([0xFF, 0xFE, 0x00, 0x00], .utf32), ([0x00, 0x00, 0xFE, 0xFF], .utf32),
    ]

    private static func holds(_ head: [UInt8], _ text: String, at place: Int) -> Bool {
        head.count > place && head[place...].starts(with: text.utf8)
    }

    /// Without its end, what begins so and has bytes that no text has.
    private static func beginsAndEnds(_ head: [UInt8], _ tail: [UInt8]?, with text: String) -> Bool {
        guard head.starts(with: text.utf8) else { return false }
        guard let tail else { return head.contains(0) }
        return tail.count >= 8 && tail.suffix(4).elementsEqual(text.utf8)
    }

    /// `BZh`, the level, and the mark of a block or of the end.
    private static func bzip2(_ head: [UInt8]) -> UnreadKind? {
        guard head.count >= 10, head.starts(with: Array("BZh".utf8)), (0x31...0x39).contains(head[3]) else {
            return nil
        }
        let block = head[4..<10]
        let isBlock = block.elementsEqual([0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
        return isBlock || block.elementsEqual([0x17, 0x72, 0x45, 0x38, 0x50, 0x90]) ? .bzip2 : nil
    }

    /// The streams of a file of old Office programs have names in UTF-16. They may lie beyond the first bytes.
    private static func isEncrypted(_ head: [UInt8]) -> Bool {
        let name: [UInt8] = "EncryptedPackage".utf8.flatMap { [$0, 0] as [UInt8] }
        guard let first = name.first else { return false }
        return head.indices.contains { head[$0] == first && head[$0...].starts(with: name) }
    }

    /// Workbooks of Excel before 1997: the record that begins a stream.
    private static func isOldBIFF(_ head: [UInt8]) -> Bool {
        guard head.count >= 8, head[0] == 0x09, head[3] == 0 else { return false }
        let versions: [UInt8] = [0, 2, 4, 8], lengths: [UInt8] = [4, 6, 8, 16]
        return versions.contains(head[1]) && lengths.contains(head[2])
    }

    private static func markup(_ head: [UInt8]) -> UnreadKind? {
        var text = head[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop { $0 <= 0x20 }
        guard text.first == UInt8(ascii: "<") else { return nil }
        let start = String(decoding: text.prefix(2048), as: UTF8.self).lowercased()
        if ["<!doctype html", "<html", "<head", "<body", "<table", "<script", "<meta", "<div"].contains(
            where: start.hasPrefix)
        {
            return .html
        }
        // After a declaration or a comment.
        if start.hasPrefix("<?xml") || start.hasPrefix("<!--") || start.hasPrefix("<!doctype") {
            return start.contains("<html") || start.contains("<table") ? .html : .xml
        }
        return start.dropFirst().first?.isLetter == true && start.contains(">") ? .xml : nil
    }

    /// Whether more than a tenth of the first bytes are signs that no text has, and it is no UTF-16.
    private static func isBinary(_ head: [UInt8]) -> Bool {
        guard head.count >= 16, WideText(head: head) == nil else { return false }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return false }
        let controls = head.count {
            $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 != 0x0C && $0 != 0x1B && $0 != 0x1A
        }
        return controls * 10 > head.count
    }
}
