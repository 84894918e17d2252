/// What a file is, recognised by its bytes and never by its name.
package enum FileKind: Sendable, Hashable {
    /// CSV, JSON and whatever else is read as text.
    case text
    case gzip
    case zstd
    /// An archive whose members are exports, or a workbook or document that is packed as one: see `ZipContent`.
    case zip
    /// Nothing that is read.
    case other(UnreadKind)

    /// How many first bytes decide.
    package static let headBytes = 1 << 14

    /// - Parameters:
    ///   - head: the first bytes, `headBytes` of them if there are so many.
    ///   - tail: the last ones, where they are known: they tell a Parquet file from a text that begins like one.
    package init(head: [UInt8], tail: [UInt8]? = nil) {
        if head.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || Self.isSkippableFrame(head) {
            self = .zstd
        } else if head.starts(with: Self.zipMember) || head.starts(with: Self.emptyZip)
            || head.starts(with: Self.spannedZip)
        {
            self = .zip
        } else if let other = UnreadKind(head: head, tail: tail) {
            self = .other(other)
        } else {
            self = .text
        }
    }

    static let zipMember: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    private static let emptyZip: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
    static let spannedZip: [UInt8] = [0x50, 0x4B, 0x07, 0x08]

    /// A zstd file may begin with a frame of other data.
    private static func isSkippableFrame(_ head: [UInt8]) -> Bool {
        head.count > 4 && head[0] & 0xF0 == 0x50 && head[1...3].elementsEqual([0x2A, 0x4D, 0x18])
    }
}
