package import Basics
import KPIContract

extension RunEvent {
    /// - Parameter firstMonth: the store takes trips of this month and later ones; nil: of any.
    package static func tripsRemoved(_ trips: Int, versions: Int, firstMonth: Month?, frozen: [Month]) -> RunEvent {
        let line = firstMonth.map { "; the store keeps trips from \($0) on" } ?? ""
        return RunEvent(
            "trips.removed", .notice,
            "\(trips) trips are removed for good (\(versions) records)\(line)"
                + (frozen.isEmpty ? "" : "; \(frozen.count) released months keep their figures"),
            [.trips: .whole(trips)])
    }

    package static func retentionPaused() -> RunEvent {
        RunEvent(
            "retention.paused", .warning,
            "nothing is removed by the setting `retention`: the last run, or in a new store the newest trip, was more than 40 days ago, or the "
                + "clock is ahead; if the clock is right, run tripkpi publish --clock-is-right"
        )
    }

    /// Of a store whose releases are taken over.
    package static func removalsNotTaken(patients: Int, trips: Int) -> RunEvent {
        RunEvent(
            "removals.not_taken", .warning,
            "the earlier store keeps \(NumberText.counted(patients, "patient")) and \(NumberText.counted(trips, "trip")) out that were "
                + "removed; this store has another key and does not: run `tripkpi purge` with the same lists",
            [.trips: .whole(trips)])
    }

    package static func storeLogKept() -> RunEvent {
        RunEvent(
            "store.log_kept", .warning,
            "another process reads the store, and the store's log (-wal) has the removed rows until it ends; stop it, and run again"
        )
    }

    package static func rowSetsRemoved(audience: String, sets: Int) -> RunEvent {
        RunEvent(
            "sets.removed", .notice, "\(sets) earlier sets for \(audience) had removed trips as rows, and are removed",
            [.audience: .text(audience)])
    }

    package static func rowSetKept(audience: String) -> RunEvent {
        RunEvent(
            "sets.kept", .warning,
            "the current set for \(audience) may have removed trips as rows: it is held, or the setting `audiences` leaves it out; publish "
                + "it again, or remove it",
            [.audience: .text(audience)])
    }
}
