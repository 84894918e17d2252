import Basics
import Foundation
import KPIs
import Reports
import Testing
import Trips
import Workbooks

@Suite("Cost lines") struct CostDetailFileTests {
    private static func words(_ provider: String = "Harbor") -> CostWords {
        .init(
            texts: [1: "P-1", 2: provider, 3: "C-9"], regions: NamedList(["Unassigned", "North"]),
            tripTypes: NamedList(["Unassigned", "Routine"]))
    }

    private static func trip(_ number: Int) -> CostTrip {
        var trip = CostTrip(month: Month(year: 2026, month: 3).index, day: 20_513)
        trip.providerID = 1
        trip.providerName = 2
        trip.contract = 3
        trip.region = 1
        trip.tripType = 1
        trip.sourcing = .contracted
        trip.costCents = 10_000 + number
        trip.loadedHundredths = 1_250
        return trip
    }

    /// Sheet parts in the order of their numbers.
    private static func write(
        _ count: Int, rowsPerSheet: Int = CostDetailFile.maximumRows, provider: String = "Harbor"
    ) throws -> (sheets: [String], everything: String) {
        try withWorkbookFolder { folder in
            let path = folder + "/lines.xlsx"
            let file = try CostDetailFile(
                path: path, words: words(provider),
                form: .init(createdAt: UTCTime(secondsSince1970: 1_775_000_000), rowsPerSheet: rowsPerSheet))
            for number in 0..<count {
                try file.add(
                    trip(number), id: PublicTripID(high: 0xAB, low: UInt64(number)),
                    flags: number == 0 ? CostFlags(.zeroMiles).union(CostFlags(.costOutlier)) : [])
            }
            #expect(file.lines == count)
            try file.finish()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["lines.xlsx"])
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let parts = try WorkbookArchive(path: path).parts
            let sheets = (1...parts.count).compactMap { parts["xl/worksheets/sheet\($0).xml"] }
            return (sheets, parts.sorted { $0.key < $1.key }.map(\.value).joined())
        }
    }

    private static func rows(_ sheet: String) -> Int { sheet.components(separatedBy: "<row ").count - 1 }

    @Test func linesGoOnOnTheNextSheetWhenOneIsFull() throws {
        // Two rows are the stamp and the header.
        let (sheets, _) = try Self.write(10, rowsPerSheet: 6)
        #expect(sheets.map(Self.rows) == [6, 6, 4])
        for sheet in sheets {
            #expect(sheet.contains("INTERNAL: contains small counts"))
            #expect(sheet.contains("autoFilter ref=\"A2:M\(Self.rows(sheet))\""))
            #expect(sheet.contains("topLeftCell=\"B3\""))
        }
        let cents = sheets.flatMap { $0.matches(of: /<v>(100\.\d*|100)<\/v>/).map { String($0.output.1) } }
        #expect(cents.count == 10)
    }

    @Test func aFullSheetIsNotFollowedByAnEmptyOne() throws {
        let full = try Self.write(8, rowsPerSheet: 6).sheets
        #expect(full.map(Self.rows) == [6, 6])
        let empty = try Self.write(0).sheets
        #expect(empty.map(Self.rows) == [2])
    }

    @Test func aLineSaysWhatItSays() throws {
        let (sheets, _) = try Self.write(2)
        let sheet = try #require(sheets.first)
        for word in [
            "00000000000000ab0000000000000001", "2026-03", "P-1", "Harbor", "C-9", "Routine", "North", "Contracted",
            "Zero-mile trip; Cost outlier",
        ] {
            #expect(sheet.contains(">\(word)<"), "\(word) is missing")
        }
        // 2026-03-01 is day 46082 of spreadsheets.
        #expect(sheet.contains("<v>46082</v>"))
        #expect(sheet.contains("<v>100.01</v>"))
        #expect(sheet.contains("<v>12.5</v>"))
    }

    @Test(arguments: ["=1+1", "@x", "+2", "-3", "\u{FF1D}4"])
    func aProviderCannotBecomeAFormula(name: String) throws {
        let (sheets, everything) = try Self.write(1, provider: name)
        #expect(sheets.first?.contains(">'\(name)<") == true)
        #expect(!everything.contains("<f>"))
    }

    @Test func whatTheCheckRefusesDoesNotAppear() throws {
        struct Refused: Error {}
        try withWorkbookFolder { folder in
            let path = folder + "/lines.xlsx"
            let file = try CostDetailFile(
                path: path, words: Self.words(), form: .init(createdAt: UTCTime(secondsSince1970: 1)))
            try file.add(Self.trip(1), id: nil, flags: [])
            #expect(throws: Refused.self) { try file.finish { _ in throw Refused() } }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func aFileThatIsNotFinishedLeavesNothing() throws {
        try withWorkbookFolder { folder in
            var file: CostDetailFile? = try CostDetailFile(
                path: folder + "/lines.xlsx", words: Self.words(), form: .init(createdAt: UTCTime(secondsSince1970: 1)))
            try file?.add(Self.trip(1), id: nil, flags: [])
            file = nil
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }
}
