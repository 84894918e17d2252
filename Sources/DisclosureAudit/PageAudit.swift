import Basics
import Foundation

/// Checks `dashboard.html`: it holds the audited document and is what the renderer makes of that document alone.
struct PageAudit {
    let render: (@Sendable (_ summary: [UInt8]) -> [UInt8]?)?

    func findings(in page: [UInt8], of summary: [UInt8]) -> [String] {
        let embedding =
            Self.embeds(summary, in: page) ? [] : ["the document in it is not \(PublishedFileNames.summary)"]
        guard let rendered = render?(summary) else { return embedding + ["there is no renderer to compare it with"] }
        return embedding
            + (rendered == page ? [] : ["it is not the page that is made of \(PublishedFileNames.summary)"])
    }

    /// Whether the page holds the document, and no other.
    private static func embeds(_ summary: [UInt8], in page: [UInt8]) -> Bool {
        let page = Data(page), opening = Data("<script type=\"application/json\" id=\"kpi-summary\">".utf8)
        let block = opening + escaped(summary) + Data("</script>".utf8)
        guard let found = page.range(of: block) else { return false }
        return page.range(of: opening)?.lowerBound == found.lowerBound
            && page.range(of: opening, in: found.upperBound..<page.endIndex) == nil
    }

    /// In JSON these characters occur in texts only, where they may be escaped; in a page they would be markup.
    private static func escaped(_ json: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count)
        for byte in json {
            switch byte {
            case UInt8(ascii: "<"): bytes.append(contentsOf: "\\u003c".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "\\u003e".utf8)
            case UInt8(ascii: "&"): bytes.append(contentsOf: "\\u0026".utf8)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
