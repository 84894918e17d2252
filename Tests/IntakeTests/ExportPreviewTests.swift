import Intake
import TestSupport
import Testing
import Trips

@Suite struct ExportPreviewTests {
    /// The last name is blank, so rows may leave its field out: nothing lies there to be looked at.
    @Test func aHeaderThatEndsInADelimiterHasNoLastField() throws {
        try TemporaryFolder.with { folder in
            for rows in ["1,name,0,0\n", "1,name,0,0", "1,name,0,0,\n", "1,\"na\nme\",0,\"0\"\r\n", "1,name,0,0,x\n"] {
                let path = try folder.write("id,name,lat,lon,\n" + rows, to: "rows.csv")
                let preview = try ExportPreview(path: path)
                #expect(preview.rowCount == 1)
                let content = preview.content.revealed(for: .masking)
                #expect(content.header.count == 5)
                #expect(content.rows.first?.count == 5)
                #expect(content.rows.first?.last == "")
                #expect(content.rows.first?[3] == "0")
            }
        }
    }
}
