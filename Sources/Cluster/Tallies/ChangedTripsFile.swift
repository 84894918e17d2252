package import Basics
import Foundation
package import KPIs
package import Trips

/// Trips that have changed since a release was recorded, as the job in spark/ writes them for `tripkpi merge --changes`.
///
/// A line for each: a `Kind`, a tab, and the columns of a fact. Then a line for each tally: see `KPITally.line(of:)`. The last
/// line has the number of the lines before it, so a file that is cut off is refused.
package struct ChangedTripsFile {
    package enum Kind: Int, CaseIterable {
        /// A trip of a recorded month that was changed or removed since: as it was before.
        case before
        /// A trip that was added to a recorded month since.
        case added
        /// A changed trip as it is now, in any month: each trip of the register and of the lines of the other kinds that is not removed.
        case current
    }

    package struct KeyedTrip {
        package let key: TripKey
        package let facts: TripFacts
    }

    package private(set) var trips: [Kind: [KeyedTrip]] = [:]
    /// Months with a trip that is `current`; those that are as they were may be missing.
    package let months: [Month]
    /// The tallies of their other trips.
    package let others: KPITally

    private struct Summary: Codable {
        static let format = "tripkpi-changes"
        static let version = 1

        var format: String
        var version: Int
        var lines: Int
        /// Such as 202401.
        var months: [Int]
    }

    /// - Parameter shape: of the tallies.
    package init(_ path: String, shape: KPITally.Shape) throws {
        let name = FileLabel(fileName: path).description
        let lines = try LinesWithSummary(path, name: name)
        guard let summary = try? JSONDecoder().decode(Summary.self, from: Data(lines.summary)),
            summary.format == Summary.format
        else { throw TallyFileError(file: name, .noSummary) }
        guard summary.version == Summary.version else {
            throw TallyFileError(file: name, .version("\(summary.version)"))
        }
        guard summary.lines == lines.lines.count else { throw TallyFileError(file: name, .countsDiffer) }
        var numbers = FactNumbers()
        let indices = FactIndices()
        var others = KPITally(shape: shape)
        for (index, line) in lines.lines.enumerated() {
            guard line.dropFirst().first == UInt8(ascii: "\t") else {
                do throws(TallyFileError.Problem) {
                    try others.merge(line: line)
                } catch {
                    throw TallyFileError(file: name, line: index + 1, error)
                }
                continue
            }
            guard let first = line.first,
                let kind = Kind(rawValue: Int(first) - Int(UInt8(ascii: "0"))), numbers.read(line.dropFirst(2)),
                let key = indices.key(of: numbers), let facts = indices.facts(of: numbers), facts.isPossible
            else { throw TallyFileError(file: name, line: index + 1, .noChange) }
            trips[kind, default: []].append(KeyedTrip(key: key, facts: facts))
        }
        self.others = others
        months = summary.months.compactMap(Month.init(name:))
        guard months.count == summary.months.count, Set(months).isSuperset(of: others.monthsMet) else {
            throw TallyFileError(file: name, .countsDiffer)
        }
    }
}
