package import Basics
import Files

/// Scans outputs for identifiers before they are published: the interface of `OutputScan`.
///
/// It takes whole files as they would be published, and the identifiers that the run has read (`IdentifierSet`). It finds
/// these identifiers, and texts that have the shape of one. A finding names file, place and kind, never the value. One
/// finding stops a publication:
///
///     let scan = OutputScan(.init(ownDays: [today], identifiers: collector.identifiers))
///     let findings = scan.findings(in: bytes, named: "kpi-cells.csv")
///
/// It reads JSON, NDJSON, CSV, HTML and XML, the members of zip archives (workbooks) and gzip, in UTF-8 and UTF-16. A file
/// of another format, or a damaged one, is scanned as plain text.
package struct OutputScan {
    /// The identifiers that outputs are scanned for, and the exceptions that outputs may hold.
    package struct Criteria: Sendable {
        /// Full dates that the outputs may name: the newest day, the day they were made, missing days. Any other date
        /// may be a date of birth or of a trip.
        package var ownDays: Set<CivilDay>
        /// Whether the outputs may name any date: rows under a profile that shows days.
        package var showsDates = false
        /// Names of regions, trip types, rules: public, though a column of an export may hold the same.
        package var publicTexts: [String]
        /// Nil if nothing was read in this run: shapes alone are searched for.
        package var identifiers: IdentifierSet?

        package init(ownDays: Set<CivilDay>, publicTexts: [String] = [], identifiers: IdentifierSet? = nil) {
            self.ownDays = ownDays
            self.publicTexts = publicTexts
            self.identifiers = identifiers
        }
    }

    static let maximumFindings = 20

    typealias Report = (_ kind: OutputFinding.Kind, _ place: String) -> Void

    private let inspector: PieceInspector

    package init(_ criteria: Criteria) {
        inspector = PieceInspector(
            ownDays: criteria.ownDays, showsDates: criteria.showsDates, identifiers: criteria.identifiers,
            publicTexts: criteria.publicTexts)
    }

    /// The findings in a file, in the order of its bytes; at most twenty.
    ///
    /// - Parameters:
    ///   - name: the file's name in findings; its ending identifies CSV.
    ///   - isCSV: whether the file is CSV, whatever its name.
    package func findings(in bytes: [UInt8], named name: String, isCSV: Bool = false) -> [OutputFinding] {
        var findings: [OutputFinding] = []
        look(at: bytes, named: isCSV ? name + ".csv" : name, depth: 0) { kind, place in
            let finding = OutputFinding(file: name, place: place, kind: kind)
            if findings.count < Self.maximumFindings, !findings.contains(finding) { findings.append(finding) }
        }
        return findings
    }

    private func look(at bytes: [UInt8], named name: String, depth: Int, report: Report) {
        // Packed bytes are scanned as they are only where they cannot be inflated: they hold every shape by chance.
        if bytes.starts(with: [0x1F, 0x8B]), depth < 4, let inflated = Inflation.whole(bytes[...], .gzip) {
            let inner = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
            return look(at: inflated, named: inner, depth: depth + 1, report: report)
        }
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]), depth < 4, let members = ZipMembers.all(of: bytes) {
            return look(at: members, depth: depth, report: report)
        }
        let text = TextForm.utf8(bytes)
        look(atText: text, TextPieces.Format(of: text[...], named: name), report: report)
    }

    private func look(at members: [ZipMembers.Member], depth: Int, report: Report) {
        let isWorkbook = members.contains { $0.name == "xl/workbook.xml" }
        for member in members {
            let name = Array(member.name.utf8)
            if let kind = inspector.kind(in: name, name.indices, isNumber: false) { report(kind, "name of a part") }
            let reportPart: Report = { report($0, "part \(member.name), \($1)") }
            if isWorkbook, member.name.hasSuffix(".xml") || member.name.hasSuffix(".rels") {
                look(atText: TextForm.utf8(member.bytes), .workbook, report: reportPart)
            } else {
                look(at: member.bytes, named: member.name, depth: depth + 1, report: reportPart)
            }
        }
    }

    /// - Parameter firstLine: the number of the first line, where these bytes are a part of a file.
    func look(atText bytes: [UInt8], _ format: TextPieces.Format, firstLine: Int = 1, report: Report) {
        TextPieces.forEach(in: bytes, format) { piece, range, isNumber, offset in
            guard let kind = inspector.kind(in: piece, range, isNumber: isNumber) else { return }
            let line = firstLine + bytes[..<offset].count { $0 == 0x0A }
            let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            report(kind, "line \(line), byte \(offset - start + 1)")
        }
    }
}

// Files that are too large to be held: rows, one a line, packed or not.
extension OutputScan {
    /// Far longer than any row that tripkpi writes.
    private static let longestLine = 1 << 24
    private static let chunkBytes = 1 << 20

    /// The findings in a file of rows (NDJSON or CSV), which is read once, a chunk at a time; at most twenty. Bytes that
    /// cannot be scanned are a finding too.
    ///
    /// - Parameters:
    ///   - next: the next bytes of the file; none at its end.
    package func findings(
        inRows name: String, isCSV: Bool = false, next: () throws -> [UInt8]
    ) rethrows -> [OutputFinding] {
        var findings: [OutputFinding] = []
        func report(_ kind: OutputFinding.Kind, _ place: String) {
            let finding = OutputFinding(file: name, place: place, kind: kind)
            if findings.count < Self.maximumFindings, !findings.contains(finding) { findings.append(finding) }
        }
        var piece = try next()
        let isPacked = piece.starts(with: [0x1F, 0x8B])
        var inner = isPacked && name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        if isCSV { inner += ".csv" }
        let gzip = Inflation(.gzip)
        var text: [UInt8] = []
        var line = 1
        func scanLines(upTo end: Int) {
            guard end > 0 else { return }
            let lines = Array(text[..<end])
            look(atText: lines, TextPieces.Format(of: lines[...], named: inner), firstLine: line, report: report)
            line += text[..<end].count { $0 == 0x0A }
            text.removeFirst(end)
        }
        while !piece.isEmpty {
            guard let inflated = isPacked ? gzip.inflate(piece) : piece else {
                report(.unreadable, "line \(line)")
                return findings
            }
            text += inflated
            if text.count >= Self.chunkBytes { scanLines(upTo: text.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) }
            if text.count > Self.longestLine {
                report(.unreadable, "line \(line)")
                return findings
            }
            piece = try next()
        }
        scanLines(upTo: text.count)
        if isPacked, !gzip.isWhole { report(.unreadable, "line \(line)") }
        return findings
    }
}
