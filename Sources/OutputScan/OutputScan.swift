package import Trips

// The face of OutputScan. The bytes of outputs go in before anybody can read them; places that hold an identifier, or
// look like it, come out. One finding stops a publish (SPEC §5).
//
// - In: whole files as they would be given out, and what the run read of identifiers (`IdentifierSet`).
// - Out: `OutputFinding`s: file, place, kind. Never the value.
// - Containers: JSON, NDJSON, CSV, HTML and XML, the members of zip archives (workbooks), gzip; UTF-8 and UTF-16. What
//   is none of these, or is damaged, is looked at as plain text by byte offset.

/// Looks for identifiers in outputs before they are given out.
package struct OutputScan {
    /// What a set of outputs may say.
    package struct Terms: Sendable {
        /// Full dates that the outputs are allowed to name: the newest day, the day they were made, days that miss.
        /// Whichever other date stands in them may be one of birth or of a trip.
        package var ownDays: Set<CivilDay>
        /// Rows under a profile that shows days: of dates nothing can be said.
        package var showsDates = false
        /// Names of regions, trip types, rules: public, though a column of an export may hold the same.
        package var publicTexts: [String]
        /// Nil: nothing was read in this run; shapes alone are looked for.
        package var identifiers: IdentifierSet?

        package init(ownDays: Set<CivilDay>, publicTexts: [String] = [], identifiers: IdentifierSet? = nil) {
            self.ownDays = ownDays
            self.publicTexts = publicTexts
            self.identifiers = identifiers
        }
    }

    static let maximumFindings = 20

    private let inspector: PieceInspector

    package init(_ terms: Terms) {
        inspector = PieceInspector(
            ownDays: terms.ownDays, showsDates: terms.showsDates, identifiers: terms.identifiers,
            publicTexts: terms.publicTexts)
    }

    /// What is wrong with a file, in the order of its bytes; at most twenty places.
    ///
    /// - Parameters:
    ///   - name: as findings call it; it tells CSV from other text.
    ///   - isCSV: where the name does not tell.
    package func findings(in bytes: [UInt8], named name: String, isCSV: Bool = false) -> [OutputFinding] {
        var findings: [OutputFinding] = []
        look(at: bytes, named: isCSV ? name + ".csv" : name, depth: 0) { kind, place in
            let finding = OutputFinding(file: name, place: place, kind: kind)
            if findings.count < Self.maximumFindings, !findings.contains(finding) { findings.append(finding) }
        }
        return findings
    }

    private typealias Report = (OutputFinding.Kind, String) -> Void

    private func look(at bytes: [UInt8], named name: String, depth: Int, report: Report) {
        // Packed bytes are looked at as they are only where they cannot be unpacked: they hold every shape by chance.
        if bytes.starts(with: [0x1F, 0x8B]), depth < 4, let inflated = Inflation.whole(bytes[...], .gzip) {
            let inner = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
            return look(at: inflated, named: inner, depth: depth + 1, report: report)
        }
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]), depth < 4, let members = ZipMembers.all(of: bytes) {
            return look(at: members, depth: depth, report: report)
        }
        lookAtText(TextForm.utf8(bytes), named: name, report: report)
    }

    private func look(at members: [ZipMembers.Member], depth: Int, report: Report) {
        for member in members {
            let own = Array(member.name.utf8)
            if let kind = inspector.kind(in: own, own.indices, isFigure: false) { report(kind, "name of a part") }
        }
        if members.contains(where: { $0.name == "xl/workbook.xml" }) {
            let parts = members.filter { $0.name.hasSuffix(".xml") || $0.name.hasSuffix(".rels") }
            WorkbookPieces(parts).walk { bytes, range, isFigure, place in
                if let kind = inspector.kind(in: bytes, range, isFigure: isFigure) { report(kind, place()) }
            }
            for member in members where !parts.contains(where: { $0.name == member.name }) {
                look(at: member.bytes, named: member.name, depth: depth + 1) {
                    report($0, "part \(member.name), \($1)")
                }
            }
            return
        }
        for member in members {
            look(at: member.bytes, named: member.name, depth: depth + 1) { report($0, "part \(member.name), \($1)") }
        }
    }

    /// - Parameter firstLine: of the file, where these bytes are a part of it.
    func lookAtText(
        _ bytes: [UInt8], named name: String, firstLine: Int = 1, report: (OutputFinding.Kind, String) -> Void
    ) {
        func visit(_ bytes: [UInt8], _ range: Range<Int>, _ isFigure: Bool, _ place: () -> String) {
            if let kind = inspector.kind(in: bytes, range, isFigure: isFigure) { report(kind, place()) }
        }
        switch bytes.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var found: [(OutputFinding.Kind, String)] = []
            let isWhole = JSONPieces.walk(bytes, firstLine: firstLine) { bytes, range, isFigure, place in
                if let kind = inspector.kind(in: bytes, range, isFigure: isFigure) { found.append((kind, place())) }
            }
            for (kind, place) in found { report(kind, place) }
            if !isWhole { lookAtPlain(bytes, report: report) }
        case UInt8(ascii: "<"):
            MarkupPieces.walk(bytes) { bytes, range, context in
                if context.isRaw {
                    lookAtRawText(Array(bytes[range]), offset: context.offset, report: report)
                } else {
                    visit(bytes, range, context.isDrawing) { "byte \(context.offset)" }
                }
            }
        default:
            if name.hasSuffix(".csv") || name.hasSuffix(".tsv") {
                CSVPieces.walk(
                    bytes, delimiter: UInt8(ascii: name.hasSuffix(".tsv") ? "\t" : ","), firstRow: firstLine,
                    visit: visit)
            } else {
                lookAtPlain(bytes, report: report)
            }
        }
    }

    /// What stands in a script or style of a page: data as the JSON that it is, all else as plain text.
    private func lookAtRawText(_ bytes: [UInt8], offset: Int, report: Report) {
        let first = bytes.first { $0 > 0x20 }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            lookAtText(bytes, named: "data") { report($0, "data at byte \(offset), \($1)") }
        } else {
            lookAtPlain(bytes, offset: offset, report: report)
        }
    }

    /// Runs of printable bytes, by their offset.
    private func lookAtPlain(_ bytes: [UInt8], offset: Int = 0, report: Report) {
        var start = 0
        for at in 0...bytes.count where at == bytes.count || bytes[at] < 0x20 || bytes[at] == 0x7F {
            if at - start >= 5, let kind = inspector.kind(in: bytes, start..<at, isFigure: false) {
                report(kind, "byte \(offset + start)")
            }
            start = at + 1
        }
    }
}
