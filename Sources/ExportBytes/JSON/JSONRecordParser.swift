/// Checks one element of JSON strictly (RFC 8259) and notes where the values of the needed fields lie.
///
/// In: an element in a byte buffer with 64 readable bytes beyond it. Out: a span per path, or the first fault. Nothing
/// is copied and nothing of the text is kept but the keys of earlier records. One worker owns it.
package struct JSONRecordParser: Sendable {
    private let tree: JSONKeyTree
    private var ownIndex: JSONBlockIndex
    private var script = JSONKeyScript()
    /// Per slot of the tree the record in which the key was last seen.
    private var stamps: [UInt32]
    private var generation: UInt32 = 0
    /// The entry of the index to look from for the next element.
    private(set) var nextEntry = 0
    /// Keys that no path leads through.
    private var unneeded = JSONUnneededKeys()
    /// Commas with nothing after them, in sound records.
    private(set) var trailingCommas = 0

    /// The keys that no path leads through, as they were first met, nested ones dotted: the first
    /// `JSONUnneededKeys.most` of them. Not all those below a key that is passed over whole.
    package var unneededKeys: [String] { unneeded.names }
    package var unneededKeyCount: Int { unneeded.names.count }

    /// `paths`: the keys that lead to each needed value.
    package init(paths: [[String]], level: ScanLevel = .best) {
        tree = JSONKeyTree(paths: paths)
        ownIndex = JSONBlockIndex(level: level)
        stamps = Array(repeating: 0, count: max(tree.slotCount, 1))
    }

    /// Parses the element that is all of `bytes[from..<to]` but for white space around it.
    ///
    /// Writes `spans[k * stride]` for every path k: a packed `FieldSpan`, or 0 when absent, null, an object or an array.
    /// After a fault all of them are 0.
    package mutating func parse(
        _ bytes: UnsafePointer<UInt8>, from: Int, to: Int, spans: UnsafeMutablePointer<UInt64>, stride: Int
    ) -> JSONFault? {
        ownIndex.build(bytes, from: from, to: to)
        return parse(bytes, from: from, to: to, entry: 0, index: ownIndex, spans: spans, stride: stride)
    }

    /// The same for an element of a block that has an index; `entry` is the first entry at or after `from`.
    package mutating func parse(
        _ bytes: UnsafePointer<UInt8>, from: Int, to: Int, entry: Int, index: JSONBlockIndex,
        spans: UnsafeMutablePointer<UInt64>, stride: Int
    ) -> JSONFault? {
        var reached = entry, commas = 0, noted = 0
        let fault: JSONFault?? = withWalk(bytes, index: index, stride: stride) { walk in
            let fault = walk.record(from: from, to: to, entry: entry, spans: spans)
            noted = walk.state.unneededCount
            // Where there is a fault, a predicted step may have led too far.
            if fault == nil {
                reached = walk.cursor.entry
                commas = walk.cursor.trailingCommas
            }
            return fault
        }
        nextEntry = reached
        trailingCommas += commas
        if noted > 0 { unneeded.add(noted, in: bytes, end: to, tree: tree) }
        // An index that was never built: there is nothing to parse.
        return fault ?? JSONFault(from, .unexpectedEnd)
    }

    /// Lends everything that a walk needs, by pointers that hold for the time of `body`.
    private mutating func withWalk<Result>(
        _ bytes: UnsafePointer<UInt8>, index: JSONBlockIndex, stride: Int, _ body: (inout JSONRecordWalk) -> Result
    ) -> Result? {
        // A block has fewer than 2^29 records; the stamps of old ones must not come round again within it.
        if generation > .max - 1 << 30 {
            for slot in stamps.indices { stamps[slot] = 0 }
            generation = 0
        }
        var state = JSONRecordWalk.State(
            pathCount: tree.pathCount, stride: stride, generation: generation, stepCount: script.count,
            restarts: script.restarts)
        let result: Result?? = index.withEntries { entries in
            tree.nodes.withUnsafeBufferPointer { nodes in
                tree.aliases.withUnsafeBufferPointer { aliases in
                    script.steps.withUnsafeMutableBufferPointer { steps in
                        unneeded.places.withUnsafeMutableBufferPointer { places in
                            stamps.withUnsafeMutableBufferPointer { stamps -> Result? in
                                guard let nodes = nodes.baseAddress, let steps = steps.baseAddress,
                                    let stamps = stamps.baseAddress, let places = places.baseAddress
                                else { return nil }
                                var walk = JSONRecordWalk(
                                    cursor: JSONCursor(
                                        bytes: bytes, end: 0, entries: entries, position: 0, entry: 0),
                                    nodes: nodes, aliases: aliases, steps: steps, stamps: stamps, unneeded: places,
                                    state: state)
                                let result = body(&walk)
                                state = walk.state
                                return result
                            }
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
