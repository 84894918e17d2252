import Scans
import Dashboard
import Foundation
import KPIContract
package import Privacy
package import Publishing
import Reports

/// Reads a published set again and checks its files against each other: what `verify` prints.
///
/// There is a finding for each check, and one for each fault. The folder is enough, so that a recipient of a copy can check
/// it; with the store, the set is checked against the store too. A finding holds no figure. A set of an older version of the
/// contract is checked for what it has.
package struct PublishedSetCheck: Sendable {
    private let folder: PublicationFolder
    private let audience: Audience

    package init(_ folder: PublicationFolder, _ audience: Audience) {
        self.folder = folder
        self.audience = audience
    }

    /// - Parameters:
    ///   - run: a run of the folder; nil: the one that readers see.
    ///   - store: the figures of the set are checked against it too.
    /// - Throws: `PublishingError` if there is no such run, `StoreError` or `QueryError` if the store cannot be read.
    package func findings(run: String? = nil, store: StoreReconciliation? = nil) throws -> [CheckFinding] {
        let current = run == nil ? try folder.currentID() : run
        guard let id = current else { throw PublishingError.nothingPublished(root: folder.root) }
        let damage = try folder.check(id)
        var findings = CheckFinding.of(
            "files", damage.map(\.description), ok: "\(audience.rawValue) \(id): all there, sizes and hashes right")
        guard let manifest = folder.manifest(of: id) else { return findings }
        guard let bytes = try? folder.contents(of: PublishedFileNames.summary, in: id),
            let summary = try? JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes))
        else {
            return findings + CheckFinding.of("contract", ["\(PublishedFileNames.summary) does not decode"], ok: "")
        }
        let contract =
            bytes == summary.canonicalJSON() ? [] : ["\(PublishedFileNames.summary) is not in its canonical form"]
        findings += CheckFinding.of(
            "contract", contract, ok: "\(PublishedFileNames.summary) is version \(summary.contractVersion)")
        findings += CheckFinding.of(
            "manifest", manifest.contradictions(to: summary) + audienceContradictions(summary),
            ok: "agrees with the summary")
        findings += CheckFinding.of(
            "figures", SummaryFigures(summary).contradictions, ok: "totals are the sums of their parts")
        let cells = (try? folder.contents(of: PublishedFileNames.cells, in: id)) ?? []
        let rows = manifest.files.first { $0.name == PublishedFileNames.cells }?.rows
        findings += CheckFinding.of(
            "cells", CellsReconciliation(summary, csv: cells, rows: rows).contradictions,
            ok:
                "\(PublishedFileNames.cells) has the \(summary.cells.count) cells of \(PublishedFileNames.summary), with the same values"
        )
        if manifest.files.contains(where: { $0.name == DashboardPage.fileName }) {
            let page = (try? folder.contents(of: DashboardPage.fileName, in: id)) ?? []
            let holds = DashboardPage.embeds(bytes, in: page)
            findings += CheckFinding.of(
                "page", holds ? [] : ["\(DashboardPage.fileName) is of another summary"],
                ok: "\(DashboardPage.fileName) holds \(PublishedFileNames.summary)")
        }
        if let store { findings += try store.findings(summary, manifest) }
        return findings
    }

    private func audienceContradictions(_ summary: KPISummaryV1) -> [String] {
        summary.audience == audience.rawValue ? [] : ["the summary is not for \(audience.rawValue)"]
    }
}

extension PublicationManifestV1 {
    /// Where the manifest differs from the summary.
    fileprivate func contradictions(to summary: KPISummaryV1) -> [String] {
        let checks: [(name: String, agrees: Bool)] = [
            ("runId", runId == summary.runId), ("generatedAt", generatedAt == summary.generatedAt),
            ("contractVersion", contractVersion == summary.contractVersion),
            ("dataThrough", dataThrough == summary.dataThrough), ("rules", rules == summary.rules),
            ("minimumCell", minimumCell == summary.privacy.minimumCell),
            ("exports", summary.quality.exports.map { $0.loaded == exports } ?? true),
        ]
        let differing = checks.filter { !$0.agrees }.map { "\($0.name) is not that of the summary" }
        return differing
    }
}
