import ExportBytes
import Profiles
import Trips

// Whether an export may be used for all that was rejected of it.
extension ReadFindings {
    /// - Parameters:
    ///   - limit: parts of a million that may be rejected, and as many that stray quotes may have swallowed.
    ///   - hasProfile: false: the header alone said what the columns mean.
    ///   - isCutOff: whether the file ends within a record. That record is a fault of its own, and no sign of a wrong profile.
    /// - Throws: if there are more of either: nothing of the export may be used.
    func check(
        file: String, maximumRejectPerMillion limit: Int, hasProfile: Bool, isCutOff: Bool = false
    ) throws(ExportError) {
        if let header = numbered(Self.first(otherHeaders), \.recordNumber).first {
            throw ExportError(
                kind: .malformed, file: file, offset: header.byteOffset,
                problem:
                    "record \(header.recordNumber) is a header with other columns than the first: files were joined",
                remedy: "divide the file there, and load each part by itself")
        }
        if saysRowsAreMissing {
            throw ExportError(
                kind: .malformed, file: file,
                problem:
                    "a line below its records says that rows are missing: a limit was reached, or the export failed",
                remedy: "look at its last lines, and have all rows exported; if it is whole, remove that line")
        }
        // A trip of many lines is one trip, whether it counts or not.
        if (counts.rejected - (isCutOff ? 1 : 0)) * 1_000_000 > (counts.read - counts.merged) * limit {
            let worst = rejectsByReason.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.prefix(3)
                .map { "\($0.value) \($0.key.rawValue) (\($0.key.explanation))" }.joined(separator: ", ")
            // Where most have no date that can be read, how one is written says what to do.
            let isUndated = (rejectsByReason[.noUsableDate] ?? 0) * 2 > counts.rejected
            let undated = rejections.first { $0.code == .noUsableDate && $0.shape != nil }?.shape
            var error = ExportError(
                kind: .tooManyRejects, file: file,
                problem: "\(counts.rejected) of \(counts.read - counts.merged) "
                    + "\(counts.merged == 0 ? "records" : "trips and records") are rejected, more than the "
                    + "\(Self.percent(limit)) allowed: \(worst)" + withinNote,
                remedy: recordsWithin > 0
                    ? "have it exported with one record a line, or all records in one array"
                    : isUndated && undated != nil
                        ? TimeHint.remedy(shape: undated ?? "", hasProfile: hasProfile)
                        : hasProfile
                            ? "fix the export or the profile, or set max_reject"
                            : "write a profile for it with `tripkpi map suggest FILE --write profiles/NAME.yaml`, fix the export, or "
                                + "set max_reject")
            error.counts = counts
            error.places = rejections.prefix(Self.placesInMessages).map(\.description)
            throw error
        }
        if let first = swallowings.first, swallowedLines * 1_000_000 > (counts.read + swallowedLines) * limit {
            throw ExportError(
                kind: .tooManyRejects, file: file, offset: first.byteOffset,
                problem: "\(swallowedLines) lines inside quoted fields look like records of their own, beside "
                    + "\(counts.read) records read: more than the \(Self.percent(limit)) allowed; the first lie in "
                    + "record \(first.recordNumber)",
                remedy: "look there for a stray quote and fix the export, or set max_reject if the text is right")
        }
    }

    /// How many rejected records the message of a refused export names.
    private static let placesInMessages = 20

    /// `1 %`, `0.25 %`.
    static func percent(_ perMillion: Int) -> String {
        let hundredths = perMillion / 100
        let rest = hundredths % 100
        return "\(hundredths / 100)" + (rest == 0 ? "" : ".\(rest < 10 ? "0" : "")\(rest)") + " %"
    }

    private var withinNote: String {
        recordsWithin == 0 ? "" : "; \(recordsWithin) of them lie in lists where one record should be"
    }

    /// Counts the records that lie within a rejected one: each of them is lost.
    ///
    /// - Parameter isBare: whether nothing that is read of a record is in it.
    mutating func countRecords(
        within window: RecordWindow, record: Int, reason: RejectReason, isBare: Bool
    ) {
        guard reason == .notAnObject || isBare && (reason == .missingTripID || reason == .noUsableDate) else { return }
        let start = window.recordStart(record), end = window.recordEnd(record)
        let more = Self.objects(inArraysOf: window.bytes, from: start, to: end) - 1
        guard more > 0 else { return }
        counts.read += more
        counts.rejected += more
        rejectsByReason[reason, default: 0] += more
        recordsWithin += more + 1
    }

    /// How many objects are elements of arrays.
    private static func objects(inArraysOf bytes: UnsafePointer<UInt8>, from: Int, to: Int) -> Int {
        var isArray: [Bool] = []
        var count = 0, place = from
        while place < to {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
                while place < to, bytes[place] != UInt8(ascii: "\"") {
                    place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "{"):
                if isArray.last == true { count += 1 }
                isArray.append(false)
            case UInt8(ascii: "["): isArray.append(true)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = isArray.popLast()
            default: break
            }
            place += 1
        }
        return count
    }
}
