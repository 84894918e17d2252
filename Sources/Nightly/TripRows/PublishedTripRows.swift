import KPIContract
import Scans
import Settings
import Deidentification
import Encoding
import Files
import Foundation
import Publishing
import Reports
import Store
import Trips

/// `trips.ndjson.gz` of a published set: made beside the sets, then copied into one, never held as a whole.
struct PublishedTripRows {
    package static let name = "trips.ndjson.gz"
    static let mediaType = "application/x-ndjson+gzip"

    /// Removed when the set is published; a draft that a killed run left is written over by the next.
    let draftPath: String
    let file: PublicationDraft.File

    /// - Parameters:
    ///   - store: opened to write: trips may get their public ids here.
    ///   - withheld: months that the figures leave out.
    init(
        _ terms: RowPolicy, store: TripStore, withholding withheld: Set<Month>, folder: PublicationFolder
    ) throws {
        var random = SystemRandomNumberGenerator()
        let rows = try StoredTripRows(store, months: try terms.months(nil), withholding: withheld, random: &random)
        try folder.makeRoot()
        let path = folder.root + "/.trips.part"
        var written = (bytes: 0, sha256: "")
        let outcome = try TripRowFeed(terms, format: .ndjson).write(rows, toFile: path, isGzip: true) {
            written = ($1, $2)
        }
        draftPath = path
        file = PublicationDraft.File(
            .init(
                name: Self.name, mediaType: Self.mediaType, bytes: written.bytes, sha256: written.sha256,
                rows: outcome.written),
            draft: path)
    }

    func removeDraft() { try? FileManager.default.removeItem(atPath: draftPath) }
}
