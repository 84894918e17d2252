import Foundation
import Pipeline

/// What a scan says to a person: files, the equation, rejects grouped by reason, where the first ones are.
struct ScanNotes {
    private let result: ScanResult
    private static let shown = 5

    init(_ result: ScanResult) {
        self.result = result
    }

    func tell() {
        for file in result.files {
            for note in file.notes { Program.tell("\(file.name): \(note)") }
            guard file.rejected > 0 else { continue }
            Program.tell("\(file.name): \(Self.grouped(file.rejected)) of \(Self.grouped(file.read)) records rejected")
            let reasons = file.rejectsByReason.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            for (reason, count) in reasons {
                Program.tell("  \(Self.grouped(count)) \(reason.rawValue): \(reason.explanation)")
            }
            for rejection in file.rejections.prefix(Self.shown) {
                let field = rejection.field.map { ", \($0.rawValue)" } ?? ""
                let shape = rejection.shape.map { ", looks like \($0)" } ?? ""
                Program.tell(
                    "  record \(rejection.recordNumber) at byte \(rejection.byteOffset)\(field): "
                        + "\(rejection.reason.rawValue)\(shape)")
            }
            let more = file.rejected - min(Self.shown, file.rejections.count)
            if more > 0 { Program.tell("  and \(Self.grouped(more)) more") }
        }
        Program.tell(result.counts.equation)
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
