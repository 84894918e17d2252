import Encoding
import KPIContract
import Operations
import Reports
import Store
import Trips

/// The list as text, CSV and JSON. Places have a shape, never a value.
extension QuarantineList {
    /// - Parameter maximumExports: of each kind; what is left out is counted.
    package func lines(maximumExports: Int) -> [String] {
        if isEmpty { return ["nothing is in quarantine"] }
        return section("NOT LOADED", entries.filter(\.isFailed), maximumExports)
            + section("LOADED, WITH REJECTED RECORDS", entries.filter { !$0.isFailed }, maximumExports)
    }

    private static let shownPlaces = 3

    private func section(_ title: String, _ entries: [Entry], _ maximumExports: Int) -> [String] {
        var exports: [[Entry]] = []
        for entry in entries {
            if exports.last?.first?.sha256 == entry.sha256 {
                exports[exports.count - 1].append(entry)
            } else {
                exports.append([entry])
            }
        }
        guard !exports.isEmpty else { return [] }
        var lines = ["\(title): \(Self.counted(exports.count, "export"))"]
        for reasons in exports.prefix(maximumExports) {
            guard let first = reasons.first else { continue }
            lines.append("  \(first.sha256.prefix(12))  \(first.label), source \(first.source)")
            lines += reasons.flatMap(Self.lines)
            if let waiver = first.waiver {
                let reason = TextColumn.wrapped(waiver.reason, to: 100).joined(separator: "\n      ")
                lines.append(
                    "    waived by \(TextColumn.wrapped(waiver.waivedBy, to: 60).joined()) on "
                        + "\(UTCTime(secondsSince1970: waiver.waivedAt).day): \(reason)")
            }
        }
        if exports.count > maximumExports {
            lines.append("  and \(NumberText.grouped(exports.count - maximumExports)) more; --limit shows more of them")
        }
        return lines
    }

    private static func lines(_ entry: Entry) -> [String] {
        if entry.isFailed {
            let (rejected, read) = (NumberText.grouped(entry.rejected), NumberText.grouped(entry.read))
            let share = entry.read > 0 ? ": \(rejected) of \(read) records rejected" : ""
            return ["    \(entry.reason)\(share); since \(UTCTime(secondsSince1970: entry.since).day)"]
        }
        var lines = ["    \(entry.reason): \(counted(entry.rejected, "record")) of \(NumberText.grouped(entry.read))"]
        let shown = entry.places.prefix(shownPlaces)
        for place in shown {
            let field = place.field.map { ", \($0.rawValue)" } ?? ""
            let shape = place.shape.map { ", like \($0)" } ?? ""
            let (record, byte) = (NumberText.grouped(place.recordNumber), NumberText.grouped(place.byteOffset))
            lines.append("      record \(record) at byte \(byte)\(field)\(shape)")
        }
        let more = entry.rejected - shown.count
        if more > 0, !shown.isEmpty { lines.append("      and \(NumberText.grouped(more)) more") }
        return lines
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(NumberText.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// A row an export and reason.
    package var csv: [UInt8] {
        var bytes: [UInt8] = []
        CSVText.append(
            [
                "state", "sha256", "label", "source", "reason", "rejected", "read", "since", "profile_version",
                "waived_by", "waived_at", "waiver_reason",
            ], to: &bytes)
        for entry in entries {
            let texts = [
                entry.isFailed ? "failed" : "loaded", entry.sha256, entry.label, entry.source, entry.reason,
                "\(entry.rejected)", "\(entry.read)", UTCTime(secondsSince1970: entry.since).description,
                entry.profileVersion, entry.waiver?.waivedBy ?? "",
                entry.waiver.map { UTCTime(secondsSince1970: $0.waivedAt).description } ?? "",
                entry.waiver?.reason ?? "",
            ]
            CSVText.append(texts.map(CSVText.harmless), to: &bytes)
        }
        return bytes
    }

    /// An array with an object for each export and reason, with the places that are known.
    package var json: [UInt8] {
        CanonicalJSON.list(entries.map(Self.json)).document
    }

    private static func json(_ entry: Entry) -> CanonicalJSON {
        let places = entry.places.map { place in
            CanonicalJSON.object([
                .init("recordNumber", .integer(place.recordNumber)), .init("byteOffset", .integer(place.byteOffset)),
                .init("field", .text(orNull: place.field?.rawValue)), .init("shape", .text(orNull: place.shape)),
            ])
        }
        let waiver = entry.waiver.map { waiver in
            CanonicalJSON.object([
                .init("reason", .text(waiver.reason)), .init("by", .text(waiver.waivedBy)),
                .init("at", .text(UTCTime(secondsSince1970: waiver.waivedAt).description)),
            ])
        }
        return .object([
            .init("state", .text(entry.isFailed ? "failed" : "loaded")), .init("sha256", .text(entry.sha256)),
            .init("label", .text(entry.label)), .init("source", .text(entry.source)),
            .init("reason", .text(entry.reason)), .init("rejected", .integer(entry.rejected)),
            .init("read", .integer(entry.read)),
            .init("since", .text(UTCTime(secondsSince1970: entry.since).description)),
            .init("profileVersion", .text(entry.profileVersion)), .init("waiver", waiver ?? .null),
            .init("places", .list(places)),
        ])
    }
}
