import Foundation
import KPIContract
import Publishing
import TestSupport

/// Made-up sets: the smallest that are like real ones.
enum PublicationFixture {
    static func draft(
        _ id: String, at generatedAt: String = "2026-01-01T00:00:00Z", text: String? = nil
    ) throws -> PublicationDraft {
        try PublicationDraft(
            PublicationManifestV1(
                runId: id, generatedAt: generatedAt, contractVersion: KPISummaryV1.version, dataThrough: "2025-12-31",
                files: [], ledger: String(repeating: "a", count: 64),
                exports: 2, rules: .init(name: "standard", version: String(repeating: "0", count: 64)), minimumCell: 11,
                tool: "tripkpi 0.1.0"),
            files: [
                .init(name: "kpi-summary.json", mediaType: "application/json", bytes: Array((text ?? id).utf8)),
                .init(name: "kpi-cells.csv", mediaType: "text/csv", bytes: Array("a\r\n\(id)\r\n".utf8), rows: 1),
            ])
    }

    /// The id of the set that a reader of `current` sees, read as a server reads it; nil if there is none.
    ///
    /// - Throws: `Torn` if it is not whole.
    static func readCurrent(_ root: String) throws -> String? {
        let link = root + "/current"
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return nil }
        let id = String(target.dropFirst("runs/".count))
        let folder = PublicationFolder(root: root)
        guard try folder.check(id).isEmpty, try folder.contents(of: "kpi-summary.json", in: id) == Array(id.utf8) else {
            throw Torn()
        }
        return id
    }

    struct Torn: Error {}

    /// Every file, link and folder under a path with what it holds.
    static func tree(_ root: String) throws -> [String: String] {
        var tree: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
            let path = root + "/" + name
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
                tree[name] = "-> " + target
            } else {
                tree[name] = (try? Data(contentsOf: URL(fileURLWithPath: path))).map { $0.base64EncodedString() } ?? "/"
            }
        }
        return tree
    }
}
