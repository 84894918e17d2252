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

    /// - Parameter path: a name or path, of which the last part counts. A member of a zip file without a date has that of the file.
    init(_ path: String) {
        label = FileLabel(fileName: path)
        let parts = path.split(separator: "/").map(String.init)
        let archive = parts.dropLast().last { $0.lowercased().hasSuffix(".zip") }
        let date = parts.last.flatMap { ExportDate(name: $0) } ?? archive.flatMap { ExportDate(name: $0) }
        asOf = date.map { Int($0.day.daysSince1970) * 86_400_000_000 }
    }

    /// Whether it counts rather than the name an export is known by.
    func comesBefore(_ known: ExportRecord) -> Bool {
        let knownDate = known.isDatedByName ? known.asOf ?? .max : .max
        return (asOf ?? .max, label.description) < (knownDate, known.label)
    }
}
