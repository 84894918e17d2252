import KPIs
import Synchronization

/// A tally on its way from one export's workers to one of the next export's: whoever takes it is its only owner.
final class RunningTally: Sendable {
    private let tally: Mutex<KPITally?>

    init(_ tally: consuming KPITally?) {
        self.tally = Mutex(tally)
    }

    /// The tally, the first time; then nil.
    func take() -> KPITally? {
        tally.withLock { tally in
            let taken = tally
            tally = nil
            return taken
        }
    }
}
