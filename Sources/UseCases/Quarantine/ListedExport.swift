import KPIContract
import Reports
import Trips

/// An entry of a list that is ordered by export: of rejected records, or of warnings.
protocol ListedEntry {
    var sha256: String { get }
    var label: String { get }
    var source: String { get }
}

/// An export with all of its entries, as lists show it.
struct ListedExport<Entry: ListedEntry> {
    let entry: Entry
    let entries: [Entry]

    /// - Parameter entries: those of an export follow each other.
    static func all(_ entries: [Entry]) -> [ListedExport] {
        var exports: [[Entry]] = []
        for entry in entries {
            if exports.last?.first?.sha256 == entry.sha256 {
                exports[exports.count - 1].append(entry)
            } else {
                exports.append([entry])
            }
        }
        return exports.compactMap { entries in entries.first.map { ListedExport(entry: $0, entries: entries) } }
    }

    /// A heading, then each export with its lines; nothing where there is no export.
    ///
    /// - Parameter maximum: exports that are shown; what is left out is counted.
    static func section(
        _ title: String, _ entries: [Entry], maximum: Int, lines: (ListedExport) -> [String]
    ) -> [String] {
        let exports = all(entries)
        guard !exports.isEmpty else { return [] }
        var section = ["\(title): \(NumberText.counted(exports.count, "export"))"]
        for export in exports.prefix(maximum) {
            section.append("  \(export.entry.sha256.prefix(12))  \(export.entry.label), source \(export.entry.source)")
            section += lines(export)
        }
        if exports.count > maximum {
            section.append("  and \(NumberText.grouped(exports.count - maximum)) more; --limit shows more of them")
        }
        return section
    }
}

extension FaultyRecord {
    /// The first of some records, a line each, and how many more there are. No line where no place is known.
    static func lines(_ places: [FaultyRecord], of records: Int) -> [String] {
        let shown = places.prefix(3)
        guard !shown.isEmpty else { return [] }
        let lines = shown.map { place in
            let field = place.field.map { ", \($0.rawValue)" } ?? ""
            let shape = place.shape.map { ", like \($0)" } ?? ""
            return "      record \(NumberText.grouped(place.recordNumber)) \(place.place)\(field)\(shape)"
        }
        let more = records - shown.count
        return more > 0 ? lines + ["      and \(NumberText.grouped(more)) more"] : lines
    }

    /// The place without its code, which is said once for all.
    var json: CanonicalJSON {
        [
            "recordNumber": recordNumber, "byteOffset": byteOffset, "sheet": sheetRow?.sheet, "row": sheetRow?.row,
            "field": field?.rawValue, "shape": shape,
        ]
    }
}
