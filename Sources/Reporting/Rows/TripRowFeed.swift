import Basics
import Files
package import KPIContract
package import Privacy
package import Reports
package import Settings
package import Trips

/// Rows from trips: counts the groups, then writes what may leave, in the order of the random ids.
package struct TripRowFeed {
    private let terms: RowPolicy
    private let rows: TripRows
    private static let pendingBytes = 1 << 16

    package init(_ terms: RowPolicy, format: TripRowFormat) {
        self.terms = terms
        rows = TripRows(format)
    }

    /// What became of the trips.
    package struct Outcome: Sendable, Hashable {
        package var written = 0
        /// Completed trips that the profile would publish but that are left out to keep the group sizes. Never published.
        package var leftOut = 0
    }

    /// - Parameters:
    ///   - source: gone through twice if groups are counted.
    ///   - see: is shown each row before it is written.
    ///   - write: takes the bytes in order.
    package func write(
        _ source: some TripSource, seenBy see: (TripRow) throws -> Void = { _ in }, to write: ([UInt8]) throws -> Void
    ) throws -> Outcome {
        let deidentifier = terms.deidentifier
        var quota: GroupCounts.Quota?
        if terms.minimumGroup > 1 {
            var counts = GroupCounts(minimum: terms.minimumGroup)
            try source.forEach { trip in
                if let shown = deidentifier.deidentify(trip) { counts.count(shown, wasShown: trip.wasShown) }
            }
            quota = counts.quota
        }
        var outcome = Outcome()
        var new: [PublicTripID] = []
        var pending = rows.head(
            deidentifier.profile, minimumGroup: terms.minimumGroup, generatedAt: terms.generatedAt.description)
        try source.forEach { trip in
            guard let shown = deidentifier.deidentify(trip) else { return }
            guard quota?.admits(shown, wasShown: trip.wasShown) ?? true else {
                outcome.leftOut += 1
                return
            }
            if quota != nil, !trip.wasShown { new.append(trip.id) }
            let row = TripRow(shown)
            try see(row)
            rows.append(row, place: outcome.written, to: &pending)
            outcome.written += 1
            if pending.count >= Self.pendingBytes {
                try write(pending)
                pending.removeAll(keepingCapacity: true)
            }
        }
        try write(pending + rows.tail)
        // Before the file has its name: the next night prefers what this one may have shown.
        try source.noteShown(new)
        return outcome
    }
}

extension TripRowFeed {
    /// Writes rows to a file that appears whole or not at all.
    ///
    /// - Parameters:
    ///   - see: is shown each row before it is written.
    ///   - seeLines: is shown the rows before they are compressed, whole lines at a time.
    ///   - check: receives the path of the finished draft, its size and its SHA-256 before the file takes its
    ///   place; throws to refuse it.
    package func write(
        _ source: some TripSource, toFile path: String, isGzip: Bool,
        seenBy see: (TripRow) throws -> Void = { _ in }, linesSeenBy seeLines: ([UInt8]) -> Void = { _ in },
        check: (_ draft: String, _ bytes: Int, _ sha256: String) throws -> Void
    ) throws -> Outcome {
        let file = try AtomicFile(output: path)
        let gzip = isGzip ? try GzipWriter() : nil
        var hash = ContentHash()
        var count = 0
        func packed(_ piece: [UInt8], isEnd: Bool = false) throws -> [UInt8] {
            let bytes = try gzip?.compress(piece, endsMember: isEnd) ?? piece
            hash.update(bytes)
            count += bytes.count
            return bytes
        }
        let outcome = try write(source, seenBy: see) { piece in
            seeLines(piece)
            try file.append(packed(piece))
        }
        try file.append(packed([], isEnd: true))
        try check(file.part, count, hash.hexadecimal)
        try file.publish()
        return outcome
    }
}

/// Trips on their way to rows.
package protocol TripSource {
    /// Goes through them in the order of their ids, as often as it is asked to.
    func forEach(_ body: (SourceTrip) throws -> Void) throws

    /// Receives the trips that are shown among the rows of their groups, and were not before.
    func noteShown(_ ids: [PublicTripID]) throws
}

extension TripSource {
    /// Of exports that are read once nothing is kept.
    package func noteShown(_ ids: [PublicTripID]) throws {}
}
