/// Follows the path to the array of records through the objects around it, and checks those strictly.
struct JSONPathFinder: Sendable {
    private let path: [[UInt8]]
    private(set) var machine = JSONStreamMachine()
    /// How many objects of the path are open, if no other container is open within them.
    private var entered = 0
    /// Whether the next value is the one that the path leads to.
    private var isNextOnPath = true
    private var wasSeen: [Bool]
    /// The raw bytes of the key that is being read, no longer than the wanted key can be written.
    private var key: [UInt8] = []
    private var keyIsTooLong = false
    private(set) var hasFoundArray = false
    /// Arrays of objects beside the one at the path.
    private(set) var otherLists = 0

    private(set) var envelope = JSONEnvelope()
    /// How many arrays beside that of the records are open around this place.
    private var openLists = 0

    init(path: [String]) {
        self.path = path.map { Array($0.utf8) }
        wasSeen = Array(repeating: false, count: path.count)
    }

    /// Reads from `position` on. Returns the position after the bracket that opens the array of records, or `end`.
    mutating func scan(
        _ bytes: UnsafePointer<UInt8>, from position: Int, to end: Int
    ) throws(JSONFault) -> (position: Int, isArray: Bool) {
        var position = position
        while position < end {
            if machine.place == .string, !(machine.isKey && machine.isObject.count == entered) {
                let start = position
                position = Self.skipPlainText(bytes, from: position, to: end)
                if openLists == 0 || envelope.hasRoomInList {
                    for place in start..<position { keep(bytes[place]) }
                }
                if position == end { break }
            }
            if try step(bytes[position], at: position) { return (position + 1, true) }
            position += 1
        }
        return (end, false)
    }

    /// The array was read to its end: goes on after its closing bracket.
    mutating func endArray() {
        machine.close()
        envelope.append(UInt8(ascii: "]"))
    }

    mutating func countElement() { envelope.elements += 1 }

    /// Notes a byte of what is around the records.
    private mutating func keep(_ byte: UInt8) {
        if openLists == 0 { envelope.append(byte) } else { envelope.appendToList(byte) }
    }

    /// Notes a byte that the machine has taken.
    private mutating func keep(_ byte: UInt8, opens: Bool, closes: Bool) {
        if byte == UInt8(ascii: "["), opens {
            openLists += 1
            if openLists == 1 { envelope.beginList() } else { envelope.appendToList(byte) }
        } else if byte == UInt8(ascii: "]"), closes {
            openLists -= 1
            if openLists == 0 { envelope.endList() } else { envelope.appendToList(byte) }
        } else {
            keep(byte)
        }
    }

    /// What is wrong if the text ends here.
    var faultAtEnd: JSONFault.Kind? {
        guard machine.isComplete else { return .unexpectedEnd }
        return hasFoundArray ? nil : .pathMissing
    }

    private static func skipPlainText(_ bytes: UnsafePointer<UInt8>, from: Int, to end: Int) -> Int {
        var position = from
        while position < end {
            let byte = bytes[position]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            position += 1
        }
        return position
    }

    /// Takes one byte; true when it opens the array of records.
    private mutating func step(_ byte: UInt8, at position: Int) throws(JSONFault) -> Bool {
        let before = machine.place
        if before == .firstElementOrEnd, byte == UInt8(ascii: "{") { otherLists += 1 }
        let startsTarget = isNextOnPath && before == .value && !JSONStreamMachine.isWhitespace(byte)
        if startsTarget {
            isNextOnPath = false
            let wantsArray = entered == path.count
            guard byte == (wantsArray ? UInt8(ascii: "[") : UInt8(ascii: "{")) else {
                throw JSONFault(position, wantsArray ? .arrayExpected : .pathObjectExpected)
            }
        }
        let depth = machine.isObject.count
        if let kind = machine.step(byte) { throw JSONFault(position, kind) }
        if startsTarget, byte == UInt8(ascii: "[") {
            envelope.append(byte)
        } else {
            keep(byte, opens: machine.isObject.count > depth, closes: machine.isObject.count < depth)
        }
        if startsTarget {
            if byte == UInt8(ascii: "[") {
                hasFoundArray = true
                return true
            }
            entered += 1
        }
        entered = min(entered, machine.isObject.count)
        if machine.isKey, machine.isObject.count == entered { try noteKey(byte, before: before, at: position) }
        return false
    }

    /// Gathers the key of a member of a path object; at its end decides whether the path goes through it.
    private mutating func noteKey(
        _ byte: UInt8, before: JSONStreamMachine.Position, at position: Int
    ) throws(JSONFault) {
        if !before.isInString, machine.place == .string {
            key.removeAll(keepingCapacity: true)
            keyIsTooLong = false
        } else if machine.place == .colon, before == .string {
            guard !keyIsTooLong, unescapedKey() == path[entered - 1] else { return }
            if wasSeen[entered - 1] { throw JSONFault(position, .duplicateKey) }
            wasSeen[entered - 1] = true
            isNextOnPath = true
        } else if before.isInString {
            // No byte of a key needs more than the six of \uXXXX.
            keyIsTooLong = keyIsTooLong || key.count >= 6 * path[entered - 1].count
            if !keyIsTooLong { key.append(byte) }
        }
    }

    private func unescapedKey() -> [UInt8] {
        key.withUnsafeBufferPointer { key in
            guard let base = key.baseAddress else { return [] }
            return JSONString.unescape(base, from: 0, to: key.count)
        }
    }
}
