import Synchronization

/// Blocks of bytes that come only in order. Inflating and scanning happen under a lock, one block at a time, while the
/// other workers decode the blocks they have.
final class StreamBlockSource<Scanner: BlockScanner>: BlockSource {
    private struct State: ~Copyable {
        var scanner: Scanner
        var stream: any ByteStream
        /// What was read beyond the last whole record.
        var carry: [UInt8]
        var carryOffset: Int
        var block = 0
        var isAtEnd = false
        /// The error that ended the stream.
        var failure: ExportError?
        /// The rest of an overlong line is being passed over.
        var isSkippingLine = false
        /// See `BlockStart.isResuming`.
        var isResuming = false
    }

    private let state: Mutex<State>
    private let blockBytes: Int

    /// - Parameters:
    ///   - head: bytes already read from the stream.
    ///   - dataStart: how many of them come before the first record.
    ///   - offset: of the first byte of `head` in the source.
    init(
        _ scanner: Scanner, stream: sending any ByteStream, head: [UInt8] = [], dataStart: Int = 0, offset: Int = 0,
        blockBytes: Int
    ) {
        state = Mutex(
            State(
                scanner: scanner, stream: stream, carry: Array(head[dataStart...]), carryOffset: offset + dataStart))
        self.blockBytes = blockBytes
    }

    func makeBlockReader() -> BlockReader {
        { window throws(ExportError) in
            try self.state.withLock { state throws(ExportError) in try self.next(&state, window) }
        }
    }

    private func next(_ state: inout State, _ window: RecordWindow) throws(ExportError) -> Bool {
        // A scanner must not be used after an error, so a worker that asks later gets the same error.
        if let failure = state.failure { throw failure }
        do throws(ExportError) {
            return try readBlock(&state, window)
        } catch {
            state.failure = error
            state.carry = []
            throw error
        }
    }

    private func readBlock(_ state: inout State, _ window: RecordWindow) throws(ExportError) -> Bool {
        if state.isAtEnd && state.carry.isEmpty { return false }
        window.ordinal = state.block
        window.baseOffset = state.carryOffset
        window.isAtEnd = state.isAtEnd
        let wanted = state.carry.count + blockBytes
        window.reserve(wanted)
        // The window has room for the carried bytes.
        state.carry.withUnsafeBufferPointer { carry in
            if let base = carry.baseAddress { window.bytes.update(from: base, count: carry.count) }
        }
        window.count = state.carry.count
        while !window.isAtEnd && window.count < wanted {
            try Self.fill(&state, window, bytes: wanted - window.count)
        }
        let start = state.isSkippingLine ? Self.skipLine(&state, window) : 0
        // A copy, because the scanner may ask for more of the stream beside it.
        var scanner = state.scanner
        defer { state.scanner = scanner }
        let outcome = try scanner.run(
            window, from: BlockStart(position: start, isResuming: state.isResuming),
            boundary: max(start, window.count), isSpeculative: false
        ) { window throws(ExportError) in try Self.fill(&state, window, bytes: 1 << 14) }
        var end = start
        if case .ended(let next) = outcome {
            end = next.position
            if next.isInsideLine { state.isSkippingLine = true }
            state.isResuming = next.isResuming
        }
        end = min(end, window.count)
        state.carry = Array(UnsafeBufferPointer(start: window.bytes + end, count: window.count - end))
        state.carryOffset = window.baseOffset + end
        state.block += 1
        return true
    }

    private static func fill(_ state: inout State, _ window: RecordWindow, bytes: Int) throws(ExportError) {
        window.reserve(window.count + bytes)
        // The window has room for `bytes` more from `count` on.
        let got = try state.stream.read(into: window.bytes + window.count, count: bytes)
        window.count += got
        if got == 0 {
            window.isAtEnd = true
            state.isAtEnd = true
        }
    }

    /// Where the line after the overlong one starts; the end of the window if it is not in it.
    private static func skipLine(_ state: inout State, _ window: RecordWindow) -> Int {
        for index in 0..<window.count {
            let byte = window.bytes[index]
            if byte == CSVDialect.lineFeed || (Scanner.endsLinesAtCR && byte == CSVDialect.carriageReturn) {
                let isPair =
                    byte == CSVDialect.carriageReturn && index + 1 < window.count
                    && window.bytes[index + 1] == CSVDialect.lineFeed
                state.isSkippingLine = false
                return index + (isPair ? 2 : 1)
            }
        }
        return window.count
    }
}
