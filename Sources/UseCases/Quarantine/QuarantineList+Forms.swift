import Basics
import Files
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

    private func section(_ title: String, _ entries: [Entry], _ maximumExports: Int) -> [String] {
        ListedExport.section(title, entries, maximum: maximumExports) { export in
            let reasons = export.entries.flatMap(Self.lines)
            guard let waiver = export.entry.waiver else { return reasons }
            let reason = TextColumn.wrapped(waiver.reason, to: 100).joined(separator: "\n      ")
            return reasons + [
                "    waived by \(TextColumn.wrapped(waiver.waivedBy, to: 60).joined()) on "
                    + "\(UTCTime(secondsSince1970: waiver.waivedAt).day): \(reason)"
            ]
        }
    }

    private static func lines(_ entry: Entry) -> [String] {
        if entry.isFailed {
            let (rejected, read) = (NumberText.grouped(entry.rejected), NumberText.grouped(entry.read))
            let share = entry.rejected > 0 ? ": \(rejected) of \(read) records rejected" : ""
            return ["    \(entry.reason)\(share); since \(UTCTime(secondsSince1970: entry.since).day)"]
                + entry.detail.map { "      " + TextColumn.wrapped($0, to: 100).joined(separator: "\n      ") }
        }
        let records = NumberText.counted(entry.rejected, "record")
        return ["    \(entry.reason): \(records) of \(NumberText.grouped(entry.read))"]
            + FaultyRecord.lines(entry.places, of: entry.rejected)
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
            .init("places", entry.places.map(\.json)), .init("detail", entry.detail.map(CanonicalJSON.text)),
        ])
    }
}
