/// Checks `dashboard.html`: it holds the audited document and is what the renderer makes of that document alone.
struct PageAudit {
    let files: AuditedFiles

    func check(_ page: [UInt8], of summary: [UInt8], _ findings: inout FindingList) {
        findings.require(
            Self.embedded(in: page).map { $0 == Self.escaped(summary)[...] } ?? false,
            "\(AuditedFiles.pageName): the document in it is not \(AuditedFiles.summaryName)")
        guard let rendered = files.renderPage?(summary) else {
            findings.add("\(AuditedFiles.pageName): there is no renderer to compare it with")
            return
        }
        findings.require(
            rendered == page,
            "\(AuditedFiles.pageName): it is not the page that is made of \(AuditedFiles.summaryName)")
    }

    private static let opening = Array("<script type=\"application/json\" id=\"kpi-summary\">".utf8)
    private static let closing = Array("</script>".utf8)

    /// The document in the page; nil if there is none, or more than one.
    private static func embedded(in page: [UInt8]) -> ArraySlice<UInt8>? {
        guard let opened = place(of: opening, in: page[...]) else { return nil }
        let start = opened + opening.count
        guard let end = place(of: closing, in: page[start...]), place(of: opening, in: page[start...]) == nil else {
            return nil
        }
        return page[start..<end]
    }

    /// `firstRange(of:)` takes half a second for a page of a few megabytes.
    private static func place(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
        for place in bytes.startIndex...bytes.endIndex - pattern.count where bytes[place] == first {
            if bytes[place..<place + pattern.count].elementsEqual(pattern) { return place }
        }
        return nil
    }

    /// In JSON these characters stand in texts only, where they may be escaped; in a page they would be markup.
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
