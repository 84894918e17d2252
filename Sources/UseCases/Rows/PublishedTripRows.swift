import Basics
import Dashboard
import Files
import Foundation
import KPIContract
import Publishing
import Reporting
import Reports
import Settings
import Store

/// The files of rows of a published set: `trips.ndjson.gz`; `trips.html`, the page of its newest rows; and `trips.sqlite`, which
/// the API reads. They are made beside the sets, then copied into one, never held as a whole.
struct PublishedTripRows {
    static let mediaType = "application/x-ndjson+gzip"

    /// Of the rows, and of the pages. Removed when the set is published; one that a killed run left is written over by the next, or
    /// removed by the next removal.
    private let drafts: [String]
    let files: [PublicationDraft.File]

    /// - Parameters:
    ///   - store: opened to write: trips may get their public ids here.
    ///   - withheld: months that the figures leave out.
    init(
        _ terms: RowPolicy, store: TripStore, withholding withheld: Set<Month>, folder: PublicationFolder
    ) throws {
        var random = SystemRandomNumberGenerator()
        let source = try StoredTripRows(store, months: try terms.months(nil), withholding: withheld, random: &random)
        try folder.makeRoot()
        drafts = Self.drafts(in: folder)
        let rowsPath = drafts[0], pagesPath = drafts[1]
        var isWhole = false
        defer { if !isWhole { Self.remove(Self.drafts(in: folder)) } }
        let pages = try TripPagesWriter(path: pagesPath)
        var newest = NewestRows.ofPage
        var written = (bytes: 0, sha256: "")
        let outcome = try TripRowFeed(terms, format: .ndjson).write(
            source, toFile: rowsPath, isGzip: true, seenBy: { try pages.add($0.detail) },
            linesSeenBy: { newest.add($0) }
        ) {
            written = ($1, $2)
        }
        try pages.finish()
        // Rows are for staff.
        let html = try newest.page(isInternal: true)
        files = [
            PublicationDraft.File(
                .init(
                    name: PublishedFileNames.tripRows, mediaType: Self.mediaType, bytes: written.bytes,
                    sha256: written.sha256, rows: outcome.written),
                draft: rowsPath),
            PublicationDraft.File(
                name: PublishedFileNames.tripsPage, mediaType: TripsPage.mediaType, bytes: html.bytes,
                contentSecurityPolicy: TripsPage.contentSecurityPolicy),
            try Self.file(PublishedFileNames.tripPages, TripPages.mediaType, rows: outcome.written, draft: pagesPath),
        ]
        isWhole = true
    }

    private static func file(
        _ name: String, _ mediaType: String, rows: Int, draft path: String
    ) throws -> PublicationDraft.File {
        let digest = try FileDigest(of: path)
        return PublicationDraft.File(
            .init(name: name, mediaType: mediaType, bytes: digest.bytes, sha256: digest.sha256, rows: rows), draft: path
        )
    }

    func removeDrafts() { Self.remove(drafts) }

    /// Removes what a killed run left, though rows are not published any more.
    ///
    /// - Throws: if one cannot be removed.
    static func removeDrafts(in folder: PublicationFolder) throws {
        for path in drafts(in: folder) where try FileStatus.lookUp(path, followsLinks: false) != nil {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private static func drafts(in folder: PublicationFolder) -> [String] {
        [folder.root + "/.trips.part", folder.root + "/.trips-pages.part"]
    }

    private static func remove(_ drafts: [String]) {
        for path in drafts { try? FileManager.default.removeItem(atPath: path) }
    }
}
