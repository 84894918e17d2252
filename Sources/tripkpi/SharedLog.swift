import Basics
import Foundation
import Operations
import Synchronization

/// The log on standard error. Its lines carry the run's id as soon as it is known.
final class SharedLog: Sendable {
    private let journal: Mutex<RunJournal>

    init(_ format: LogFormat, isQuiet: Bool) {
        journal = Mutex(
            RunJournal(
                format: format, isForJournald: ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil,
                isQuiet: isQuiet, clock: { UTCTime(Date()) },
                sink: { Program.tell($0) }))
    }

    func tell(_ event: RunEvent) { journal.withLock { $0.tell(event) } }

    func identify(_ runID: String) { journal.withLock { $0.runID = runID } }
}
