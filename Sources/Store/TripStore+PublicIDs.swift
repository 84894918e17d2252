import GRDB
package import Trips

// Public ids are made when a trip first goes out under one, not when it is loaded: loading stays as fast as it is.

extension TripStore {
    /// The public ids of these trips, in their order; a trip that has none is given one. All in one transaction: call it
    /// with some thousands of keys at a time.
    ///
    /// - Parameter random: the system's in the command; anything else only in tests.
    package func publicIDs(
        of keys: [TripKey], random: inout some RandomNumberGenerator
    ) throws -> [PublicTripID] {
        try writeAside { db in
            let known = try PublicIDRows(db)
            return try keys.map { try known.id(of: $0) ?? known.add($0, random: &random) }
        }
    }

    /// The public ids that these trips have already, in their order.
    package func knownPublicIDs(of keys: [TripKey]) throws -> [PublicTripID?] {
        try readPassing { db in
            guard try db.tableExists(Self.publicIDTable) else { return keys.map { _ in nil } }
            let known = try PublicIDRows(db)
            return try keys.map { try known.id(of: $0) }
        }
    }

    /// The trip with this public id; nil if it was never given out. The trip itself may have been taken out since.
    package func tripKey(of id: PublicTripID) throws -> TripKey? {
        try read { db in
            guard try db.tableExists(Self.publicIDTable) else { return nil }
            let select = try IntegerStatement(
                db, "SELECT key_high, key_low FROM public_ids WHERE id_high = ? AND id_low = ?")
            defer { select.reset() }
            select.bind(1, Int64(bitPattern: id.high))
            select.bind(2, Int64(bitPattern: id.low))
            return try select.step(db) ? TripKey(high: select.column(0), low: select.column(1)) : nil
        }
    }

    /// A store that no writer of this version has opened yet does not have it.
    private static let publicIDTable = "public_ids"
}

/// The statements on `public_ids`, prepared once a transaction.
private struct PublicIDRows {
    private let db: Database
    private let select: IntegerStatement
    private let insert: IntegerStatement

    /// Of a source that repeats itself, rather than one that repeated 128 bits by chance.
    private static let mostAttempts = 8

    init(_ db: Database) throws {
        self.db = db
        select = try IntegerStatement(db, "SELECT id_high, id_low FROM public_ids WHERE key_high = ? AND key_low = ?")
        insert = try IntegerStatement(db, "INSERT INTO public_ids VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
    }

    func id(of key: TripKey) throws -> PublicTripID? {
        select.bind(1, key.high)
        select.bind(2, key.low)
        defer { select.reset() }
        guard try select.step(db) else { return nil }
        return PublicTripID(
            high: UInt64(bitPattern: select.column(0)), low: UInt64(bitPattern: select.column(1)))
    }

    /// - Precondition: the trip has no public id.
    func add(_ key: TripKey, random: inout some RandomNumberGenerator) throws -> PublicTripID {
        for _ in 0..<Self.mostAttempts {
            let id = PublicTripID(random: &random)
            insert.bind(1, key.high)
            insert.bind(2, key.low)
            insert.bind(3, Int64(bitPattern: id.high))
            insert.bind(4, Int64(bitPattern: id.low))
            if try insert.run(db) == 1 { return id }
        }
        throw StoreError.inconsistent("the random source repeats itself")
    }
}
