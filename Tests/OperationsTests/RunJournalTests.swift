import Basics
import Foundation
import Operations
import Synchronization
import TestSupport
import Testing
import Trips

@Suite struct RunJournalTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private func lines(
        _ format: LogFormat, isForJournald: Bool = false, isQuiet: Bool = false, runID: String? = nil,
        _ events: [RunEvent]
    ) -> [String] {
        let lines = Lines()
        var journal = RunJournal(
            format: format, isForJournald: isForJournald, isQuiet: isQuiet,
            clock: { UTCTime(secondsSince1970: 1_767_225_600) }, sink: lines.add)
        journal.runID = runID
        for event in events { journal.tell(event) }
        return lines.all
    }

    private let label = FileLabel(fileName: "trips-2026-11-20.csv")

    private var counts: ReadCounts {
        var counts = ReadCounts()
        counts.read = 9
        counts.added = 4
        counts.rejected = 5
        return counts
    }

    /// The golden line, which `Tests/Tools/check_operations.py` also gives to jq.
    @Test func aLineOfJSONHasItsKeysInOneOrder() {
        let event = RunEvent.exportLoaded(label, sha256: "ab12", counts: counts, durationMilliseconds: 1500)
        let lines = lines(.json, runID: "20260101T000000Z-0a", [event])
        Snapshot.expect(lines.joined(separator: "\n") + "\n", matches: "run.jsonl")
    }

    @Test func textIsForPeopleAndJournaldWritesTheTimeItself() {
        let events = [RunEvent.lockTaken(process: 7), .exportSkipped(label, .unsettled)]
        #expect(
            lines(.text, events) == [
                "2026-01-01T00:00:00Z the store is this run's own",
                "2026-01-01T00:00:00Z notice: trips-2026-11-20.csv is left alone: it still changes; the next run takes it",
            ])
        #expect(lines(.text, isForJournald: true, events).map { $0.prefix(3) } == ["<6>", "<5>"])
    }

    @Test func quietTellsWarningsAndErrorsOnly() {
        let events = [
            RunEvent.lockTaken(process: 7), .exportWaived(label, sha256: "ab"), .runStopped(Stopped(signal: SIGTERM)),
            .exportFailed(
                label, sha256: "ab", reason: "damaged", message: "it ends too early; fetch it again", read: nil,
                rejected: nil),
        ]
        #expect(lines(.text, isQuiet: true, events).count == 2)
    }

    /// Nobody forges a line, or moves the cursor, by what an error quotes.
    @Test(arguments: LogFormat.allCases)
    func controlCharactersAreWrittenOut(format: LogFormat) throws {
        let message = "a\nb\u{1B}[2J\u{7F}\u{85}\u{2028}\"\\c"
        let event = RunEvent.runFailed(failure: "data", message: message, exitCode: 65)
        let line = try #require(lines(format, [event]).first)
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
        guard format == .json else { return }
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["message"] as? String == message)
        #expect(object?["exit_code"] as? Int == 65)
    }

    /// A value that got where a code or a hash belongs is cut to what one can be.
    @Test func codesAndHashesHoldNothingElse() throws {
        let event = RunEvent.exportFailed(
            label, sha256: "Jane Doe", reason: "Doe, Jane <900-12-3456>", message: "m", read: 1, rejected: 1)
        let line = try #require(lines(.json, [event]).first)
        #expect(line.contains("\"sha256\":\"aeDe\",\"reason\":\"DoeJane900-12-3456\""))
    }

    @Test func everyEventIsAnObjectWithNameLevelAndTime() throws {
        let month = Month(year: 2026, month: 1), day = CivilDay(daysSince1970: 20_000)
        let events: [RunEvent] = [
            .runStarted(version: "0.1.0"), .lockTaken(process: 1), .storeOpened(schema: 1, trips: 2, exports: 3),
            .exportFound(label, bytes: 1), .exportKnown(label, sha256: "ab"),
            .exportLoaded(label, sha256: "ab", counts: counts, durationMilliseconds: 1),
            .exportFailed(
                label, sha256: "ab", reason: "damaged", message: "it ends too early; fetch it again", read: 2,
                rejected: 1),
            .exportWaived(label, sha256: "ab"), .exportSkipped(label, .hidden),
            .rulesChanged(before: "ab", after: "cd", trips: 4), .monthsTouched([month]), .monthsTouched([]),
            .monthRestated(month),
            .publishDone(
                id: "x", audience: "release", files: 3, bytes: 4, cells: 5, suppressedCells: 1, durationMilliseconds: 9),
            .publishUnchanged(id: "x", audience: "staff"),
            .publishHeld(audience: "release", since: "2026-01-01T00:00:00Z"),
            .edgeMonths([month], sentences: ["s"]), .monthsLeftOut([month], isWarning: true),
            .monthsReleased([Month(year: 2026, month: 1)]), .nothingReleasedYet,
            .releaseRevised([month], groups: 2, waiting: 1), .releaseRevised([], groups: 0, waiting: 0),
            .revisionNotPossible([month]), .releaseDividedAgain([month], joined: 1),
            FreshnessCheck(newestDay: day, generatedOn: day, warnDays: 1, failDays: 2).event,
            .runFinished(exitCode: 0, durationMilliseconds: 61_000, counts: counts, exports: ExportOutcomes()),
            .runStopped(Stopped(signal: SIGINT)), .runFailed(failure: "data", message: "m", exitCode: 65),
        ]
        let lines = lines(.json, events)
        #expect(lines.count == events.count)
        for (event, line) in zip(events, lines) {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["event"] as? String == event.name)
            #expect(object?["level"] != nil && object?["ts"] as? String == "2026-01-01T00:00:00Z")
        }
    }
}
