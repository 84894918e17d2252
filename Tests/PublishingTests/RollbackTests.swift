import Foundation
import Publishing
import TestSupport
import Testing

@Suite struct RollbackTests {
    private func published(_ body: (PublicationFolder, TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { temporary in
            let folder = PublicationFolder(root: temporary.path)
            for id in ["one", "two", "three"] { try folder.publish(PublicationFixture.draft(id)) }
            try body(folder, temporary)
        }
    }

    @Test func goesBackToWhatReadersSawBeforeAndForthAgain() throws {
        try published { folder, _ throws in
            #expect(try folder.rollback() == "two")
            #expect(try PublicationFixture.readCurrent(folder.root) == "two")
            #expect(try folder.previousID() == "three")
            #expect(try folder.rollback() == "three")
            #expect(try folder.currentID() == "three")
        }
    }

    /// A set that shows the same as the current one takes its place alone.
    @Test func goesBackToOtherFigures() throws {
        try published { folder, _ throws in
            try folder.publish(PublicationFixture.draft("four"), keepingPrevious: true)
            #expect(try folder.currentID() == "four")
            #expect(try folder.previousID() == "two")
            #expect(try folder.rollback() == "two")
        }
    }

    @Test func goesToANamedRun() throws {
        try published { folder, _ throws in
            #expect(try folder.rollback(to: "one") == "one")
            #expect(try folder.previousID() == "three")
            #expect(try folder.rollback(to: "one") == "one")
            #expect(try folder.previousID() == "three")
        }
    }

    @Test func aDamagedRunIsRefusedAndReadersStayWhereTheyAre() throws {
        try published { folder, temporary throws in
            try temporary.write("tampered", to: "runs/two/kpi-cells.csv")
            let error = #expect(throws: PublishingError.self) { try folder.rollback() }
            #expect(error?.description.contains("two is damaged (kpi-cells.csv") == true)
            #expect(try folder.currentID() == "three")
        }
    }

    @Test func withNothingToGoBackToItSaysSo() throws {
        try TemporaryFolder.with { temporary in
            let folder = PublicationFolder(root: temporary.path)
            #expect(throws: PublishingError.nothingToGoBackTo(root: folder.root)) { try folder.rollback() }
            try folder.publish(PublicationFixture.draft("one"))
            #expect(throws: PublishingError.nothingToGoBackTo(root: folder.root)) { try folder.rollback() }
            #expect(throws: PublishingError.unknownRun("two")) { try folder.rollback(to: "two") }
            #expect(throws: PublishingError.unsafeName("../one")) { try folder.rollback(to: "../one") }
        }
    }
}
