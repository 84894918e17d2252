import Foundation
import GRDB
import TestSupport
import Testing

/// A store whose texts were edited by another program: its pages and rows are whole.
@Suite struct EditedStoreTests {
    private let site: RemovalFixture

    init() throws { site = try RemovalFixture() }

    @Test(arguments: [
        "DELETE FROM texts WHERE value = 'V1'", "UPDATE texts SET value = 'V1x' WHERE value = 'V1'",
        "UPDATE texts SET text_id = 900 WHERE value = 'V1'", "INSERT INTO texts VALUES (500, 'Z')",
    ])
    func whatReadsEverythingFindsIt(edit: String) throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<60).map { "SYN\($0)X,2025-10-\($0 % 18 + 10),QN,North,Routine,V\($0 % 5),100.00\n" }
            try folder.write("regions: [North]\ntrip_types: [Routine]\n", to: "tripkpi.yaml")
            try folder.write(
                "trip_id,service_date,hcpcs_modifiers,region,trip_type,provider_id,cost\n" + rows.joined(),
                to: "inbox/a.csv")
            #expect(try site.run("run", in: folder).status == 0)
            #expect(try site.run("verify", in: folder).status == 0)
            let queue = try DatabaseQueue(path: folder.path(of: "store/tripkpi.sqlite"))
            try queue.write { try $0.execute(sql: edit) }
            try queue.close()
            for arguments in [["verify"], ["verify", "--full"], ["doctor"]] {
                let found = try site.run(arguments: arguments, in: folder)
                #expect(found.status != 0, "\(arguments)")
                #expect(found.stdoutText.contains("texts"), "\(arguments) \(found.stdoutText)")
            }
        }
    }
}
