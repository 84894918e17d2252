import Intake
import KPIs
import Trips

/// What a scan says to a person: files, the equation, rejects grouped by reason, where the first ones are.
package struct ScanMessages {
    private let result: ScanResult
    private static let shown = 5

    package init(_ result: ScanResult) {
        self.result = result
    }

    /// The lines, the equation last.
    package var lines: [String] {
        var lines: [String] = []
        for file in result.files {
            for note in file.notes { lines.append("\(file.name): \(note)") }
            guard file.rejected > 0 else { continue }
            lines.append("\(file.name): \(Self.grouped(file.rejected)) of \(Self.grouped(file.read)) records rejected")
            let reasons = file.rejectsByReason.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            for (reason, count) in reasons {
                lines.append("  \(Self.grouped(count)) \(reason.rawValue): \(reason.explanation)")
            }
            for rejection in file.rejections.prefix(Self.shown) {
                let field = rejection.field.map { ", \($0.rawValue)" } ?? ""
                let shape = rejection.shape.map { ", looks like \($0)" } ?? ""
                lines.append(
                    "  record \(rejection.recordNumber) at byte \(rejection.byteOffset)\(field): "
                        + "\(rejection.reason.rawValue)\(shape)")
            }
            let more = file.rejected - min(Self.shown, file.rejections.count)
            if more > 0 { lines.append("  and \(Self.grouped(more)) more") }
        }
        if result.table.months.isEmpty, !result.selection.isEmpty {
            let selection = result.selection.joined(separator: "; ")
            let met = result.tally.monthsMet.sorted()
            let months =
                met.first.flatMap { first in met.last.map { "; there are trips from \(first) to \($0)" } } ?? ""
            lines.append("note: no trip of these exports is in the selection (\(selection))\(months)")
        }
        lines.append(result.counts.equation)
        return lines
    }

    /// `1,234,567`.
    private static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits = String(digits.dropLast(3))
        }
        return ([digits] + groups).joined(separator: ",")
    }
}
