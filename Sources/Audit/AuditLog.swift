import KPIContract

// The face of Audit. An entry goes in and is on the disk, linked to all before it, when `append` comes back; or it
// throws, and whoever called does not go on.
//
// - The file: JSON lines in canonical form, mode 0600. Each line carries the SHA-256 of the line before it, the first a
//   random id of the log. `<log>.head` knows the last one.
// - What is noticed: a line that was changed, removed or moved, an end that was cut off. What is not: one who may write
//   to both files can write all of the log anew. So the log belongs to a user of its own, or its head is sent elsewhere.
// - A kill leaves whole lines and perhaps the beginning of one, which the next entry names by its hash (`torn`): such a
//   line passes; any other line that is no entry does not.

/// The audit log of one place: who did what, in lines that cannot be changed unnoticed.
package struct AuditLog: Sendable {
    package let path: String
    private let random: @Sendable () -> UInt64

    /// - Parameter random: for the id of a new log.
    package init(path: String, random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }) {
        self.path = path
        self.random = random
    }

    /// Adds an entry. Only the end of the log is looked at: `check()` looks at all of it.
    package func append(_ entry: AuditEntry) throws(AuditError) {
        let file = try AuditFile(path, forWriting: true)
        let chain = try end(of: file)
        var link = chain.last
        var bytes = chain.torn.isEmpty && !chain.lacksNewline ? [] : [UInt8(ascii: "\n")]
        var start = try file.size() + bytes.count
        var line = (link?.line ?? 0) + (chain.torn.isEmpty ? 1 : 2)
        func add(_ members: [CanonicalJSON.Member], torn: [UInt8] = []) {
            var all: [CanonicalJSON.Member] = [
                .init("sequence", .integer((link?.sequence ?? -1) + 1)),
                .init("previous", .text(link?.sha256 ?? AuditChain.noPrevious)),
            ]
            if !torn.isEmpty { all.append(.init("torn", .text(AuditChain.hash(torn)))) }
            let text = CanonicalJSON.object(all + members).line
            link = AuditChain.Entry(
                line: line, sequence: (link?.sequence ?? -1) + 1, sha256: AuditChain.hash(text.dropLast()),
                start: start,
                end: start + text.count)
            bytes += text
            start += text.count
            line += 1
        }
        if link == nil {
            let id = [random(), random()].map { Self.hexadecimal($0) }.joined()
            add([.init("log", .text(id)), .init("version", .text("1.0"))], torn: chain.torn)
            add(entry.members)
        } else {
            add(entry.members, torn: chain.torn)
        }
        try file.append(bytes)
        if let link { try file.write(AuditHead(link)) }
    }

    /// Fails if no entry could be written: asked before what needs one is begun.
    package func prepare() throws(AuditError) {
        _ = try end(of: AuditFile(path, forWriting: true))
    }

    /// What is wrong with the whole log; nothing if there is none yet.
    ///
    /// - Returns: how many entries it has, the line that opens it not counted, and the findings.
    package func check() throws(AuditError) -> (entries: Int, findings: [AuditFinding]) {
        let file: AuditFile
        do throws(AuditError) {
            file = try AuditFile(path, forWriting: false)
        } catch {
            // A log that was removed leaves its head.
            if case .system(_, _, let code) = error, code == 2 {
                return (0, Self.hasHead(path) ? [.truncated(expected: 1, found: 0)] : [])
            }
            throw error
        }
        let chain = AuditChain(try file.read(from: 0))
        var findings = chain.findings
        if let head = file.head() {
            if let known = chain.entries[head.sequence] {
                if known != head.entry { findings.append(.lastChanged(line: head.line)) }
            } else {
                findings.append(.truncated(expected: head.sequence, found: max(0, chain.count - 1)))
            }
        } else if chain.count > 2 {
            findings.append(.headMissing)
        }
        return (max(0, chain.count - 1), findings)
    }

    private static func hasHead(_ path: String) -> Bool { AuditFile.isThere(path + ".head") }

    /// The entries from the one that the head knows, which must be as it was.
    private func end(of file: borrowing AuditFile) throws(AuditError) -> AuditChain {
        guard let head = file.head() else {
            // The first entry's writer may have been killed before it wrote the head.
            let chain = AuditChain(try file.read(from: 0))
            if chain.count > 2 { throw .broken(path: path, finding: .headMissing) }
            if let finding = chain.findings.first { throw .broken(path: path, finding: finding) }
            return chain
        }
        guard try file.size() >= head.end else {
            throw .broken(path: path, finding: .truncated(expected: head.sequence, found: 0))
        }
        let chain = AuditChain(try file.read(from: head.start), from: head.entry)
        guard chain.entries[head.sequence] == head.entry else {
            throw .broken(path: path, finding: .lastChanged(line: head.line))
        }
        if let finding = chain.findings.first { throw .broken(path: path, finding: finding) }
        return chain
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
