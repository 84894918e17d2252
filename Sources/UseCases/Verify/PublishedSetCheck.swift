import Basics
import Dashboard
import Foundation
package import KPIContract
package import Privacy
package import Publishing
import Reporting

/// Reads a published set again and checks its files against each other: what `verify` prints.
///
/// There is a finding for each check, and one for each fault. The folder is enough, so that a recipient of a copy can check
/// it. A finding holds no figure. A set of an older version of the
/// contract is checked for what it has.
package struct PublishedSetCheck: Sendable {
    private let folder: PublicationFolder
    private let audience: Audience

    package init(_ folder: PublicationFolder, _ audience: Audience) {
        self.folder = folder
        self.audience = audience
    }

    /// A set that can be compared with its store.
    package typealias VerifiedSet = (audience: Audience, summary: KPISummaryV1, manifest: PublicationManifestV1)

    /// - Parameters:
    ///   - run: a run of the folder; nil: the one that readers see.
    ///   - extent: of many published rows only `full` compares every one; else the newest.
    /// - Returns: the findings, and the set if it can be read.
    /// - Throws: `PublishingError` if there is no such run.
    package func findings(
        run: String? = nil, extent: VerificationExtent = .full
    ) throws -> (findings: [CheckFinding], set: VerifiedSet?) {
        let current = run == nil ? try folder.currentID() : run
        guard let id = current else { throw PublishingError.nothingPublished(root: folder.root) }
        let damage = try folder.check(id)
        var findings = CheckFinding.of(
            "files", damage.map(\.description), ok: "\(audience.rawValue) \(id): all there, sizes and hashes right")
        guard let manifest = try folder.manifest(of: id) else { return (findings, nil) }
        guard let bytes = try folder.contentsIfAny(of: PublishedFileNames.summary, in: id),
            let summary = try? JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes))
        else {
            findings += CheckFinding.of("contract", ["\(PublishedFileNames.summary) does not decode"], ok: "")
            return (findings, nil)
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
        let cells = try folder.contentsIfAny(of: PublishedFileNames.cells, in: id) ?? []
        let rows = manifest.files.first { $0.name == PublishedFileNames.cells }?.rows
        findings += CheckFinding.of(
            "cells", CellsReconciliation(summary, csv: cells, rows: rows).contradictions,
            ok:
                "\(PublishedFileNames.cells) has the \(summary.cells.count) cells of \(PublishedFileNames.summary), with the same values"
        )
        if manifest.files.contains(where: { $0.name == PublishedFileNames.page }) {
            let page = try folder.contentsIfAny(of: PublishedFileNames.page, in: id) ?? []
            let holds = DashboardPage.embeds(bytes, in: page)
            findings += CheckFinding.of(
                "page", holds ? [] : ["\(PublishedFileNames.page) does not match \(PublishedFileNames.summary)"],
                ok: "\(PublishedFileNames.page) holds \(PublishedFileNames.summary)")
        }
        findings += try tripFindings(id, manifest, extent)
        return (findings, (audience, summary, manifest))
    }

    /// The rows are counted, and their page's list is made again from them. A damaged file is a finding of `files`.
    private func tripFindings(
        _ id: String, _ manifest: PublicationManifestV1, _ extent: VerificationExtent
    ) throws -> [CheckFinding] {
        let rows = PublishedFileNames.tripRows
        guard let file = manifest.files.first(where: { $0.name == rows }), let path = try? folder.path(of: rows, in: id)
        else { return [] }
        let isWhole = extent.isWhole(rows: file.rows ?? 0)
        var digest = TripRowsDigest()
        guard
            let newest = try? NewestRows.ofPage(
                fromGzipAt: path, named: rows, seenBy: { if isWhole { digest.add(lines: $0) } }),
            let page = try? newest.page(isInternal: audience == .staff)
        else { return CheckFinding.of("trips", ["\(rows) does not decode"], ok: "") }
        var faults = newest.rowCount == file.rows ? [] : ["\(rows) has another number of rows than the manifest says"]
        if manifest.files.contains(where: { $0.name == PublishedFileNames.tripsPage }) {
            let published = try folder.contentsIfAny(of: PublishedFileNames.tripsPage, in: id) ?? []
            if !page.hasSameRows(as: published) {
                faults.append("\(PublishedFileNames.tripsPage) does not match \(rows)")
            }
        }
        if manifest.files.contains(where: { $0.name == PublishedFileNames.tripPages }) {
            let lines = newest.lines
            if !isWhole { digest.add(rows: lines) }
            let served = try? TripRowsDigest.ofPages(
                folder.path(of: PublishedFileNames.tripPages, in: id), of: isWhole ? nil : lines)
            if served?.digest != digest || served?.rowCount != newest.rowCount {
                faults.append("\(PublishedFileNames.tripPages) does not match \(rows)")
            }
        }
        let copies = [PublishedFileNames.tripPages, PublishedFileNames.tripsPage].filter { name in
            manifest.files.contains { $0.name == name }
        }
        let text =
            copies.isEmpty
            ? "\(rows) has the rows that the manifest says"
            : "\(copies.joined(separator: " and ")) \(copies.count == 1 ? "has" : "have") the trips of \(rows)"
        return CheckFinding.of("trips", faults, ok: text)
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
