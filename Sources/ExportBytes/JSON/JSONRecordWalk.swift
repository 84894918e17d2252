/// One record's walk through its members: the hot loop of reading JSON.
///
/// Invariants of the pointers: `steps` has `JSONKeyScript.capacity + reach + 1` elements, of which those from
/// `state.stepCount` on match nothing, and `ordinal` is at most `state.stepCount`; `stamps` has an element per slot of
/// the tree whose nodes `nodes` are; `spans[k * stride]` is writable for every path k; `unneeded` has room for
/// `JSONUnneededKeys.mostOfRecord`. None outlives the call of
/// `JSONRecordParser` that lent it.
struct JSONRecordWalk {
    /// What goes from walk to walk.
    struct State {
        let pathCount: Int
        let stride: Int
        var generation: UInt32
        var stepCount: Int
        var restarts: Int
        /// Of `unneeded`, those of the record.
        var unneededCount = 0
    }

    var cursor: JSONCursor
    let nodes: UnsafePointer<JSONKeyTree.Node>
    let aliases: UnsafeBufferPointer<JSONKeyTree.Alias>
    let steps: UnsafeMutablePointer<JSONKeyStep>
    let stamps: UnsafeMutablePointer<UInt32>
    let unneeded: UnsafeMutablePointer<JSONUnneededKeys.KeyPlace>
    private(set) var state: State
    private var ordinal = 0
    /// The node of the innermost open object, or -1 when the record is complete.
    private var node: Int32 = 0
    /// `JSONKeyStep.context` of the next member.
    private var context: Int32 = 1
    private var depth = 1
    private var found = 0

    init(
        cursor: JSONCursor, nodes: UnsafePointer<JSONKeyTree.Node>,
        aliases: UnsafeBufferPointer<JSONKeyTree.Alias>, steps: UnsafeMutablePointer<JSONKeyStep>,
        stamps: UnsafeMutablePointer<UInt32>, unneeded: UnsafeMutablePointer<JSONUnneededKeys.KeyPlace>, state: State
    ) {
        self.cursor = cursor
        self.nodes = nodes
        self.aliases = aliases
        self.steps = steps
        self.stamps = stamps
        self.unneeded = unneeded
        self.state = state
    }

    /// Walks through the record that is all of `from..<to`; `entry` is the first entry of the index at or after `from`.
    mutating func record(
        from: Int, to: Int, entry: Int, spans: UnsafeMutablePointer<UInt64>
    ) -> JSONFault? {
        (cursor.position, cursor.end, cursor.entry) = (from, to, entry)
        (ordinal, node, context, depth, found) = (0, 0, 1, 1, 0)
        state.unneededCount = 0
        state.generation += 1
        do throws(JSONFault) {
            cursor.skipWhitespace()
            guard cursor.byte == UInt8(ascii: "{") else {
                throw JSONFault(cursor.position, .notAnObject)
            }
            cursor.position &+= 1
            try members(spans)
            try cursor.onlyWhitespace()
        } catch {
            for path in 0..<state.pathCount { spans[path &* state.stride] = 0 }
            // A predicted step may have led beyond the end of a text that is cut off.
            return JSONFault(min(error.position, to), error.kind)
        }
        // Whatever was not seen is absent.
        if found != state.pathCount {
            for path in 0..<state.pathCount where stamps[path] != state.generation { spans[path &* state.stride] = 0 }
        }
        for alias in aliases { spans[alias.copy &* state.stride] = spans[alias.original &* state.stride] }
        return nil
    }

    /// Takes members as long as they are the predicted ones and have plain strings or null for values: the common case,
    /// in registers. Whatever else comes is left where it stands.
    @inline(__always)
    private mutating func plainMembers(_ spans: UnsafeMutablePointer<UInt64>) {
        let (bytes, end, entries) = (cursor.bytes, cursor.end, cursor.entries)
        var context = context
        let (generation, stride) = (state.generation, state.stride)
        var (position, entry, step, written) = (cursor.position, cursor.entry, steps + ordinal, 0)
        while step.pointee.context == context, step.pointee.matches(bytes + position) {
            let start = position &+ Int(step.pointee.length)
            // The entry of the key's closing quote comes first. Beyond the end of the text there is no entry before it.
            let note = entries[entry &+ 1]
            let close = Int(note >> 1)
            let isString = bytes[start] == UInt8(ascii: "\"")
            guard isString ? note & 1 == 0 && close < end : Self.isNull(bytes, start, end) else { break }
            let slot = Int(step.pointee.slot)
            if slot >= 0 {
                if stamps[slot] == generation { break }
                stamps[slot] = generation
                let leaf = Int(step.pointee.leaf)
                if leaf >= 0 {
                    let span = UInt64(truncatingIfNeeded: start &+ 1) | UInt64(truncatingIfNeeded: close) << 32
                    spans[leaf &* stride] = isString ? span : 0
                    written &+= 1
                }
            }
            position = isString ? close &+ 1 : start &+ 4
            entry &+= isString ? 2 : 1
            step += 1
            // No longer the first member of the object.
            context &= ~1
        }
        self.context = context
        (cursor.position, cursor.entry, ordinal) = (position, entry, step - steps)
        found &+= written
    }

