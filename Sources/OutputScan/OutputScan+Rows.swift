// Files that are too large to be held: rows, one a line, packed or not.
extension OutputScan {
    /// No row that we write comes near it.
    private static let longestLine = 1 << 24
    private static let chunkBytes = 1 << 20

    /// What is wrong with a file of rows (NDJSON or CSV), which is read once and held a chunk at a time; at most twenty
    /// places. What cannot be looked through is a finding too.
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
        func look(_ end: Int) {
            guard end > 0 else { return }
            lookAtText(Array(text[..<end]), named: inner, firstLine: line, report: report)
            line += text[..<end].count { $0 == 0x0A }
            text.removeFirst(end)
        }
        while !piece.isEmpty {
            guard let inflated = isPacked ? gzip.inflate(piece) : piece else {
                report(.unreadable, "line \(line)")
                return findings
            }
            text += inflated
            if text.count >= Self.chunkBytes { look(text.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) }
            if text.count > Self.longestLine {
                report(.unreadable, "line \(line)")
                return findings
            }
            piece = try next()
        }
        look(text.count)
        if isPacked, !gzip.isWhole { report(.unreadable, "line \(line)") }
        return findings
    }
}
