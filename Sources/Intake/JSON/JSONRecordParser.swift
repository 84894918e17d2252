/// Checks one element of JSON strictly (RFC 8259) and notes where the values of the needed fields lie.
///
/// In: an element in a byte buffer with 64 readable bytes beyond it. Out: a span per path, or the first fault. Nothing
/// is copied and nothing of the text is kept but the keys of earlier records. One worker owns it.
package struct JSONRecordParser: Sendable {
    private let tree: JSONKeyTree
    private let maximumDepth: Int
    private var ownIndex: JSONBlockIndex
    private var script = JSONKeyScript()
    /// Per slot of the tree the record in which the key was last seen.
    private var stamps: [UInt32]
    private var generation: UInt32 = 0

    /// `paths`: the keys that lead to each needed value. `maximumDepth`: objects and arrays within one another,
    /// the element included, at most 512.
    package init(paths: [[String]], maximumDepth: Int = 128, level: JSONScanLevel = .best) {
        tree = JSONKeyTree(paths: paths)
        self.maximumDepth = min(maximumDepth, 512)
        ownIndex = JSONBlockIndex(level: level)
        stamps = Array(repeating: 0, count: max(tree.slotCount, 1))
    }

    /// Parses the element that is all of `bytes[from..<to]` but for white space around it.
    ///
    /// Writes `spans[k * stride]` for every path k: 0 when absent, null, an object or an array; else `JSONSpan` bits.
    /// After a fault all of them are 0.
    package mutating func parse(
        _ bytes: UnsafePointer<UInt8>, from: Int, to: Int, spans: UnsafeMutablePointer<UInt64>, stride: Int
    ) -> JSONFault? {
        ownIndex.build(bytes, from: from, to: to, lines: false)
        return parse(bytes, from: from, to: to, entry: 0, index: ownIndex, spans: spans, stride: stride)
    }

    /// The same for an element of a block that has an index; `entry` is the first entry at or after `from`.
    package mutating func parse(
        _ bytes: UnsafePointer<UInt8>, from: Int, to: Int, entry: Int, index: JSONBlockIndex,
        spans: UnsafeMutablePointer<UInt64>, stride: Int
    ) -> JSONFault? {
        let fault: JSONFault?? = withWalk(bytes, index: index, stride: stride) { walk in
            walk.record(from: from, to: to, entry: entry, spans: spans)
        }
        // An index that was never built: there is nothing to parse.
        return fault ?? JSONFault(from, .unexpectedEnd)
    }

    /// The same for many lines of a block at once, the cheapest way: `lines` are numbers of lines of the index, built
    /// with `lines: true` over a block that ends at `blockEnd`.
    ///
    /// Lines of white space are passed over. Each other line is told to `each`, with its fault if it has one. Those
    /// without fault fill row after row, `spans[k * stride + row]`, at most `stride` of them. Returns the number of
    /// rows and that of the line after the last one read.
    package mutating func parseLines(
        _ bytes: UnsafePointer<UInt8>, blockEnd: Int, lines: Range<Int>, index: JSONBlockIndex,
        spans: UnsafeMutablePointer<UInt64>, stride: Int, each: (JSONBlockIndex.Line, JSONFault?) -> Void
    ) -> (rows: Int, nextLine: Int) {
        var (rows, number) = (0, lines.lowerBound)
        withWalk(bytes, index: index, stride: stride) { walk in
            while number < lines.upperBound, rows < stride {
                let line = index.line(number, blockEnd: blockEnd)
                number += 1
                if walk.isBlank(from: line.from, to: line.to) { continue }
                let fault = walk.record(from: line.from, to: line.to, entry: line.entry, spans: spans + rows)
                each(line, fault)
                if fault == nil { rows += 1 }
            }
        }
        return (rows, number)
    }

    /// Lends everything that a walk needs, by pointers that hold for the time of `body`.
    @discardableResult
    private mutating func withWalk<Result>(
        _ bytes: UnsafePointer<UInt8>, index: JSONBlockIndex, stride: Int, _ body: (inout JSONRecordWalk) -> Result
    ) -> Result? {
        // A block has fewer than 2^29 records; the stamps of old ones must not come round again within it.
        if generation > .max - 1 << 30 {
            for slot in stamps.indices { stamps[slot] = 0 }
            generation = 0
        }
        let depth = maximumDepth
        var state = JSONRecordWalk.State(
            pathCount: tree.pathCount, stride: stride, generation: generation, stepCount: script.count,
            restarts: script.restarts)
        let result: Result?? = index.withEntries { entries in
            tree.nodes.withUnsafeBufferPointer { nodes in
                tree.aliases.withUnsafeBufferPointer { aliases in
                    script.steps.withUnsafeMutableBufferPointer { steps in
                        stamps.withUnsafeMutableBufferPointer { stamps -> Result? in
                            guard let nodes = nodes.baseAddress, let steps = steps.baseAddress,
                                let stamps = stamps.baseAddress
                            else { return nil }
                            var walk = JSONRecordWalk(
                                cursor: JSONCursor(
                                    bytes: bytes, end: 0, entries: entries, position: 0, entry: 0, maximumDepth: depth),
                                nodes: nodes, aliases: aliases, steps: steps, stamps: stamps, state: state)
                            let result = body(&walk)
                            state = walk.state
                            return result
                        }
                    }
                }
            }
        }
        generation = state.generation
        (script.count, script.restarts) = (state.stepCount, state.restarts)
        return result ?? nil
    }
}
