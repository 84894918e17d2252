import GRDB
import Trips

/// Keeps what the release shows of a trip, when a trip of a released month is about to change for the first time.
///
/// So a released month can always be tallied again as it was released: a trip with a row in `release_changes` counts as
/// that says (a void one: not in this month), any other as its row in `trips` says. A revision compares the two, trip by
/// trip. In these rows `updated_at` is when a revision added or corrected the trip.
struct ReleaseJournal {
    private let db: Database
    /// `Month.index` of the released months.
    private let months: Set<Int32>
    private let find: IntegerStatement?
    private let insert: IntegerStatement?
    private let digests: RowDigests

    init(_ db: Database, _ digests: RowDigests) throws {
        self.db = db
        self.digests = digests
        months = Set(try Int32.fetchAll(db, sql: "SELECT month FROM releases"))
        guard !months.isEmpty else {
            find = nil
            insert = nil
            return
        }
        find = try IntegerStatement(
            db, "SELECT 1 FROM release_changes WHERE key_high = ? AND key_low = ? AND month = ?")
        insert = try IntegerStatement(db, Self.insertSQL)
    }

    static let insertSQL = "INSERT INTO release_changes (\(TripColumns.names)) VALUES (\(TripColumns.marks))"

    /// Whether the release shows the trip's month.
    @inline(__always)
    func keeps(_ trip: StoredTrip) -> Bool { !months.isEmpty && months.contains(trip.facts.month) }

    /// A trip that counts was added.
    @inline(__always)
    func noteAdded(_ trip: StoredTrip) throws {
        if keeps(trip) { try keep(trip.asReleased.absentFromRelease) }
    }

    /// A trip that counts was taken out or changed.
    ///
    /// - Parameter trip: as it was before.
    @inline(__always)
    func noteChanged(_ trip: StoredTrip) throws {
        if keeps(trip) { try keep(trip.asReleased) }
    }

    private func keep(_ trip: StoredTrip) throws {
        guard let find, let insert else { return }
        find.bind(1, trip.key.high)
        find.bind(2, trip.key.low)
        find.bind(3, Int64(trip.facts.month))
        let isKept = try find.step(db)
        find.reset()
        guard !isKept else { return }
        TripColumns.bind(trip, to: insert)
        try insert.run(db)
        digests.add(trip, to: .releaseChanges)
    }
}

extension TripFacts {
    /// What the release is made of: all but the texts.
    var asReleased: TripFacts {
        var facts = self
        facts.texts = .zero
        return facts
    }
}

extension StoredTrip {
    /// What the release is made of, without texts and versions.
    var asReleased: StoredTrip {
        StoredTrip(
            key: key, exportID: 0, recordOffset: 0,
            version: TripVersion(updatedAt: TripBatch.absent, sequence: TripBatch.absent), facts: facts.asReleased)
    }

    /// A void trip in its place: the release does not count it.
    var absentFromRelease: StoredTrip {
        var void = TripFacts()
        void.month = facts.month
        void.day = facts.day
        void.status = TripStatus.void.rawValue
        return StoredTrip(key: key, exportID: 0, recordOffset: 0, version: version, facts: void)
    }
}
