import KPIs
import Trips

/// What `tripkpi tally` does: lines of facts or of tallies come in, and the tallies of all of them are written. A step of a pipe, of
/// which an engine runs as many at a time as it likes.
///
/// The facts must be those of the newest version of each trip: which one that is, nothing here can know.
package struct FactAdder {
    private var tally: KPITally
    /// Void trips, which are in no month's tally.
    private var void = 0

    private let indices = FactIndices()
    private var batch = TripBatch(capacity: 2048, textFields: [])
    private var numbers = FactNumbers()
    /// The beginning of a line whose end has not come yet.
    private var rest: [UInt8] = []
    private var lines = 0

    /// - Parameters: as in the summary of the facts; the numbers count `Unassigned`.
    package init(regions: Int, tripTypes: Int, maximumIntervalSeconds: Int) {
        tally = KPITally(
            shape: KPITally.Shape(
                regionCount: regions, tripTypeCount: tripTypes, maximumIntervalSeconds: maximumIntervalSeconds))
    }

    /// Adds the lines of the next bytes of the input.
    package mutating func add(_ piece: [UInt8]) throws(TallyFileError) {
        var start = 0
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if rest.isEmpty {
                try add(line: piece[start..<end])
            } else {
                let line = rest + piece[start..<end]
                rest = []
                try add(line: line[...])
            }
            start = end + 1
        }
        rest += piece[start...]
    }

    private mutating func add(line: ArraySlice<UInt8>) throws(TallyFileError) {
        lines += 1
        do throws(TallyFileError.Problem) {
            if numbers.read(line) {
                try addFact()
            } else if numbers.count == 2 {
                try tally.merge(line: line)
            } else {
                throw .noFact
            }
        } catch {
            throw TallyFileError(file: "standard input", line: lines, error)
        }
    }

    /// Adds the fact in `numbers`.
    private mutating func addFact() throws(TallyFileError.Problem) {
        guard let facts = indices.facts(of: numbers), facts.isPossible else { throw .impossible }
        if facts.status == TripStatus.void.rawValue {
            void += 1
            return
        }
        do throws(TripOutsideTally) {
            try batch.append(facts, for: tally.shape)
        } catch {
            throw .impossible
        }
        if batch.count == batch.capacity { try flush() }
    }

    private mutating func flush() throws(TallyFileError.Problem) {
        tally.add(batch)
        batch.count = 0
        guard !tally.hasTooManyMonths else { throw .tooManyMonths }
    }

    /// A line for each month, and the number of trips after `#`.
    package mutating func finish() throws -> [UInt8] {
        // A line without its end may be cut off.
        guard rest.isEmpty else { throw TallyFileError(file: "standard input", line: lines + 1, .incomplete) }
        do throws(TallyFileError.Problem) {
            try flush()
        } catch {
            throw TallyFileError(file: "standard input", error)
        }
        return tally.lines() + (try TripCount(trips: tally.tripCount, void: void).line())
    }

    /// How many trips came in.
    private struct TripCount: LastLine {
        var trips: Int
        var void: Int
    }
}
