import Basics
import Store
import Trips

/// What the store keeps of an export's file name: a label that is fit to be shown, and the date in it.
///
/// The same content may come under several names, in any order. The one that counts is that with the earliest date; one
/// without a date counts only if none has one, and between equals the first label by letters does.
struct ExportName {
    let label: FileLabel
    /// Microseconds since 1970; nil where the name has not exactly one date.
    let asOf: Int?

    init(_ name: String) {
        label = FileLabel(fileName: name)
        asOf = ExportDate(name: name).map { Int($0.day.daysSince1970) * 86_400_000_000 }
    }

    /// Whether it counts rather than the name an export is known by.
    func comesBefore(_ known: ExportRecord) -> Bool {
        let knownDate = known.isDatedByName ? known.asOf ?? .max : .max
        return (asOf ?? .max, label.description) < (knownDate, known.label)
    }
}
