import Foundation
import Hashing

/// The lines of an audit log and how they hang together: each carries the SHA-256 of the line before it.
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
    /// What stands behind the last newline: a writer was killed.
    private(set) var torn: [UInt8] = []
    /// By sequence; of all entries whose place in the chain is right.
    private(set) var entries: [Int: Entry] = [:]
    private(set) var count = 0

    static func hash(_ bytes: some Collection<UInt8>) -> String { ContentHash.of(Array(bytes)) }

    /// - Parameters:
    ///   - bytes: the log, or its end from the entry `known` on.
    ///   - known: the entry that `bytes` begin with, if that is not the first.
    init(_ bytes: [UInt8], from known: Entry? = nil) {
        var start = 0, line = known?.line ?? 1
        var pending: (sha256: String, line: Int)?
        let offset = known?.start ?? 0
        while let newline = bytes[start...].firstIndex(of: 0x0A) {
            let body = Array(bytes[start..<newline])
            let sha256 = ContentHash.of(body)
            if let link = try? JSONDecoder().decode(Link.self, from: Data(body)) {
                let entry = Entry(
                    line: line, sequence: link.sequence, sha256: sha256, start: offset + start,
                    end: offset + newline + 1)
                if let pending, link.torn != pending.sha256 { findings.append(.malformed(line: pending.line)) }
                // What came before the entry that `known` names was looked at when it was written.
                let isFirst = start == 0 && known != nil
                let isTornRight = isFirst || link.torn == nil || link.torn == pending?.sha256
                let isLinked =
                    isFirst
                    || (link.sequence == (last?.sequence ?? -1) + 1 && link.previous == last?.sha256 ?? Self.noPrevious)
                if !isLinked || !isTornRight { findings.append(.unlinked(line: line)) }
                entries[link.sequence] = entry
                last = entry
                count += 1
                pending = nil
            } else {
                if let pending { findings.append(.malformed(line: pending.line)) }
                pending = (sha256, line)
            }
            start = newline + 1
            line += 1
        }
        if let pending { findings.append(.malformed(line: pending.line)) }
        torn = Array(bytes[start...])
        guard let link = try? JSONDecoder().decode(Link.self, from: Data(torn)), pending == nil,
            link.sequence == (last?.sequence ?? -1) + 1, link.previous == last?.sha256 ?? Self.noPrevious
        else { return }
        let entry = Entry(
            line: line, sequence: link.sequence, sha256: ContentHash.of(torn), start: offset + start,
            end: offset + bytes.count + 1)
        entries[link.sequence] = entry
        last = entry
        count += 1
        lacksNewline = true
        torn = []
    }
}