    /// Whether `null` stands at `start`, and a comma or brace right after it. Reads 5 bytes, of which some may lie in the
    /// padding beyond `end`.
    @inline(__always)
    private static func isNull(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        let word = UnsafeRawPointer(bytes + start).loadUnaligned(as: UInt32.self)
        let after = bytes[start &+ 4]
        return word == UInt32(littleEndian: 0x6C6C_756E) && start &+ 4 < end
            && (after == UInt8(ascii: ",") || after == UInt8(ascii: "}"))
    }

    @inline(__always)
    private mutating func members(_ spans: UnsafeMutablePointer<UInt64>) throws(JSONFault) {
        while node >= 0 {
            plainMembers(spans)
            let step = steps + ordinal
            if step.pointee.context == context, step.pointee.matches(cursor.bytes + cursor.position) {
                ordinal &+= 1
                cursor.position &+= Int(step.pointee.length)
                // The step holds both quotes of one key and no other.
                cursor.entry &+= 1
                try value(of: step, spans)
            } else if cursor.byte == UInt8(ascii: "}") {
                close()
            } else if let step = try unpredicted() {
                try value(of: step, spans)
            }
        }
    }

    /// Leaves the innermost open object, whose brace is here.
    @inline(__always)
    private mutating func close() {
        cursor.position &+= 1
        depth &-= 1
        node = node == 0 ? -1 : nodes[Int(node)].parent
        context = node << 1
    }

