import Files
import Foundation
import Publishing
import Synchronization
import TestSupport
import Testing

/// Publishing is stopped before each of its steps, as by a kill and as by a failing file system.
@Suite struct PublishStopTests {
    private struct Killed: Error {}

    /// Publishes the draft, and throws `error` before step `number`; nil if it ended before that.
    private func stop(
        before number: Int, with error: any Error, _ root: String, _ draft: PublicationDraft
    ) -> PublishingStep? {
        let count = Mutex(0)
        let stopped = Mutex<PublishingStep?>(nil)
        let folder = PublicationFolder(root: root) { step in
            let isDue = count.withLock { count in
                defer { count += 1 }
                return count == number
            }
            guard isDue else { return }
            stopped.withLock { $0 = step }
            throw error
        }
        _ = try? folder.publish(draft)
        return stopped.withLock { $0 }
    }

    @Test(arguments: [true, false])
    func aReaderSeesTheOldSetOrTheNewAndPublishingAgainEndsTheSame(isKill: Bool) throws {
        let error: any Error =
            isKill ? Killed() : PublishingError.system(FileError("x", "be written", code: ENOSPC))
        let undisturbed = try TemporaryFolder.with { temporary in
            try publishTwo(temporary.path)
            try PublicationFolder(root: temporary.path).publish(PublicationFixture.draft("three"))
            return try PublicationFixture.tree(temporary.path)
        }
        var stops: [PublishingStep] = []
        for number in 0..<100 {
            let step = try TemporaryFolder.with { temporary in
                let root = temporary.path
                try publishTwo(root)
                let step = stop(before: number, with: error, root, try PublicationFixture.draft("three"))
                #expect(
                    try PublicationFixture.readCurrent(root) == (step == .syncRoot || step == nil ? "three" : "two"))
                let folder = PublicationFolder(root: root)
                let sets = try folder.list()
                #expect(try !sets.isEmpty && sets.allSatisfy { try folder.check($0.id).isEmpty })
                if !isKill { #expect(try !PublicationFixture.tree(root).keys.contains { $0.contains(".part") }) }
                try folder.publish(PublicationFixture.draft("three"))
                #expect(
                    try PublicationFixture.tree(root) == undisturbed, "after a stop before \(String(describing: step))")
                return step
            }
            guard let step else { break }
            stops.append(step)
        }
        #expect(
            stops == [
                .makeDraftFolder, .write(file: "kpi-cells.csv"), .write(file: "kpi-summary.json"), .writeManifest,
                .syncDraftFolder, .install, .linkPrevious, .linkCurrent, .syncRoot,
            ])
    }

    /// A failure of publishing is logged as refused only if nothing was changed.
    @Test func theStateIsAnotherOnceTheSetIsInstalled() throws {
        var same: [PublishingStep] = [], others: [PublishingStep] = []
        for number in 0..<9 {
            try TemporaryFolder.with { temporary in
                try publishTwo(temporary.path)
                let folder = PublicationFolder(root: temporary.path), before = try folder.state()
                let error = PublishingError.system(FileError("x", "be written", code: ENOSPC))
                let step = try #require(
                    stop(before: number, with: error, temporary.path, PublicationFixture.draft("three")))
                if try folder.state() == before { same.append(step) } else { others.append(step) }
            }
        }
        #expect(same.last == .install && others == [.linkPrevious, .linkCurrent, .syncRoot])
    }

    @Test func aHoldAndItsEndChangeTheState() throws {
        try TemporaryFolder.with { temporary in
            try publishTwo(temporary.path)
            let folder = PublicationFolder(root: temporary.path), before = try folder.state()
            try folder.hold("two", at: "2026-01-01T00:00:00Z")
            #expect(try folder.state() != before)
            try folder.resume()
            #expect(try folder.state() == before)
            try folder.rollback()
            #expect(try folder.state() != before)
        }
    }

    @Test func aStopBeforeTheFirstSetLeavesNoneAndTheNextRunPublishes() throws {
        for number in 0..<8 {
            try TemporaryFolder.with { temporary in
                let root = temporary.path
                let step = stop(before: number, with: Killed(), root, try PublicationFixture.draft("one"))
                #expect(try PublicationFixture.readCurrent(root) == (step == .syncRoot || step == nil ? "one" : nil))
                try PublicationFolder(root: root).publish(PublicationFixture.draft("one"))
                #expect(try PublicationFixture.readCurrent(root) == "one")
            }
        }
    }

    @Test func anotherRunRemovesWhatAKilledOneLeftAndNothingElse() throws {
        try TemporaryFolder.with { temporary in
            try publishTwo(temporary.path)
            try temporary.write("half", to: "runs/.three.part/kpi-cells.csv")
            try temporary.write("half", to: "runs/.old.gone/kpi-cells.csv")
            try temporary.write("mine", to: "runs/.keep/notes.txt")
            try temporary.write("mine", to: "runs/notes.part")
            try PublicationFolder(root: temporary.path).publish(PublicationFixture.draft("four"))
            let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path(of: "runs")).sorted()
            #expect(names == [".keep", "four", "notes.part", "one", "two"])
        }
    }

    private func publishTwo(_ root: String) throws {
        let folder = PublicationFolder(root: root)
        try folder.publish(PublicationFixture.draft("one"))
        try folder.publish(PublicationFixture.draft("two"))
    }
}
