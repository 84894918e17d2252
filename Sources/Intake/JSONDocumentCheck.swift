import ExportBytes
import Foundation
import Profiles
import Trips

/// What the text around the records of a JSON document says of them: that it is one page of several, or that another list
/// holds trips too.
struct JSONDocumentCheck {
    private let envelope: JSONEnvelope
    private let profile: Profile?

    /// Nil: there is nothing around the records, or not all was read.
    init?(_ envelope: JSONEnvelope?, profile: Profile?) {
        guard let envelope else { return nil }
        self.envelope = envelope
        self.profile = profile
    }

    // MARK: - Pages

    /// Why the document is not the whole, in words; nil: nothing says so.
    var page: String? {
        if let document = try? JSONSerialization.jsonObject(with: Data(JSONNumbers.withoutNaN(envelope.text))) {
            if let found = Self.sign(in: document, elements: envelope.elements, depth: 0) { return found }
        }
        return envelope.lists.contains(where: Self.linksNext) ? "it links to the next page" : nil
    }

    private static let links: Set<String> = [
        "nextlink", "nexturl", "nexturi", "nexthref", "nextpageurl", "nextpagelink", "nextrecordsurl", "nextpagetoken",
        "nexttoken", "nextcursor", "lastevaluatedkey", "offsettoken", "endcursortoken", "continuationtoken",
        "resumptiontoken", "next", "nextpage",
    ]
    private static let moreFlags: Set<String> = [
        "hasmore", "hasmorepages", "hasmoreitems", "hasmorerecords", "hasmoreresults", "hasnext", "hasnextpage", "more",
        "morerecords", "moreresults", "istruncated", "truncated", "exceededtransferlimit",
    ]
    /// What says that the answer is not whole.
    private static let partFlags: Set<String> = [
        "partial", "partialresults", "timedout", "incompleteresults", "incomplete",
    ]
    private static let endFlags: Set<String> = ["done", "islast", "islastpage", "last", "lastpage"]
    private static let totals: Set<String> = [
        "odatacount", "totalsize", "totalcount", "totalrecords", "totalrecordcount", "totalresults", "totalelements",
        "totalitems", "totalrows", "totalhits", "numbermatched", "recordcount", "recordstotal",
    ]
    private static let plainTotals: Set<String> = ["total", "count"]
    private static let pageWords: Set<String> = [
        "page", "pagenumber", "currentpage", "perpage", "pagesize", "limit", "offset", "skip", "start", "startat",
        "startindex", "maxresults", "pages", "totalpages", "pagecount",
    ]

    private static func sign(in value: Any, elements: Int, depth: Int) -> String? {
        guard let object = value as? [String: Any], depth < 6 else { return nil }
        var members: [String: Any] = [:], names: [String: String] = [:]
        for (key, value) in object {
            let word = HeaderName(key).words.joined()
            (members[word], names[word]) = (value, key)
        }
        let hasPages = !pageWords.isDisjoint(with: members.keys)
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            // It is one of the words below, and may be shown.
            let name = names[key] ?? key
            let flag = (value as? NSNumber).flatMap { isBool($0) ? $0.boolValue : nil }
            let number = flag == nil ? (value as? NSNumber)?.intValue : nil
            if links.contains(key) || key == "odatanextlink" {
                if let text = value as? String, !text.trimmingBlanks().isEmpty {
                    return "it names the next page (\(name))"
                }
                if let inner = value as? [String: Any], !inner.isEmpty { return "it names the next page (\(name))" }
                if number ?? 0 > 0 || flag == true { return "it names the next page (\(name))" }
            }
            if partFlags.contains(key), flag == true { return "it says that it is not whole (\(name))" }
            // So Airtable names the next page: another offset is a number.
            if key == "offset", let text = value as? String, text.contains(where: \.isLetter) {
                return "it names the next page (\(name))"
            }
            if moreFlags.contains(key), flag == true { return "it says that there are more (\(name))" }
            if endFlags.contains(key), flag == false { return "it says that it is not the last page (\(name))" }
            let isTotal = totals.contains(key) || plainTotals.contains(key) && (hasPages || members["hits"] != nil)
            // A number, a text of digits, or as Elasticsearch has it, below “value”.
            let stated =
                number ?? (value as? String).flatMap { Int($0) }
                ?? ((value as? [String: Any])?["value"] as? NSNumber)?.intValue
            if isTotal, let number = stated, number > elements {
                return "it has \(elements) records of \(number) (\(name))"
            }
            if let found = sign(in: value, elements: elements, depth: depth + 1) { return found }
        }
        func number(_ keys: [String]) -> Int? { keys.lazy.compactMap { (members[$0] as? NSNumber)?.intValue }.first }
        if let page = number(["page", "pagenumber", "currentpage"]),
            let all = number(["totalpages", "pages", "pagecount"]),
            all > 1, page < all
        {
            return "it is page \(page) of \(all)"
        }
        return nil
    }

    /// Numbers and truths are of one class.
    private static func isBool(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    /// A list of links, such as that in a FHIR bundle.
    private static func linksNext(_ list: [UInt8]) -> Bool {
        let value = try? JSONSerialization.jsonObject(with: Data(list))
        return (value as? [[String: Any]])?.contains { link in
            ["rel", "relation"].contains { (link[$0] as? String)?.lowercased() == "next" }
        } ?? false
    }

    // MARK: - Lists

    /// Whether another list of the document may hold trips as well.
    ///
    /// - Parameter keys: of the records that are read.
    func hasOtherTrips(than keys: Set<String>) -> Bool {
        envelope.lists.contains { list in
            guard case .array(let first, _)? = JSONOutline.of(list)?.outline, let record = first.first else {
                return false
            }
            return JSONArrangement.mayBeTrips(record.keys(), beside: Array(keys), profile: profile)
        }
    }

    // MARK: - Errors

    /// - Throws: if records are left out.
    func check(keys: Set<String>, file: String) throws(ExportError) {
        if let page, profile?.isPage != true {
            throw ExportError(
                kind: .malformed, file: file, problem: "it is one page of several: \(page)",
                remedy:
                    "have all pages exported; if each page is an export of its own, write “pages: true” into the profile"
            )
        }
        if profile?.recordsPath.isEmpty ?? true, hasOtherTrips(than: keys) { throw JSONArrangement.severalLists(file) }
    }

    /// What must be said of a page that is accepted.
    var remark: String? { page.map { "it is one page of several: \($0)" } }
}