    /// Moves over the value of the member that `step` describes, or into it.
    @inline(__always)
    private mutating func value(
        of step: UnsafeMutablePointer<JSONKeyStep>, _ spans: UnsafeMutablePointer<UInt64>
    ) throws(JSONFault) {
        context = node << 1
        // A step from a record without white space fits one that has some after its colon.
        cursor.skipWhitespace()
        let slot = step.pointee.slot
        if slot >= 0 {
            if stamps[Int(slot)] == state.generation { throw JSONFault(cursor.position, .duplicateKey) }
            stamps[Int(slot)] = state.generation
        }
        let leaf = Int(step.pointee.leaf)
        let start = cursor.position
        let byte = cursor.byte
        if byte == UInt8(ascii: "\"") {
            let escapes: UInt64 = try cursor.string() ? FieldSpan.backslashes : 0
            if leaf >= 0 { write(leaf, spans, start: start &+ 1, end: cursor.position &- 1, flags: escapes) }
        } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            try container(step, spans, opening: byte)
        } else {
            try cursor.scalar()
            guard leaf >= 0 else { return }
            if byte == UInt8(ascii: "n") || cursor.isNotANumber(byte, at: start) {
                spans[leaf &* state.stride] = 0
                found &+= 1
            } else {
                write(leaf, spans, start: start, end: cursor.position, flags: FieldSpan.literal)
            }
        }
    }

    @inline(__always)
    private mutating func write(
        _ leaf: Int, _ spans: UnsafeMutablePointer<UInt64>, start: Int, end: Int, flags: UInt64
    ) {
        spans[leaf &* state.stride] =
            UInt64(truncatingIfNeeded: start) | UInt64(truncatingIfNeeded: end) << 32 | flags
        found &+= 1
    }

    @inline(never)
    private mutating func container(
        _ step: UnsafeMutablePointer<JSONKeyStep>, _ spans: UnsafeMutablePointer<UInt64>, opening: UInt8
    ) throws(JSONFault) {
        let leaf = Int(step.pointee.leaf), start = cursor.position
        guard opening == UInt8(ascii: "{"), step.pointee.isInterior else {
            try cursor.value(depth: depth)
            guard leaf >= 0 else { return }
            // Its text is no value of any field, so that the record says that a value could not be read.
            if isEmptyContainer(from: start, to: cursor.position) {
                spans[leaf &* state.stride] = 0
                found &+= 1
            } else {
                write(leaf, spans, start: start, end: cursor.position, flags: FieldSpan.literal)
            }
            return
        }
        if leaf >= 0 {
            spans[leaf &* state.stride] = 0
            found &+= 1
        }
        depth += 1
        if depth > JSONCursor.maximumDepth { throw JSONFault(cursor.position, .depth) }
        cursor.position += 1
        node = step.pointee.node
        context = node << 1 | 1
    }

    private func isEmptyContainer(from start: Int, to end: Int) -> Bool {
        (start + 1..<end - 1).allSatisfy { cursor.bytes[$0] <= 0x20 }
    }

    /// Finds the step of the next member where the predicted one does not fit, or closes the object (nil).
    @inline(never)
    private mutating func unpredicted() throws(JSONFault) -> UnsafeMutablePointer<JSONKeyStep>? {
        for ahead in 1...JSONKeyScript.reach {
            let step = steps + (ordinal + ahead)
            guard step.pointee.context == context, step.pointee.matches(cursor.bytes + cursor.position) else {
                continue
            }
            ordinal += ahead + 1
            cursor.position += Int(step.pointee.length)
            cursor.entry += 1
            return step
        }
        let start = cursor.position
        cursor.skipWhitespace()
        if cursor.byte == UInt8(ascii: "}") {
            close()
            return nil
        }
        if context & 1 == 0 {
            try cursor.closing(UInt8(ascii: ","), else: .commaOrBraceExpected)
            cursor.skipWhitespace()
            if cursor.byte == UInt8(ascii: "}") {
                cursor.trailingCommas += 1
                close()
                return nil
            }
        }
        let key = cursor.position
        let keyClose = Int(cursor.entries[cursor.entry] >> 1)
        let hasEscapes = try cursor.key()
        let child = child(from: key + 1, to: keyClose, hasEscapes: hasEscapes)
        let hasRoom = state.unneededCount < JSONUnneededKeys.mostOfRecord
        if child < 0, hasRoom {
            unneeded[state.unneededCount] = JSONUnneededKeys.KeyPlace(
                node: node, from: key + 1, to: keyClose, value: cursor.position, hasEscapes: hasEscapes)
            state.unneededCount += 1
        }
        // What was not noted is met as unknown again.
        return learn(child, from: start, isKept: child >= 0 || hasRoom)
    }

    private func child(from: Int, to: Int, hasEscapes: Bool) -> Int32 {
        if hasEscapes {
            return JSONString.unescape(cursor.bytes, from: from, to: to)
                .withUnsafeBufferPointer { nodes.child(of: node, named: $0) }
        }
        return nodes.child(of: node, named: UnsafeBufferPointer(start: cursor.bytes + from, count: to - from))
    }

    /// Notes the member whose bytes up to its value run from `start` to here as the one to expect at this place.
    private mutating func learn(
        _ child: Int32, from start: Int, isKept mayBeKept: Bool
    ) -> UnsafeMutablePointer<JSONKeyStep> {
        // What is too long or too much to be predicted is described in the spare step at the end, which never matches.
        var place = steps + (JSONKeyScript.capacity + JSONKeyScript.reach)
        let length = cursor.position - start
        if state.stepCount == JSONKeyScript.capacity, state.restarts < JSONKeyScript.maximumRestarts {
            state.restarts += 1
            steps.update(repeating: .none, count: state.stepCount)
            state.stepCount = 0
            ordinal = 0
        }
        let isKept =
            mayBeKept && length <= JSONKeyStep.maximumLength && state.stepCount < JSONKeyScript.capacity
        if isKept {
            place = steps + ordinal
            (place + 1).update(from: place, count: state.stepCount - ordinal)
            state.stepCount += 1
            ordinal += 1
        }
        place.pointee = JSONKeyStep(
            context: isKept ? context : -1, node: child, bytes: cursor.bytes + start,
            length: min(length, JSONKeyStep.maximumLength))
        if child >= 0 {
            let found = nodes[Int(child)]
            place.pointee.leaf = found.leaf
            place.pointee.slot = found.slot
            place.pointee.isInterior = !found.children.isEmpty
        }
        return place
    }
}
