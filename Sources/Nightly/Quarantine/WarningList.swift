import Encoding
import KPIContract
import Store
import Trips

/// The warnings of loaded exports, by export and code: which records have a measure that is not counted, and in which
/// column. A place has a shape, never a value.
package struct WarningList: Sendable {
    private let warnings: [WarnedExport]

    package init(storePath: String) throws {
        warnings = try TripStore(reading: storePath).warnings()
    }

    private static let shownPlaces = 3

    /// - Parameter maximumExports: what is left out is counted.
    package func lines(maximumExports: Int) -> [String] {
        var exports: [[WarnedExport]] = []
        for warned in warnings {
            if exports.last?.first?.export.sha256 == warned.export.sha256 {
                exports[exports.count - 1].append(warned)
            } else {
                exports.append([warned])
            }
        }
        guard !exports.isEmpty else { return ["no export has a warning on record"] }
        var lines = ["LOADED, WITH WARNINGS: \(Self.counted(exports.count, "export"))"]
        for codes in exports.prefix(maximumExports) {
            guard let export = codes.first?.export else { continue }
            lines.append("  \(export.sha256.prefix(12))  \(export.label), source \(export.source)")
            lines += codes.flatMap(Self.lines)
        }
        if exports.count > maximumExports {
            lines.append("  and \(NumberText.grouped(exports.count - maximumExports)) more; --limit shows more of them")
        }
        return lines
    }

    private static func lines(_ warned: WarnedExport) -> [String] {
        var lines = ["    \(warned.code.rawValue), \(counted(warned.records, "record")): \(warned.code.explanation)"]
        let shown = warned.places.prefix(shownPlaces)
        for place in shown {
            let field = place.field.map { ", \($0.rawValue)" } ?? ""
            let shape = place.shape.map { ", like \($0)" } ?? ""
            let (record, byte) = (NumberText.grouped(place.recordNumber), NumberText.grouped(place.byteOffset))
            lines.append("      record \(record) at byte \(byte)\(field)\(shape)")
        }
        let more = warned.records - shown.count
        if more > 0, !shown.isEmpty { lines.append("      and \(NumberText.grouped(more)) more") }
        return lines
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(NumberText.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// A row for each record that is known by its place.
    package var csv: [UInt8] {
        var bytes: [UInt8] = []
        CSVText.append(
            ["sha256", "label", "source", "code", "records", "record_number", "byte_offset", "column", "shape"],
            to: &bytes)
        for warned in warnings {
            for place in warned.places {
                let texts = [
                    warned.export.sha256, warned.export.label, warned.export.source, warned.code.rawValue,
                    "\(warned.records)", "\(place.recordNumber)", "\(place.byteOffset)", place.field?.rawValue ?? "",
                    place.shape ?? "",
                ]
                CSVText.append(texts.map(CSVText.harmless), to: &bytes)
            }
        }
        return bytes
    }

    /// An array with an object for each export and code, with the records that are known by their places.
    package var json: [UInt8] {
        let list = warnings.map { warned in
            let places = warned.places.map { place in
                CanonicalJSON.object([
                    .init("recordNumber", .integer(place.recordNumber)),
                    .init("byteOffset", .integer(place.byteOffset)),
                    .init("column", .text(orNull: place.field?.rawValue)), .init("shape", .text(orNull: place.shape)),
                ])
            }
            return CanonicalJSON.object([
                .init("sha256", .text(warned.export.sha256)), .init("label", .text(warned.export.label)),
                .init("source", .text(warned.export.source)), .init("code", .text(warned.code.rawValue)),
                .init("records", .integer(warned.records)), .init("places", .list(places)),
            ])
        }
        return CanonicalJSON.list(list).document
    }
}
