import ExportBytes
import Profiles
import Trips

/// Where the fields lie that make a trip of several records.
enum CompositionSlots: Sendable {
    /// Charge lines. A line is known by its code.
    case lines(code: Int, modifiers: Int?, units: Int?)
    /// Status changes.
    case events(code: Int, at: Int)

    /// - Throws: if the export lacks one that is needed.
    init(_ kind: RecordKind, file: String, slot: (CanonicalField) -> Int?) throws(ExportError) {
        func needed(_ field: CanonicalField) throws(ExportError) -> Int {
            if let slot = slot(field) { return slot }
            throw ExportError(
                kind: .missingColumns, file: file,
                problem: "no column for \(field.rawValue), which “records: \(kind.rawValue)” needs",
                remedy: "map \(field.rawValue) in the profile, or remove “records:” from it")
        }
        if kind == .events {
            self = .events(code: try needed(.eventCode), at: try needed(.eventAt))
        } else {
            self = .lines(code: try needed(.hcpcsCode), modifiers: slot(.hcpcsModifiers), units: slot(.units))
        }
    }
}
