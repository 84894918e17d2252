import Foundation
package import KPIContract
import Mustache

// The face of Dashboard. The bytes of `kpi-summary.json` go in; one HTML page comes out that needs nothing else: no
// network, no server, no other file.
//
// - In: a document of contract version 1, and nothing beside it. What it hides is null there, so the page cannot show
//   it; what it says to be internal is stamped on the page.
// - Out: UTF-8. The same document gives the same bytes. The figures over everything are in the markup, as tables.
//   The script draws cards and charts, and answers filters, sorting and links, from the same document, which is embedded.
// - It reads no clock and no file: template, style and script are part of the program.

/// `dashboard.html`.
package struct DashboardPage: Sendable {
    /// The file's name in a published set.
    /// IANA media type.
    package static let mediaType = "text/html"
    /// The policy that each page states for itself, for the header of a server that sends the page.
    package static var contentSecurityPolicy: String { PageAssets().contentSecurityPolicy }

    package let bytes: [UInt8]

    /// - Parameter summary: `kpi-summary.json`, as it is published.
    package init(summary: [UInt8]) throws(DashboardError) {
        guard let document = try? JSONDecoder().decode(KPISummaryV1.self, from: Data(summary)) else {
            throw .summaryDoesNotDecode
        }
        try self.init(document, publishedAs: summary)
    }

    /// - Parameters:
    ///   - summary: the document's bytes, as they are published: the page embeds them.
    ///   - hasTripsPage: whether `trips.html` is beside the page: then it has a link to it.
    package init(
        _ document: KPISummaryV1, publishedAs summary: [UInt8], hasTripsPage: Bool = false
    ) throws(DashboardError) {
        let assets = PageAssets()
        guard let page = try? MustacheTemplate(string: assets.page) else { throw .templateDoesNotParse }
        let model = PageModel(
            document, summaryBlock: DataBlock.text(of: summary), hasTripsPage: hasTripsPage, assets: assets)
        bytes = Array(page.render(model).utf8)
    }

    /// Whether a page has this summary as its data.
    package static func embeds(_ summary: [UInt8], in page: [UInt8]) -> Bool {
        let block = "<script type=\"application/json\" id=\"kpi-summary\">" + DataBlock.text(of: summary) + "</script>"
        return String(decoding: page, as: UTF8.self).utf8.firstRange(of: Array(block.utf8)) != nil
    }
}

/// Why there is no page.
package enum DashboardError: Error, Sendable, Hashable, CustomStringConvertible {
    case summaryDoesNotDecode
    case templateDoesNotParse
    case rowsDoNotDecode

    package var description: String {
        switch self {
        case .summaryDoesNotDecode:
            "the dashboard is made from kpi-summary.json of contract version \(KPISummaryV1.version), and this is not such "
                + "a document; make it again with `tripkpi report --format json`"
        case .rowsDoNotDecode:
            "the page of trips is made from rows of `tripkpi trips`, and these are not such rows; make them again"
        case .templateDoesNotParse:
            "the page's own template does not parse; this is a fault of the program, which its tests should have found"
        }
    }
}
