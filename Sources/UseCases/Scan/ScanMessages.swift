package import Basics
import Intake
import KPIContract
import KPIs
import Profiles
package import Reporting
import Trips

/// What a scan says to a person: files, the equation, rejects grouped by reason, where the first ones are.
package struct ScanMessages {
    private let result: TrueFigures
    private let months: [Month]
    private static let shown = 5

    /// - Parameter months: all there are, ascending; nil: those of the result.
    package init(_ result: TrueFigures, months: [Month]? = nil) {
        self.result = result
        self.months = months ?? result.tally.monthsMet.sorted()
    }

    /// The lines, the equation last.
    package var lines: [String] {
        var lines = result.listNotes + Self.lines(of: result.files)
        if result.table.months.isEmpty, !result.selection.isEmpty {
            let selection = result.selection.joined(separator: "; ")
            let known =
                months.first.flatMap { first in months.last.map { "; there are trips from \(first) to \($0)" } } ?? ""
            lines.append("note: no trip is in the selection (\(selection))\(known)")
        }
        lines.append(result.counts.equation)
        return lines
    }

    /// What was found in each export.
    package static func lines(of files: [TrueFigures.FileResult]) -> [String] {
        var lines = gaps(files)
        for file in files {
            if let missing = file.missingColumns { lines.append("warning: \(file.name): \(missing)") }
            for remark in file.remarks { lines.append("warning: \(file.name): \(remark)") }
            for note in file.findings.listNotes {
                lines.append("note: \(file.name): \(note); \(ReadFindings.listRemedy)")
            }
            for note in file.notes { lines.append("\(file.name): \(note)") }
            if file.findings.counts.read == 0 { lines.append("note: \(file.name) holds no records") }
            lines += swallowed(file)
            let (read, rejected) = (file.findings.counts.read, file.findings.counts.rejected)
            guard rejected > 0 else { continue }
            lines.append(
                "\(file.name): \(NumberText.grouped(rejected)) of \(NumberText.grouped(read)) records rejected")
            let reasons = file.findings.rejectsByReason.sorted {
                ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
            }
            for (reason, count) in reasons {
                lines.append("  \(NumberText.grouped(count)) \(reason.rawValue): \(reason.explanation)")
            }
            let rejections = file.findings.rejections.prefix(shown)
            lines += rejections.map { "  \($0)" }
            let more = rejected - rejections.count
            if more > 0 { lines.append("  and \(NumberText.grouped(more)) more") }
        }
        return lines
    }

    /// What no column is mapped for: exports of one kind are named once.
    private static func gaps(_ files: [TrueFigures.FileResult]) -> [String] {
        var met: Set<MappingGaps> = []
        var sentences: [String] = []
        for file in files where met.insert(file.gaps).inserted {
            guard let sentence = file.gaps.sentence else { continue }
            sentences.append("note: \(files.count > 1 ? "\(file.name): " : "")\(sentence)")
        }
        return sentences
    }

    /// What quoted fields hold that may be records.
    private static func swallowed(_ file: TrueFigures.FileResult) -> [String] {
        guard file.findings.swallowedLines > 0 else { return [] }
        let count =
            "\(NumberText.grouped(file.findings.swallowedLines)) \(file.findings.swallowedLines == 1 ? "line" : "lines")"
        var lines = [
            "warning: \(file.name): \(count) inside quoted fields look like records and are not counted; look for stray "
                + "quotes"
        ]
        for place in file.findings.swallowings.prefix(shown) {
            lines.append(
                "  record \(place.recordNumber) at byte \(place.byteOffset): \(NumberText.grouped(place.lines)) "
                    + (place.lines == 1 ? "line" : "lines"))
        }
        return lines
    }
}
