import Basics
package import ExportBytes
package import Files
package import Keys
package import Trips

/// Reads the trips that `TripLog`s packed. One thread uses it at a time; several may read the same pages.
package final class LoggedTrips: VersionSource {
    private let pages: SealedPages
    /// Pages read of late: those of a partition of the version index or two, 8 MiB at most.
    private var opened: [Int: [UInt8]] = [:]
    private static let mostOpened = 2048
    private static let batchRecords = 2048
    /// Kept from call to call: making one takes longer than most calls.
    private lazy var batch = TripBatch(capacity: LoggedTrips.batchRecords, textFields: [])

    package init(_ pages: SealedPages) { self.pages = pages }

    /// Keys are not logged, only two hashes of each.
    package var isRepeatable: Bool { false }

    package func candidates(_ places: [Int]) throws(ExportError) -> [VersionCandidate] {
        var found: [VersionCandidate] = []
        for place in places {
            let (stamp, offset) = try stamp(at: place)
            found.append(
                VersionCandidate(
                    key: nil, keyCheck: stamp.keyCheck, version: stamp.version, contentHash: stamp.contentHash,
                    offset: offset))
        }
        return found
    }

    package func forBatches(
        of places: [Int], _ body: (inout TripBatch, [TextDictionary]?) -> Void
    ) throws(ExportError) {
        var rest = places[...]
        while !rest.isEmpty {
            batch.count = 0
            for place in rest.prefix(Self.batchRecords) { try unpack(place, into: &batch) }
            rest = rest.dropFirst(Self.batchRecords)
            body(&batch, nil)
        }
    }

    /// The pages that were read are few, and of use to other exports of the run.
    package func close() {}

    private func cursor(at place: Int) throws(ExportError) -> Cursor {
        let number = place / SealedPages.pageBytes
        let start = place % SealedPages.pageBytes
        if let page = opened[number] { return Cursor(page, at: start) }
        do throws(FileError) {
            let page = try pages.read(number)
            if opened.count >= Self.mostOpened { opened.removeAll(keepingCapacity: true) }
            opened[number] = page
            return Cursor(page, at: start)
        } catch {
            throw .noRoomForVersions(error)
        }
    }

    /// The stamp and offset of the record at `place`.
    private func stamp(at place: Int) throws(ExportError) -> (stamp: TripVersionStamp, offset: Int) {
        var cursor = try cursor(at: place)
        return Self.stamp(&cursor)
    }

    private static func stamp(_ cursor: inout Cursor) -> (stamp: TripVersionStamp, offset: Int) {
        var stamp = TripVersionStamp()
        stamp.keyCheck = cursor.fixed()
        stamp.contentHash = cursor.fixed()
        stamp.version.updatedAt = cursor.signed()
        stamp.version.sequence = cursor.signed()
        return (stamp, cursor.signed())
    }

    /// Adds the record at `place` to a batch.
    private func unpack(_ place: Int, into batch: inout TripBatch) throws(ExportError) {
        var cursor = try cursor(at: place)
        let row = batch.count
        _ = Self.stamp(&cursor)
        let codes = cursor.byte()
        batch.status[row] = codes & 0xF
        batch.sourcing[row] = codes >> 4
        batch.region[row] = cursor.byte()
        batch.tripType[row] = cursor.byte()
        let day = CivilDay(daysSince1970: Int32(truncatingIfNeeded: cursor.signed()))
        batch.day[row] = day.daysSince1970
        batch.month[row] = day.month.index
        batch.warnings[row] = UInt32(truncatingIfNeeded: cursor.signed())
        for index in batch.intervals.indices {
            batch.intervals[index][row] = Int32(truncatingIfNeeded: cursor.signed())
        }
        batch.costCents[row] = cursor.signed()
        batch.loadedHundredths[row] = cursor.signed()
        batch.unloadedHundredths[row] = cursor.signed()
        batch.patientHashes[row] = cursor.fixed()
        batch.count += 1
    }

    // MARK: - Varints

    private struct Cursor {
        private let page: [UInt8]
        private var at: Int

        init(_ page: [UInt8], at: Int) {
            self.page = page
            self.at = at
        }

        mutating func byte() -> UInt8 {
            defer { at += 1 }
            return page[at]
        }

        mutating func fixed() -> UInt64 {
            var value: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 8) { value |= UInt64(byte()) << shift }
            return value
        }

        mutating func signed() -> Int {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                let next = byte()
                value |= UInt64(next & 0x7F) << shift
                if next < 0x80 { break }
                shift += 7
            }
            if value == 0 { return .min }
            value -= 1
            return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1)
        }
    }
}

extension ExportError {
    /// Versions of an export that is read only once could not be put aside.
    package static func noRoomForVersions(_ error: FileError) -> ExportError {
        ExportError(
            kind: .unreadable, file: "temporary file", problem: error.sentence,
            remedy: "set TMPDIR to a folder with room, or give the export as a plain file in UTF-8, which needs none")
    }
}
