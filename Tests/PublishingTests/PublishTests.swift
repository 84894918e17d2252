import Foundation
import KPIContract
import Publishing
import TestSupport
import Testing
import Trips

@Suite struct PublishTests {
    @Test func aSetIsThereWithItsManifestAndReadersAreSwitchedToIt() throws {
        try TemporaryFolder.with { temporary in
            let folder = PublicationFolder(root: temporary.path(of: "reports/published"))
            #expect(try folder.currentID() == nil)
            #expect(try folder.list() == [])
            #expect(try folder.publish(PublicationFixture.draft("one")) == .written)
            #expect(try folder.publish(PublicationFixture.draft("two", at: "2026-01-02T00:00:00Z")) == .written)
            #expect(try folder.currentID() == "two")
            #expect(try folder.previousID() == "one")
            let runs = try folder.list()
            #expect(runs.map(\.id) == ["two", "one"])
            #expect(runs.map(\.generatedAt) == ["2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"])
            #expect(runs.map(\.isCurrent) == [true, false])
            #expect(runs.map(\.isPrevious) == [false, true])
            let tree = try PublicationFixture.tree(folder.root)
            #expect(
                tree.keys.sorted() == [
                    "current", "previous", "runs", "runs/one", "runs/one/kpi-cells.csv", "runs/one/kpi-summary.json",
                    "runs/one/manifest.json", "runs/two", "runs/two/kpi-cells.csv", "runs/two/kpi-summary.json",
                    "runs/two/manifest.json",
                ])
            #expect(tree["current"] == "-> runs/two")
        }
    }

    @Test func theManifestIsCanonicalAndDecodesAgain() throws {
        try TemporaryFolder.with { temporary in
            let folder = PublicationFolder(root: temporary.path)
            let draft = try PublicationFixture.draft("one")
            try folder.publish(draft)
            let bytes = try folder.contents(of: "manifest.json", in: "one")
            #expect(bytes == draft.manifest.canonicalJSON())
            #expect(try folder.manifest(of: "one") == draft.manifest)
            #expect(draft.manifest.files.map(\.name) == ["kpi-cells.csv", "kpi-summary.json"])
            #expect(draft.manifest.files.map(\.rows) == [1, nil])
            Snapshot.expect(String(decoding: bytes, as: UTF8.self), matches: "manifest.json")
        }
    }

    @Test func modesAreSetWhateverTheUmask() throws {
        try TemporaryFolder.with { temporary in
            try PublicationFolder(root: temporary.path(of: "a")).publish(PublicationFixture.draft("one"))
            let open = AccessModes(file: 0o644, folder: 0o755)
            try PublicationFolder(root: temporary.path(of: "b"), modes: open).publish(PublicationFixture.draft("one"))
            func mode(_ name: String) throws -> Int? {
                let attributes = try FileManager.default.attributesOfItem(atPath: temporary.path(of: name))
                return (attributes[.posixPermissions] as? NSNumber)?.intValue
            }
            #expect(try mode("a/runs/one/manifest.json") == 0o640)
            #expect(try ["a", "a/runs", "a/runs/one"].map(mode) == [0o750, 0o750, 0o750])
            #expect(try mode("b/runs/one/kpi-cells.csv") == 0o644)
            #expect(try ["b", "b/runs", "b/runs/one"].map(mode) == [0o755, 0o755, 0o755])
        }
    }

    @Test func theSameSetAgainChangesNothing() throws {
        try TemporaryFolder.with { temporary in
            let folder = PublicationFolder(root: temporary.path)
            try folder.publish(PublicationFixture.draft("one"))
            try folder.publish(PublicationFixture.draft("two"))
            let before = try PublicationFixture.tree(folder.root)
            #expect(try folder.publish(PublicationFixture.draft("two")) == .unchanged)
            #expect(try PublicationFixture.tree(folder.root) == before)
            try folder.rollback()
            #expect(try folder.publish(PublicationFixture.draft("two")) == .switched)
            #expect(try PublicationFixture.tree(folder.root) == before)
        }
    }

    @Test func aDamagedOrDifferentRunOfTheIDGetsASecondEdition() throws {
        try TemporaryFolder.with { temporary in
            let folder = PublicationFolder(root: temporary.path)
            try folder.publish(PublicationFixture.draft("one"))
            try temporary.write("damaged", to: "runs/one/kpi-cells.csv")
            #expect(try folder.publish(PublicationFixture.draft("one")) == .written)
            #expect(try folder.currentID() == "one.2")
            #expect(try folder.check("one.2") == [])
            #expect(try folder.publish(PublicationFixture.draft("one")) == .unchanged)
            #expect(try folder.publish(PublicationFixture.draft("one", text: "else")) == .written)
            #expect(try folder.currentID() == "one.3")
            #expect(try folder.previousID() == "one.2")
        }
    }

    @Test func aClockThatWasSetBackIsNamedWithBothTimes() throws {
        try TemporaryFolder.with { temporary in
            let folder = PublicationFolder(root: temporary.path)
            try folder.publish(PublicationFixture.draft("one", at: "2026-01-02T00:00:00Z"))
            #expect(try folder.publish(PublicationFixture.draft("two", at: "2026-01-02T00:00:00Z")) == .written)
            let error = #expect(throws: PublishingError.self) {
                try folder.publish(PublicationFixture.draft("three", at: "2026-01-01T23:59:59Z"))
            }
            #expect(
                error == .clockBehind(generatedAt: "2026-01-01T23:59:59Z", published: "2026-01-02T00:00:00Z"))
            #expect(try folder.list().map(\.id) == ["two", "one"])
        }
    }

    @Test(arguments: ["", ".", "..", ".hidden", "-x", "a/b", "a b", "é", String(repeating: "x", count: 129)])
    func aNameThatCouldLeadElsewhereIsRefused(name: String) throws {
        #expect(throws: PublishingError.unsafeName(name)) { try PublicationFixture.draft(name) }
        #expect(throws: PublishingError.unsafeName(name)) {
            let manifest = try PublicationFixture.draft("one").manifest
            _ = try PublicationDraft(manifest, files: [.init(name: name, mediaType: "text/csv", bytes: [])])
        }
        #expect(throws: PublishingError.unsafeName(name)) { try PublicationFolder(root: "/nowhere").check(name) }
    }

    @Test func noTwoFilesHaveOneNameAndNoneIsTheManifest() throws {
        let manifest = try PublicationFixture.draft("one").manifest
        let file = PublicationDraft.File(name: "a", mediaType: "text/csv", bytes: [])
        let own = PublicationDraft.File(name: "manifest.json", mediaType: "application/json", bytes: [])
        #expect(throws: PublishingError.repeatedName("a")) { try PublicationDraft(manifest, files: [file, file]) }
        #expect(throws: PublishingError.repeatedName("manifest.json")) {
            try PublicationDraft(manifest, files: [own])
        }
    }

    @Test(arguments: ["current", "previous"])
    func whatIsNotOursIsNotReplaced(link: String) throws {
        try TemporaryFolder.with { temporary in
            let folder = PublicationFolder(root: temporary.path)
            try temporary.write("x", to: "\(link)/kpi-summary.json")
            let before = try PublicationFixture.tree(folder.root)
            let error = #expect(throws: PublishingError.self) { try folder.publish(PublicationFixture.draft("one")) }
            #expect(error == .notOurs(path: folder.root + "/\(link)", expected: "a link to a run"))
            #expect(try PublicationFixture.tree(folder.root) == before)
            try FileManager.default.removeItem(atPath: temporary.path(of: link))
            try FileManager.default.createSymbolicLink(
                atPath: temporary.path(of: link), withDestinationPath: "/elsewhere")
            #expect(throws: PublishingError.self) { try folder.publish(PublicationFixture.draft("one")) }
        }
    }

    @Test func theRootAndTheRunsMayBeLinksToElsewhere() throws {
        try TemporaryFolder.with { temporary in
            let manager = FileManager.default
            for name in ["disk", "other", "disk/deep"] {
                try manager.createDirectory(atPath: temporary.path(of: name), withIntermediateDirectories: true)
            }
            try manager.createSymbolicLink(
                atPath: temporary.path(of: "root"), withDestinationPath: temporary.path(of: "disk/deep"))
            try manager.createSymbolicLink(
                atPath: temporary.path(of: "disk/deep/runs"), withDestinationPath: temporary.path(of: "other"))
            let folder = PublicationFolder(root: temporary.path(of: "root"))
            try folder.publish(PublicationFixture.draft("one"))
            #expect(try PublicationFixture.readCurrent(folder.root) == "one")
            #expect(manager.fileExists(atPath: temporary.path(of: "other/one/manifest.json")))
        }
    }

    @Test func aFolderThatCannotBeMadeIsNamed() throws {
        try TemporaryFolder.with { temporary in
            try temporary.write("x", to: "file")
            for root in ["file", "file/published"] {
                let folder = PublicationFolder(root: temporary.path(of: root))
                let error = #expect(throws: PublishingError.self) {
                    try folder.publish(PublicationFixture.draft("one"))
                }
                #expect(error?.failureKind == .cannotCreate)
                #expect(error?.description.contains(temporary.path(of: "file")) == true)
            }
        }
    }
}
