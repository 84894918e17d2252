import ExportBytes
import TestSupport
import Testing

/// A file is what its bytes say.
@Suite struct FileKindTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    @Test(arguments: [
        ("D0 CF 11 E0 A1 B1 1A E1", UnreadKind.xls), ("09 08 10 00 00 06 05 00", .xls), ("25 50 44 46 2D 31", .pdf),
        ("FD 37 7A 58 5A 00 00", .xz), ("42 5A 68 39 31 41 59 26 53 59", .bzip2), ("37 7A BC AF 27 1C 00", .sevenZip),
        ("89 50 4E 47 0D 0A 1A 0A 00", .png), ("FF D8 FF E0 00 10", .jpeg), ("47 49 46 38 39 61 01", .gif),
        ("FF FE 00 00 74 00 00 00", .utf32), ("04 22 4D 18 64", .lz4), ("52 61 72 21 1A 07 01 00", .rar),
    ])
    func kindsThatAreNotReadAreNamed(hex: String, kind: UnreadKind) {
        let head = Self.bytes(hex) + Array(repeating: 0, count: 64)
        #expect(FileKind(head: head) == .other(kind))
        let error = kind.error(file: "export.csv")
        #expect(error.description.contains(kind.name) && !error.remedy.isEmpty)
    }

    @Test(arguments: [
        ("<!DOCTYPE html>\n<html><title>Sign in</title>", UnreadKind.html), ("\n  <table border=1><tr><td>a", .html),
        ("<?xml version=\"1.0\"?>\n<html xmlns=\"x\">", .html), ("<?xml version=\"1.0\"?>\n<EMSDataSet>", .xml),
        ("SQLite format 3\u{0}", .sqlite), ("{\\rtf1\\ansi", .rtf), ("-----BEGIN PGP MESSAGE-----", .pgp),
    ])
    func textsThatAreNoExportsAreNamed(text: String, kind: UnreadKind) {
        #expect(FileKind(head: Array(text.utf8)) == .other(kind))
    }

    /// `PAR1` may be the first four letters of a text.
    @Test func parquetIsRecognisedByItsEndToo() {
        let head = Array("PAR1".utf8) + [0x15, 0x04, 0x15]
        #expect(FileKind(head: head, tail: [1, 0, 0, 0] + Array("PAR1".utf8)) == .other(.parquet))
        #expect(FileKind(head: Array("PAR1,trip_id\nA,1\n".utf8), tail: Array("PAR1,A,1\n".utf8)) == .text)
    }

    @Test(arguments: [
        "trip_id,cost\nT1,3.00\n", "[{\"trip_id\":1}]", "{\"a\":1}\n", "", "a", "<5 miles,cost\n1,2\n",
        "BZh9,cost\n1,2\n",
        "Obj,cost\n", "GIF,cost\n", "\u{FEFF}trip_id\n1\n", "\t\u{1}a,b,c,d,e,f,g,h,i,j,k\n",
    ])
    func textIsText(text: String) {
        #expect(FileKind(head: Array(text.utf8)) == .text)
    }

    @Test func compressedAndPackedFilesAreDistinguished() {
        #expect(FileKind(head: GzipBytes.stored(Array("a".utf8))) == .gzip)
        #expect(FileKind(head: Self.bytes("28 B5 2F FD 24")) == .zstd)
        #expect(FileKind(head: Self.bytes("50 4B 03 04 14 00")) == .zip)
        #expect(ZipContent(names: ["[Content_Types].xml", "xl/workbook.xml"], head: []) == .packed(.xlsx))
        #expect(ZipContent(names: ["xl/workbook.bin"], head: []) == .packed(.xlsb))
        #expect(ZipContent(names: ["word/document.xml"], head: []) == .packed(.document))
        #expect(ZipContent(names: ["trips-1.csv", "readme.txt"], head: []) == .members)
        let start = Self.bytes("50 4B 03 04 14 00 00 00 00 00") + Array(repeating: 0, count: 20)
        let sheet = start + Array("mimetypeapplication/vnd.oasis.opendocument.spreadsheet".utf8)
        #expect(ZipContent(names: LocalZipNames.all(in: sheet), head: sheet) == .packed(.ods))
    }

    @Test(arguments: ["trip_id,region\nT1,Nørd\n", "id;värde\n1;2\n"]) func wideTextIsRecognised(text: String) {
        let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(WideText(head: little) == .littleEndian && WideText(head: big) == .bigEndian)
        #expect(FileKind(head: little) == .text && FileKind(head: big) == .text)
        #expect(WideText(head: Array(text.utf8)) == nil)
        // A text with some zero bytes is a damaged one.
        #expect(WideText(head: Array("a\0b,c,d,e\0f".utf8)) == nil)
    }

    /// Zero bytes everywhere and no text between them.
    @Test func rubbishIsNamed() {
        var random = SplitMix64(seed: 7)
        let head = (0..<4096).map { _ in UInt8.random(in: 0...31, using: &random) }
        #expect(FileKind(head: head) == .other(.binary))
    }
}
