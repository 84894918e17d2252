import Basics
import Foundation
import KPIs

extension KPITally {
    /// The trips of a month as a line without its end: `202401`, a tab, the encoded tally in base64.
    func line(of month: Month) -> String {
        "\(month.name)\t\(Data(encoded(month: month)).base64EncodedString())"
    }

    /// Trips that are not void.
    var tripCount: Int { tripsByDay().reduce(0) { $0 + $1.trips } }

    /// All months, ascending, a line each.
    func lines() -> [UInt8] { Array(monthsMet.map { line(of: $0) + "\n" }.joined().utf8) }

    /// Adds the trips of such a line.
    mutating func merge(line: ArraySlice<UInt8>) throws(TallyFileError.Problem) {
        let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard parts.count == 2, let name = Int(String(decoding: parts[0], as: UTF8.self)),
            let month = Month(name: name), let bytes = Data(base64Encoded: Data(parts[1]))
        else { throw .noTally }
        do throws(TallyDecodingError) {
            try merge(encoded: Array(bytes), month: month)
        } catch {
            throw .damaged("\(error)")
        }
        guard !hasTooManyMonths else { throw .tooManyMonths }
    }
}
