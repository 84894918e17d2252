import Files
import Foundation
import KPIContract
import Mustache

/// `trips.html`: the newest rows of `trips.ndjson` as a list and a detail, with filters, in one file that loads nothing.
///
/// Costs and patients are masked: they are not in the page. The same rows give the same bytes.
package struct TripsPage: Sendable {
    /// The file's name in a published set.
    /// IANA media type.
    package static let mediaType = "text/html"
    /// The policy that each page states for itself, for the header of a server that sends the page.
    package static var contentSecurityPolicy: String { PageAssets().tripsPolicy }
    /// The most rows of the page; the others are in the file of rows.
    package static let mostRows = 5_000
    /// Rows of a page of the list, and of the table without script.
    static let rowsOfAPage = 50

    package let bytes: [UInt8]
    private let rowsBlock: String

    /// - Parameters:
    ///   - header: the first line of `trips.ndjson`.
    ///   - rows: lines of it, newest first; at most `mostRows`.
    ///   - rowCount: how many it has.
    ///   - file: its name.
    package init(
        header: [UInt8], rows: [[UInt8]], rowCount: Int, file: String, isInternal: Bool
    ) throws(DashboardError) {
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(PublishedTrip.Header.self, from: Data(header)).header else {
            throw .rowsDoNotDecode
        }
        var trips: [PublishedTrip] = []
        trips.reserveCapacity(rows.count)
        for row in rows {
            guard let trip = try? decoder.decode(PublishedTrip.self, from: Data(row)) else { throw .rowsDoNotDecode }
            trips.append(trip)
        }
        let assets = PageAssets()
        guard let template = try? MustacheTemplate(string: assets.tripsPage) else { throw .templateDoesNotParse }
        let model = TripsPageModel(
            head, trips, rowCount: rowCount, file: file, stamp: isInternal ? KPISummaryV1.internalStamp : nil, assets)
        rowsBlock = model.rowsBlock
        bytes = Array(template.render(model).utf8)
    }

    /// Whether a page has the same list of trips. The rest of it may be of another version.
    package func hasSameRows(as page: [UInt8]) -> Bool {
        let block = "<script type=\"application/json\" id=\"trips-rows\">" + rowsBlock + "</script>"
        return page[...].start(of: Array(block.utf8)) != nil
    }
}

/// All that the template of the list of trips is filled with. No text of a row may be in an attribute (`PageModel`).
struct TripsPageModel {
    struct Row {
        let title: String
        let date: String
        let region: String
        let provider: String
        let duration: String
        let distance: String
    }

    let stamp: String?
    /// Rows that are protected health information say so at the top; nil: they are not.
    let phiStamp: String?
    let title: String
    let statement: String
    let generatedAt: String
    /// How many trips the page has, and where the others are.
    let extent: String
    let hasRows: Bool
    let firstRows: [Row]
    let firstText: String
    let contentSecurityPolicy: String
    let style: String
    let script: String
    let rowsBlock: String

    init(
        _ header: PublishedTrip.Header.Content, _ trips: [PublishedTrip], rowCount: Int, file: String, stamp: String?,
        _ assets: PageAssets
    ) {
        self.stamp = stamp
        phiStamp = header.privacy.contains("PHI") ? header.privacy : nil
        title = [stamp, phiStamp, "Ambulance trips"].compactMap(\.self).joined(separator: ": ")
        statement = header.statement
        generatedAt = header.generatedAt
        extent =
            rowCount > trips.count
            ? "The newest \(NumberText.grouped(trips.count)) of \(NumberText.counted(rowCount, "trip")). The other "
                + "\(NumberText.grouped(rowCount - trips.count)) are in \(file)."
            : "All \(NumberText.counted(rowCount, "trip")) of \(file)."
        hasRows = !trips.isEmpty
        firstRows = trips.prefix(TripsPage.rowsOfAPage).map {
            Row(
                title: $0.tripType, date: $0.date, region: $0.regionText, provider: $0.providerText,
                duration: $0.durationText, distance: $0.distanceText)
        }
        firstText = "The first \(firstRows.count). The list, filters and details need JavaScript, which is off here."
        contentSecurityPolicy = assets.tripsPolicy
        style = assets.tripsStyle
        script = assets.tripsScript
        let block: CanonicalJSON = ["rows": trips, "rowCount": rowCount, "rowsOfAPage": TripsPage.rowsOfAPage]
        rowsBlock = DataBlock.text(of: block.document)
    }
}
