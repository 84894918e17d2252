/// What is in a JSON document around the array of its records, without any array: keys that say that there is more, totals.
/// Of each other array the first bytes are kept beside it.
package struct JSONEnvelope: Sendable {
    /// A document in which every array is empty; cut off if it is longer than `mostBytes`.
    package private(set) var text: [UInt8] = []
    /// The first bytes of arrays beside that of the records.
    package private(set) var lists: [[UInt8]] = []
    /// Elements of the array of records.
    package var elements = 0

    private static let mostBytes = 1 << 16
    private static let mostLists = 64
    static let mostOfList = 1 << 12

    /// Whether bytes are of a list that is kept.
    private var isInList = false

    mutating func append(_ byte: UInt8) {
        if text.count < Self.mostBytes { text.append(byte) }
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    /// Of an array that is read byte by byte: its bracket.
    mutating func beginList() {
        append(UInt8(ascii: "["))
        isInList = lists.count < Self.mostLists
        if isInList { lists.append([UInt8(ascii: "[")]) }
    }

    /// Whether more bytes of the list are kept.
    var hasRoomInList: Bool { isInList && lists[lists.count - 1].count < Self.mostOfList }

    mutating func appendToList(_ byte: UInt8) {
        guard hasRoomInList else { return }
        lists[lists.count - 1].append(byte)
    }

    mutating func endList() {
        appendToList(UInt8(ascii: "]"))
        append(UInt8(ascii: "]"))
    }

    /// A whole value that is no record, or the beginning of a longer one.
    mutating func appendValue(_ value: [UInt8], isWhole: Bool) {
        guard value.first == UInt8(ascii: "[") else {
            return append(isWhole ? value : Array("null".utf8))
        }
        if lists.count < Self.mostLists { lists.append(Array(value.prefix(Self.mostOfList))) }
        append([UInt8(ascii: "["), UInt8(ascii: "]")])
    }

    /// Another document of the same file: what the last one says counts.
    mutating func beginDocument() { text.removeAll() }
}
