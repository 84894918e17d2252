import Profiles
import Synchronization
import Trips

/// Blocks of the elements of a JSON array. Finding the elements is one pass in order, under a lock; workers parse the
/// elements they were given at the same time.
final class JSONArraySource: Sendable {
    private struct State: ~Copyable {
        var stream: any ByteStream
        var splitter: JSONArraySplitter
        var carry: [UInt8] = []
        /// Offset in the text of `carry[0]`.
        var offset = 0
        var block = 0
        var isAtEnd = false
    }

    private let state: Mutex<State>
    private let blockBytes: Int
    private let name: String
    let isRepeatable: Bool
    /// Bytes of the file before the text: its byte-order mark.
    let textOffset: Int

    init(_ opening: ExportOpening, file: ExportFile, profile: Profile, blockBytes: Int) {
        isRepeatable = opening.stream == nil
        textOffset = opening.headOffset
        let stream: any ByteStream =
            opening.stream.map { PrefixedStream(ahead: opening.head, rest: $0) }
            ?? FileRangeStream(file: file, offset: opening.headOffset)
        let splitter = JSONArraySplitter(
            path: profile.recordsPath, maximumRecordBytes: profile.maximumRecordBytes)
        state = Mutex(State(stream: stream, splitter: splitter))
        self.blockBytes = blockBytes
        name = file.name
    }

    func nextBlock(_ window: RecordWindow) throws(ExportError) -> Bool {
        try state.withLock { state throws(ExportError) in try next(&state, window) }
    }

    private func next(_ state: inout State, _ window: RecordWindow) throws(ExportError) -> Bool {
        if state.isAtEnd { return false }
        window.clearRecords()
        window.ordinal = state.block
        window.baseOffset = textOffset + state.offset
        state.block += 1
        window.reserve(state.carry.count + blockBytes)
        // The window has room for the carried bytes and a block.
        for (index, byte) in state.carry.enumerated() { window.bytes[index] = byte }
        window.count = state.carry.count
        while window.count < state.carry.count + blockBytes {
            let wanted = state.carry.count + blockBytes - window.count
            let got = try state.stream.read(into: window.bytes + window.count, count: wanted)
            window.count += got
            if got == 0 {
                state.isAtEnd = true
                break
            }
        }
        let consumed = try split(&state, window)
        state.carry = Array(UnsafeBufferPointer(start: window.bytes + consumed, count: window.count - consumed))
        state.offset += consumed
        return true
    }

    private func split(_ state: inout State, _ window: RecordWindow) throws(ExportError) -> Int {
        let base = state.offset
        var noted = 0
        do throws(JSONSyntaxError) {
            return try state.splitter.scan(
                window: window.bytes, count: window.count, windowOffset: base, isLast: state.isAtEnd
            ) { element in
                if element.isTooLong {
                    window.reject(at: element.start - base, reason: .recordTooLong)
                    return
                }
                // Two marks an element: before its first byte and at its end.
                window.separators[noted] = UInt32(truncatingIfNeeded: element.start - base) &- 1
                window.separators[noted + 1] = UInt32(truncatingIfNeeded: element.end - base)
                window.appendRecord(first: noted + 1)
                noted += 2
            }
        } catch {
            throw ExportError(
                kind: .malformed, file: name, offset: textOffset + error.position,
                problem: "it is not valid JSON (\(error.kind.message))",
                remedy: "export it again, or give one object a line (NDJSON)")
        }
    }
}

/// A regular file from some offset on.
struct FileRangeStream: ByteStream {
    let file: ExportFile
    private var offset: Int

    init(file: ExportFile, offset: Int) {
        self.file = file
        self.offset = offset
    }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        let got = try file.read(into: target, count: count, at: offset)
        offset += got
        return got
    }
}
