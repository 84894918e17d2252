import Files
import KPIContract
import Store
import Trips

/// The warnings of loaded exports, by export and code: which records have a measure that is not counted, and in which
/// column. A place has a shape, never a value.
package struct WarningList: Sendable {
    private let warnings: [WarnedExport]
    /// Exports that were loaded before warnings were kept.
    private let exportsWithoutRecord: Int

    package init(storePath: String) throws {
        let store = try TripStore(reading: storePath)
        warnings = try store.warnings()
        exportsWithoutRecord = try store.exportsWithoutColumns()
    }

    /// - Parameter maximumExports: what is left out is counted.
    package func lines(maximumExports: Int) -> [String] {
        let earlier =
            exportsWithoutRecord == 0
            ? []
            : [
                "\(NumberText.counted(exportsWithoutRecord, "export")) loaded by an earlier version: not looked at; "
                    + "`tripkpi load --replay FILE` lists the warnings of one"
            ]
        if warnings.isEmpty { return earlier.isEmpty ? ["no export has a warning on record"] : earlier }
        return earlier
            + ListedExport.section("LOADED, WITH WARNINGS", warnings, maximum: maximumExports) { export in
                export.entries.flatMap { warned in
                    let records = NumberText.counted(warned.records, "record")
                    return ["    \(warned.code.rawValue), \(records): \(warned.code.explanation)"]
                        + FaultyRecord.lines(warned.places, of: warned.records)
                }
            }
    }

    /// A row for each record that is known by its place.
    package var csv: [UInt8] {
        var bytes: [UInt8] = []
        CSVText.append(
            [
                "sha256", "label", "source", "code", "records", "record_number", "byte_offset", "field", "shape",
                "sheet", "row",
            ],
            to: &bytes)
        for warned in warnings {
            for place in warned.places {
                let texts = [
                    warned.sha256, warned.label, warned.source, warned.code.rawValue,
                    "\(warned.records)", "\(place.recordNumber)", "\(place.byteOffset)", place.field?.rawValue ?? "",
                    place.shape ?? "", place.sheetRow.map { "\($0.sheet)" } ?? "",
                    place.sheetRow.map { "\($0.row)" } ?? "",
                ]
                CSVText.append(texts.map(CSVText.harmless), to: &bytes)
            }
        }
        return bytes
    }

    /// An array with an object for each export and code, with the records that are known by their places.
    package var json: [UInt8] {
        let list = warnings.map { warned in
            return CanonicalJSON.object([
                .init("sha256", .text(warned.sha256)), .init("label", .text(warned.label)),
                .init("source", .text(warned.source)), .init("code", .text(warned.code.rawValue)),
                .init("records", .integer(warned.records)), .init("places", warned.places.map(\.json)),
            ])
        }
        return CanonicalJSON.list(list).document
    }
}

extension WarnedExport: ListedEntry {
    var sha256: String { export.sha256 }
    var label: String { export.label }
    var source: String { export.source }
}
