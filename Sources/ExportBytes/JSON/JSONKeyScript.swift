/// The keys of a record in the order in which the records before named them: the prediction for the next record.
///
/// A step holds the very bytes from the end of one value to the start of the next (`,"unit_id":`), which were checked
/// when it was learned. Where they stand again, key, colon and comma need no further check.
struct JSONKeyScript: Sendable {
    static let capacity = 512
    /// How many steps ahead a key is searched, as records leave keys out.
    static let reach = 6
    /// After so many overflows the records have no order worth learning.
    static let maximumRestarts = 8

    /// Always `capacity + reach + 1` of them; from `count` on they match nothing.
    var steps = [JSONKeyStep](repeating: .none, count: capacity + reach + 1)
    var count = 0
    var restarts = 0
}

struct JSONKeyStep: Sendable {
    static let none = JSONKeyStep()
    /// The longest run of bytes that a step can hold.
    static let maximumLength = 32

    /// Where it was learned: twice the node of the object, plus 1 for the object's first member; -1 matches nothing.
    var context: Int32 = -1
    var length: Int32 = 0
    /// The node of the key, or -1 if it is not needed, with what the walk wants to know of it.
    var node: Int32 = -1
    var leaf: Int32 = -1
    var slot: Int32 = -1
    var isInterior = false
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var masks: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    private init() {}

    /// A member whose value starts `length` (at most 32) bytes after `bytes`.
    init(context: Int32, node: Int32, bytes: UnsafePointer<UInt8>, length: Int) {
        self.context = context
        self.node = node
        self.length = Int32(length)
        masks = (Self.mask(length), Self.mask(length - 8), Self.mask(length - 16), Self.mask(length - 24))
        let raw = UnsafeRawPointer(bytes)
        words.0 = raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self) & masks.0
        words.1 = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self) & masks.1
        words.2 = raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self) & masks.2
        words.3 = raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self) & masks.3
    }

    /// The mask of the first `length` bytes in memory of a word.
    private static func mask(_ length: Int) -> UInt64 {
        length >= 8 ? .max : length <= 0 ? 0 : UInt64(littleEndian: (1 << UInt64(8 * length)) - 1)
    }

    /// Whether these bytes are the step's. Reads 32 bytes, so up to 32 beyond the end of the text.
    @inline(__always)
    func matches(_ bytes: UnsafePointer<UInt8>) -> Bool {
        let raw = UnsafeRawPointer(bytes)
        let first = (raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self) & masks.0) ^ words.0
        let second = (raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self) & masks.1) ^ words.1
        let third = (raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self) & masks.2) ^ words.2
        let fourth = (raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self) & masks.3) ^ words.3
        return (first | second) | (third | fourth) == 0
    }
}
