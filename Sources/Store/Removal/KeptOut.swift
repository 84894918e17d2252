import Basics
import GRDB
package import Trips

/// What was removed from the store, and does not come back.
package struct KeptOut: Sendable {
    /// `Month.index`; the store takes no trip of an earlier month.
    package let firstMonth: Int32
    private let trips: Set<TripKey>
    private let patients: Set<UInt64>

    init(_ db: Database) throws {
        firstMonth = try Int32.fetchOne(db, sql: "SELECT first_month FROM retention") ?? .min
        var trips: Set<TripKey> = [], patients: Set<UInt64> = []
        try IntegerStatement(db, "SELECT NULL, key_high, key_low FROM removed_trips").forEachRow { row in
            trips.insert(row.readKey())
        }
        try IntegerStatement(db, "SELECT patient FROM removed_patients").forEachRow { row in
            patients.insert(UInt64(bitPattern: row.column(0)))
        }
        (self.trips, self.patients) = (trips, patients)
    }

    package var isEmpty: Bool { firstMonth == .min && trips.isEmpty && patients.isEmpty }

    /// Whether the trip, or its patient, was removed by name.
    func names(_ trip: StoredTrip) -> Bool { names(trip.key, patient: trip.facts.patient) }

    package func names(_ key: TripKey, patient: UInt64) -> Bool { trips.contains(key) || names(patient: patient) }

    package func names(patient: UInt64) -> Bool { patient != 0 && patients.contains(patient) }

    /// Whether an export's version of a trip is skipped. A part's date may be another one than its trip's.
    func refuses(_ trip: StoredTrip, isPart: Bool) -> Bool { names(trip) || !isPart && isTooOld(trip) }

    func isTooOld(_ trip: StoredTrip) -> Bool { trip.facts.month < firstMonth }

    /// What stays of a trip.
    func remaining(of trip: WholeTrip) -> [StoredTrip] {
        guard !trips.contains(trip.key) else { return [] }
        guard let counted = trip.counted else { return trip.versions.filter { !names($0) && !isTooOld($0) } }
        // Without the version that counts an earlier one would count.
        if names(counted) || isTooOld(counted) { return [] }
        let isOwn = Set(trip.own.versions.map(\.exportID))
        return trip.versions.filter { !names($0) && !(isTooOld($0) && isOwn.contains($0.exportID)) }
    }

    /// Adds what is removed now. The first month never goes back.
    ///
    /// - Returns: whether a trip or patient is kept out that was not before.
    static func add(_ removal: Removal, _ db: Database) throws -> Bool {
        var isNew = false
        if let month = removal.before {
            try db.execute(
                sql: "UPDATE retention SET first_month = MAX(COALESCE(first_month, ?1), ?1)", arguments: [month.index])
        }
        for trip in removal.trips {
            try db.execute(
                sql: "INSERT INTO removed_trips VALUES (?, ?) ON CONFLICT DO NOTHING", arguments: [trip.high, trip.low])
            isNew = isNew || db.changesCount > 0
        }
        for patient in removal.patients {
            try db.execute(
                sql: "INSERT INTO removed_patients VALUES (?) ON CONFLICT DO NOTHING",
                arguments: [Int64(bitPattern: patient)])
            isNew = isNew || db.changesCount > 0
        }
        return isNew
    }
}
