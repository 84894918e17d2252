import Synchronization

/// Blocks of bytes that come only in order. Inflating and scanning happen under a lock, one block at a time, while the
/// other workers decode the blocks they have.
final class StreamBlockSource<Scanner: BlockScanner>: BlockSource {
    /// The scanner apart from what it reads: it asks for more of the stream while it runs.
    private struct State: ~Copyable {
        var scanner: Scanner
        var input: Input
        /// The error that ended the stream.
        var failure: ExportError?
    }

    private struct Input: ~Copyable {
        var stream: any ByteStream
        /// What was read beyond the last whole record.
        var carry: [UInt8]
        var carryOffset: Int
        var block = 0
        var isAtEnd = false
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
                scanner: scanner,
                input: Input(stream: stream, carry: Array(head[dataStart...]), carryOffset: offset + dataStart)))
        self.blockBytes = blockBytes
    }

    func makeBlockReader() -> BlockReader {
        { window throws(ExportError) in
            try self.state.withLock { state throws(ExportError) in
                // A scanner must not be used after an error, so a worker that asks later gets the same error.
                if let failure = state.failure { throw failure }
                do throws(ExportError) {
                    return try self.readBlock(&state.scanner, &state.input, window)
                } catch {
                    state.failure = error
                    state.input.carry = []
                    throw error
                }
            }
        }
    }

    private func readBlock(
        _ scanner: inout Scanner, _ input: inout Input, _ window: RecordWindow
    ) throws(ExportError) -> Bool {
        if input.isAtEnd && input.carry.isEmpty { return false }
        window.ordinal = input.block
        window.baseOffset = input.carryOffset
        window.isAtEnd = input.isAtEnd
        // More than is carried, so that a record longer than a block comes to its end; mostly no more than the window has.
        let wanted = max(blockBytes, 2 * input.carry.count)
        window.reserve(wanted)
        // The window has room for the carried bytes.
        input.carry.withUnsafeBufferPointer { carry in
            if let base = carry.baseAddress { window.bytes.update(from: base, count: carry.count) }
        }
        window.count = input.carry.count
        let preparing = scanner
        preparing.prepare(window, from: 0, floor: 0)
        while !window.isAtEnd && window.count < wanted {
            try Self.fill(&input, window, bytes: wanted - window.count, preparing)
        }
        let start = input.isSkippingLine ? Self.skipLine(&input, window) : 0
        let outcome = try scanner.run(
            window, from: BlockStart(position: start, isResuming: input.isResuming),
            boundary: max(start, window.count), isSpeculative: false
        ) { window throws(ExportError) in try Self.fill(&input, window, bytes: 1 << 14, preparing) }
        var end = start
        if case .ended(let next) = outcome {
            end = next.position
            if next.isInsideLine { input.isSkippingLine = true }
            input.isResuming = next.isResuming
        }
        end = min(end, window.count)
        input.carry = Array(UnsafeBufferPointer(start: window.bytes + end, count: window.count - end))
        input.carryOffset = window.baseOffset + end
        input.block += 1
        return true
    }

    private static func fill(
        _ input: inout Input, _ window: RecordWindow, bytes: Int, _ preparing: Scanner
    ) throws(ExportError) {
        window.reserve(window.count + bytes)
        // The window has room for `bytes` more from `count` on.
        let got = try input.stream.read(into: window.bytes + window.count, count: bytes)
        window.count += got
        preparing.prepare(window, from: window.count - got, floor: 0)
        if got == 0 {
            window.isAtEnd = true
            input.isAtEnd = true
        }
    }

    /// Where the line after the overlong one starts; the end of the window if it is not in it.
    private static func skipLine(_ input: inout Input, _ window: RecordWindow) -> Int {
        for index in 0..<window.count {
            let byte = window.bytes[index]
            if byte == CSVDialect.lineFeed || (Scanner.endsLinesAtCR && byte == CSVDialect.carriageReturn) {
                let isPair =
                    byte == CSVDialect.carriageReturn && index + 1 < window.count
                    && window.bytes[index + 1] == CSVDialect.lineFeed
                input.isSkippingLine = false
                return index + (isPair ? 2 : 1)
            }
        }
        return window.count
    }
}
