import Foundation
import TestSupport
import Testing

/// Which members of a zip file are exports: by what is in them, and what is left out is said.
@Suite struct PackedMembersTests {
    private let fixture: CommandFixture
    private static let header = "trip_id,service_date,region,cost\n"

    init() throws {
        fixture = try CommandFixture()
    }

    private static func table(_ range: Range<Int>) -> [UInt8] {
        Array((header + range.map { "T\($0),2025-03-\($0 % 19 + 10),North,100.00\n" }.joined()).utf8)
    }

    /// Forty trips and another member.
    private func scan(_ name: String, _ bytes: [UInt8]) throws -> CommandResult {
        var zip = ZipBytes()
        zip.add("trips.csv", Self.table(0..<40))
        zip.add(name, bytes)
        return try TemporaryFolder.with { folder in
            try folder.write(zip.bytes(), to: "trips.zip")
            return try fixture.run(
                ["scan", "trips.zip", "--audience", "staff", "--format", "csv"], in: folder.url)
        }
    }

    @Test(arguments: ["more.log", "more.pdf", "more.md", "README", "manifest.csv"])
    func aTableIsAnExportUnderAnyName(name: String) throws {
        let result = try scan(name, Self.table(40..<60))
        #expect(result.status == 0 && result.stderrText.contains("added 60 +"), "\(result.stderrText)")
    }

    @Test(arguments: ["more.log", "README.md", "notes.yaml"]) func aTextBesideTheExportsIsNamed(name: String) throws {
        let result = try scan(name, Array("exported: yes\nby cost, region and day\nof: all trips\n".utf8))
        #expect(result.status == 0 && result.stderrText.contains("added 40 +"), "\(result.stderrText)")
        #expect(result.stderrText.contains("a text beside the exports"), "\(result.stderrText)")
    }

    @Test(arguments: [".more.csv", "__MACOSX/more.csv", "a/.b.json"]) func aHiddenFileIsNamed(name: String) throws {
        let result = try scan(name, Self.table(40..<60))
        #expect(result.status == 0 && result.stderrText.contains("added 40 +"), "\(result.stderrText)")
        #expect(result.stderrText.contains("a hidden file"), "\(result.stderrText)")
        let apple = try scan("__MACOSX/._trips.csv", [0, 5, 22, 7] + Array(repeating: 0, count: 40))
        #expect(!apple.stderrText.contains("skipped and"), "\(apple.stderrText)")
        #expect(!apple.stderrText.contains("no export"), "\(apple.stderrText)")
    }

    @Test func anArchiveWithinAnArchiveIsRefused() throws {
        var inner = ZipBytes()
        inner.add("more.csv", Self.table(40..<60))
        let result = try scan("more.zip", inner.bytes())
        #expect(result.status == 65 && result.stderrText.contains("take it out"), "\(result.stderrText)")
    }

    @Test func aWorkbookAloneIsNamed() throws {
        var workbook = ZipBytes(), zip = ZipBytes()
        workbook.add("[Content_Types].xml", Array("<Types/>".utf8))
        workbook.add("xl/workbook.xml", Array("<workbook/>".utf8))
        zip.add("trips.xlsx", workbook.bytes())
        try TemporaryFolder.with { folder in
            try folder.write(zip.bytes(), to: "trips.zip")
            let result = try fixture.run(["scan", "trips.zip"], in: folder.url)
            #expect(
                result.status == 65 && result.stderrText.contains("give the workbook itself"), "\(result.stderrText)")
        }
    }
}
