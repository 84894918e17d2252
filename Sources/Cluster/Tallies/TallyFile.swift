import Files
import Foundation
import KPIs
import Trips

/// A file of tallies: what `scan --tally` writes and `merge` reads.
///
/// A line for each month (see `KPITally.line(of:)`), in any order, perhaps several for one month; then the summary.
package struct TallyFile: Sendable {
    /// Of the file, for errors.
    let name: String
    package let summary: TallySummary
    private let lines: ArraySlice<ArraySlice<UInt8>>

    /// Reads the file's bytes and its summary.
    package init(_ path: String) throws {
        name = FileLabel(fileName: path).description
        let file = try LinesWithSummary(path, name: name)
        summary = try Self.summary(in: file.summary, file: name)
        lines = file.lines
    }

    private static func summary(in json: ArraySlice<UInt8>, file: String) throws -> TallySummary {
        struct Head: Decodable {
            var format: String
            var version: Int
        }
        let decoder = JSONDecoder(), data = Data(json)
        guard let head = try? decoder.decode(Head.self, from: data), head.format == TallySummary.format else {
            throw TallyFileError(file: file, .noSummary)
        }
        guard head.version == TallySummary.version else {
            throw TallyFileError(file: file, .version("\(head.version)"))
        }
        guard let summary = try? decoder.decode(TallySummary.self, from: data) else {
            throw TallyFileError(file: file, .noSummary)
        }
        if let problem = summary.problem { throw TallyFileError(file: file, problem) }
        return summary
    }

    /// Adds its trips, and checks that they are as many as its summary says.
    ///
    /// - Parameter tally: of the file's lists, and of intervals that are at least as long as its own.
    func add(to tally: inout KPITally) throws(TallyFileError) {
        let before = tally.tripCount
        for (index, line) in lines.enumerated() {
            do throws(TallyFileError.Problem) {
                try tally.merge(line: line)
            } catch {
                throw TallyFileError(file: name, line: index + 1, error)
            }
        }
        guard tally.tripCount - before + summary.void == summary.counts.added else {
            throw TallyFileError(file: name, .countsDiffer)
        }
    }
}
