import Files
import KPIContract

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The audit log at one path: who did what, in lines that cannot be changed unnoticed.
///
/// When `append` returns, the entry is on the disk and linked to all entries before it. If it throws, the caller does not
/// go on.
///
/// - The file: JSON lines in canonical form, mode 0600. Each line has the SHA-256 of the line before it, the first a random
///   id of the log. `<log>.head` identifies the last line.
/// - Detected: a line that was changed, removed or moved, and an end that was cut off.
/// - Not detected: a new log by somebody who may write to both files. So the log belongs to a user of its own, or its head
///   is sent elsewhere.
/// - A kill leaves whole lines, and perhaps the beginning of one (a torn line). The next entry names a torn line by its
///   hash (`torn`). Any other line that is not an entry is a finding.
package struct AuditLog: Sendable {
    package let path: String
    private let random: @Sendable () -> UInt64

    /// - Parameter random: for the id of a new log.
    package init(path: String, random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }) {
        self.path = path
        self.random = random
    }

    /// Adds an entry. It checks only the end of the log; `check()` checks all of it.
    package func append(_ entry: AuditEntry) throws(AuditError) {
        let file = try AuditFile(path, forWriting: true)
        var chain = try end(of: file)
        if let last = chain.last, try file.head() == nil {
            // The first entry's writer was stopped before it wrote the head. Without one now, a second stop would leave a log
            // that looks as if its head had been removed.
            if chain.lacksNewline {
                try file.append([UInt8(ascii: "\n")])
                chain = try end(of: file)
            }
            try file.write(AuditHead(last))
        }
        var link = chain.last
        var bytes = chain.torn.isEmpty && !chain.lacksNewline ? [] : [UInt8(ascii: "\n")]
        var start = try file.size() + bytes.count
        var line = (link?.line ?? 0) + (chain.torn.isEmpty ? 1 : 2)
        func add(_ members: [CanonicalJSON.Member], torn: [UInt8] = []) {
            var all: [CanonicalJSON.Member] = [
                .init("sequence", .integer((link?.sequence ?? -1) + 1)),
                .init("previous", .text(link?.sha256 ?? AuditChain.noPrevious)),
            ]
            if !torn.isEmpty { all.append(.init("torn", .text(ContentHash.of(torn)))) }
            let text = CanonicalJSON.object(all + members).line
            link = AuditChain.Entry(
                line: line, sequence: (link?.sequence ?? -1) + 1, sha256: ContentHash.of(Array(text.dropLast())),
                start: start,
                end: start + text.count)
            bytes += text
            start += text.count
            line += 1
        }
        if link == nil {
            let id = Hexadecimal.text(random()) + Hexadecimal.text(random())
            add([.init("log", .text(id)), .init("version", .text("1.0"))], torn: chain.torn)
            add(entry.members)
        } else {
            add(entry.members, torn: chain.torn)
        }
        try file.append(bytes)
        if let link { try file.write(AuditHead(link)) }
    }

    /// - Throws: `AuditError.system` where that cannot be told.
    package static func isThere(_ path: String) throws(AuditError) -> Bool {
        do throws(FileError) { return try FileStatus.lookUp(path) != nil } catch { throw .system(error) }
    }

    /// Fails if no entry could be written: called before any work that needs an entry.
    package func prepare() throws(AuditError) {
        _ = try end(of: AuditFile(path, forWriting: true))
    }

    /// Gives the log and its head other names, which are those of a log too, under the log's lock: a writer who waits for it then begins a new log.
    ///
    /// - Parameter ending: of the new names.
    /// - Returns: the new names of what there was.
    package func putAside(ending: String) throws(AuditError) -> [String] {
        // Held until the end: whoever waits for the lock then finds that the path has another file, or none.
        let file = try Self.isThere(path) ? AuditFile(path, forWriting: true) : nil
        defer { withExtendedLifetime(file) {} }
        do throws(FileError) {
            var names: [String] = []
            for end in ["", ".head"] where try FileStatus.lookUp(path + end, followsLinks: false) != nil {
                let name = path + ending + end
                guard try FileStatus.lookUp(name, followsLinks: false) == nil else {
                    throw FileError(name, "be made", code: EEXIST, remedy: "wait a second and try again")
                }
                try FileMove.rename(path + end, to: name)
                names.append(name)
            }
            return names
        } catch {
            throw .system(error)
        }
    }

    /// The last entry; nil if there is none.
    package func end() throws(AuditError) -> AuditHead? {
        guard try Self.isThere(path) else { return nil }
        return try end(of: AuditFile(path, forWriting: false)).last.map(AuditHead.init)
    }

    /// Whether an entry that was written once is still there.
    package func has(_ entry: AuditHead) throws(AuditError) -> Bool {
        guard try Self.isThere(path) else { return false }
        // Without its line end, which a kill may have left out.
        let line = try AuditFile(path, forWriting: false).read(from: entry.start, to: entry.end - 1)
        return ContentHash.of(line) == entry.sha256
    }

    /// The findings in the whole log; none if there is no log yet.
    ///
    /// - Returns: how many entries it has, the line that opens it not counted, and the findings.
    package func check() throws(AuditError) -> (entries: Int, findings: [AuditFinding]) {
        let file: AuditFile
        do throws(AuditError) {
            file = try AuditFile(path, forWriting: false)
        } catch {
            // A log that was removed leaves its head.
            if case .system(let cause) = error, cause.isMissing {
                return (0, try Self.isThere(path + ".head") ? [.truncated(expected: 1, found: 0)] : [])
            }
            throw error
        }
        let chain = AuditChain(try file.read(from: 0))
        return (max(0, chain.count - 1), chain.findings(head: try file.head()))
    }

    /// The entries from the one that the head knows, which must be as it was.
    private func end(of file: AuditFile) throws(AuditError) -> AuditChain {
        guard let head = try file.head() else {
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
}
