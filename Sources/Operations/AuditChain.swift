import Files
import Foundation

/// The lines of an audit log and their links: each line has the SHA-256 of the line before it.
struct AuditChain {
    /// What links an entry to the one before it.
    struct Link: Decodable {
        var sequence: Int
        /// 64 hexadecimal digits; zeros in the first line.
        var previous: String
        /// SHA-256 of what a killed writer left between the line before and this one.
        var torn: String?
    }

    /// A line that is whole.
    struct Entry: Hashable {
        /// From 1, torn ones counted too.
        var line: Int
        var sequence: Int
        var sha256: String
        /// In bytes; the end includes the newline.
        var start: Int
        var end: Int
    }

    static let noPrevious = String(repeating: "0", count: 64)

    private(set) var last: Entry?
    private(set) var findings: [AuditFinding] = []
    /// Whether the last entry is whole but for its newline.
    private(set) var lacksNewline = false
    /// The bytes after the last newline: a writer was killed.
    private(set) var torn: [UInt8] = []
    /// By sequence; of all entries whose place in the chain is right.
    private(set) var entries: [Int: Entry] = [:]
    private(set) var count = 0

    /// - Parameters:
    ///   - bytes: the log, or its end from the entry `known` on.
    ///   - known: the entry that `bytes` begin with, if that is not the first.
    init(_ bytes: [UInt8], from known: Entry? = nil) {
        var start = 0, line = known?.line ?? 1
        // A line that is no entry, and that the next entry may name.
        var pending: (sha256: String, line: Int)?
        let offset = known?.start ?? 0
        func link(_ body: [UInt8]) -> Link? { try? JSONDecoder().decode(Link.self, from: Data(body)) }
        func follows(_ link: Link) -> Bool {
            link.sequence == (last?.sequence ?? -1) + 1 && link.previous == last?.sha256 ?? Self.noPrevious
        }
        while let newline = bytes[start...].firstIndex(of: 0x0A) {
            let body = Array(bytes[start..<newline])
            if let link = link(body) {
                if let pending, link.torn != pending.sha256 { findings.append(.malformed(line: pending.line)) }
                // The lines before the entry that `known` names were checked when it was written.
                let isFirst = start == 0 && known != nil
                let isTornRight = link.torn == nil || link.torn == pending?.sha256
                if !isFirst, !follows(link) || !isTornRight { findings.append(.unlinked(line: line)) }
                add(link, body, line: line, start: offset + start)
                pending = nil
            } else {
                if let pending { findings.append(.malformed(line: pending.line)) }
                pending = (ContentHash.of(body), line)
            }
            start = newline + 1
            line += 1
        }
        if let pending { findings.append(.malformed(line: pending.line)) }
        torn = Array(bytes[start...])
        guard pending == nil, let link = link(torn), follows(link) else { return }
        add(link, torn, line: line, start: offset + start)
        lacksNewline = true
        torn = []
    }

    private mutating func add(_ link: Link, _ body: [UInt8], line: Int, start: Int) {
        let entry = Entry(
            line: line, sequence: link.sequence, sha256: ContentHash.of(body), start: start,
            end: start + body.count + 1)
        entries[link.sequence] = entry
        last = entry
        count += 1
    }
}
