import Synchronization

/// Where workers get an export block by block. Safe to call from any of them.
protocol BlockSource<Scanner>: Sendable {
    associatedtype Scanner: BlockScanner

    /// Fills the worker's window with the next block and finds its records; false when there are no more.
    func nextBlock(_ window: RecordWindow, _ scanner: inout Scanner) throws(ExportError) -> Bool
}

/// Blocks of a regular file, taken by workers in parallel.
///
/// A worker guesses where its block's first record starts (after the first line end at or after the cut) and scans on.
/// The end of the block before says whether the guess was right; if not, it scans again from the true start. Blocks
/// confirm each other in order, so the records are the same for any cut and any number of workers.
final class FileBlockSource<Scanner: BlockScanner>: BlockSource {
    private let file: ExportFile
    private let size: Int
    private let dataStart: Int
    private let blockBytes: Int
    private let taken = Atomic<Int>(0)
    /// How many blocks have confirmed where the next one starts; that offset, doubled, plus 1 if a quote is broken
    /// before it (`BlockStart.isResuming`).
    private let confirmed = Atomic<Int>(0)
    private let nextStart: Atomic<Int>
    private let failed = Atomic<Bool>(false)

    /// - Parameter dataStart: offset of the first record, after any header.
    init(file: ExportFile, size: Int, dataStart: Int, blockBytes: Int) {
        self.file = file
        self.size = size
        self.dataStart = dataStart
        self.blockBytes = blockBytes
        nextStart = Atomic(dataStart << 1)
    }

    func nextBlock(_ window: RecordWindow, _ scanner: inout Scanner) throws(ExportError) -> Bool {
        let block = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        let cut = dataStart + block * blockBytes
        guard cut < size else { return false }
        do throws(ExportError) {
            let boundary = min(cut + blockBytes, size)
            let guess = try load(window, block: block, cut: cut)
            let guessed =
                try guess.map { guess throws(ExportError) in
                    try scanner.run(
                        window, from: BlockStart(position: guess), boundary: boundary - window.baseOffset,
                        isSpeculative: true, more: more)
                } ?? .gaveUp
            let start = try awaitStart(of: block, base: window.baseOffset)
            var outcome = guessed
            if start != guess.map({ BlockStart(position: $0) }) || guessed == .gaveUp {
                outcome = try scanner.run(
                    window, from: start, boundary: boundary - window.baseOffset, isSpeculative: false, more: more)
            }
            let next = if case .ended(let next) = outcome { next } else { start }
            var end = window.baseOffset + next.position
            if next.isInsideLine { end = try lineAfter(end) }
            nextStart.store(end << 1 | (next.isResuming ? 1 : 0), ordering: .relaxed)
            confirmed.store(block + 1, ordering: .releasing)
            return true
        } catch {
            failed.store(true, ordering: .releasing)
            throw error
        }
    }

    /// Reads the block, with one byte before it; the guess, as a position in the window.
    private func load(_ window: RecordWindow, block: Int, cut: Int) throws(ExportError) -> Int? {
        let from = block == 0 ? cut : cut - 1
        window.baseOffset = from
        window.ordinal = block
        window.count = 0
        window.isAtEnd = false
        window.reserve(blockBytes + Self.overlap + 1)
        try append(window, bytes: blockBytes + Self.overlap + cut - from)
        if block == 0 { return 0 }
        var at = 0
        while at < window.count {
            if window.bytes[at] == CSVDialect.lineFeed { return at + 1 }
            if Scanner.endsLinesAtCR, window.bytes[at] == CSVDialect.carriageReturn, at + 1 < window.count,
                window.bytes[at + 1] != CSVDialect.lineFeed
            {
                return at + 1
            }
            at += 1
        }
        return nil
    }

    private static var overlap: Int { 4096 }

    private func more(_ window: RecordWindow) throws(ExportError) {
        try append(window, bytes: max(Self.overlap, min(window.count / 2, 1 << 18)))
    }

    private func append(_ window: RecordWindow, bytes: Int) throws(ExportError) {
        window.reserve(window.count + bytes)
        let offset = window.baseOffset + window.count
        // The window has room for `bytes` more from `count` on.
        let wanted = min(bytes, size - offset)
        let got = try file.read(into: window.bytes + window.count, count: max(0, wanted), at: offset)
        window.count += got
        if got < bytes { window.isAtEnd = true }
        if got < wanted {
            throw ExportError(
                kind: .damaged, file: file.name, offset: offset + got, problem: "it became shorter while it was read",
                remedy: "wait until its writer has finished and run again")
        }
    }

    private func awaitStart(of block: Int, base: Int) throws(ExportError) -> BlockStart {
        var spins = 0
        while confirmed.load(ordering: .acquiring) != block {
            if failed.load(ordering: .acquiring) {
                var error = ExportError(
                    kind: .unreadable, file: file.name, problem: "another worker could not read its part",
                    remedy: "see its message")
                error.isConsequence = true
                throw error
            }
            spins += 1
            if spins > 64 { yieldProcessor() }
        }
        let next = nextStart.load(ordering: .relaxed)
        return BlockStart(position: next >> 1 - base, isResuming: next & 1 != 0)
    }

    /// Offset of the first line after the one at `offset`, found without holding it.
    private func lineAfter(_ offset: Int) throws(ExportError) -> Int {
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 16)
        defer { scratch.wipeAndDeallocate(count: 1 << 16) }
        var at = offset
        var previousWasCR = false
        while at < size {
            let got = try file.read(into: scratch, count: 1 << 16, at: at)
            if got == 0 { break }
            for index in 0..<got {
                if scratch[index] == CSVDialect.lineFeed { return at + index + 1 }
                if previousWasCR { return at + index }
                previousWasCR = Scanner.endsLinesAtCR && scratch[index] == CSVDialect.carriageReturn
            }
            at += got
        }
        return size
    }
}

/// Blocks of bytes that come only in order. Inflating and scanning happen under a lock, one block at a time, while the
/// other workers decode the blocks they have.
final class StreamBlockSource<Scanner: BlockScanner>: BlockSource {
    private struct State: ~Copyable {
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
    init(stream: sending any ByteStream, head: [UInt8], dataStart: Int, blockBytes: Int) {
        state = Mutex(State(stream: stream, carry: Array(head[dataStart...]), carryOffset: dataStart))
        self.blockBytes = blockBytes
    }

    func nextBlock(_ window: RecordWindow, _ scanner: inout Scanner) throws(ExportError) -> Bool {
        try state.withLock { state throws(ExportError) in
            try Self.next(&state, window, &scanner, blockBytes: blockBytes)
        }
    }

    private static func next(
        _ state: inout State, _ window: RecordWindow, _ scanner: inout Scanner, blockBytes: Int
    ) throws(ExportError) -> Bool {
        if state.isAtEnd && state.carry.isEmpty { return false }
        window.ordinal = state.block
        window.baseOffset = state.carryOffset
        window.isAtEnd = state.isAtEnd
        window.reserve(max(blockBytes, state.carry.count))
        // The window has room for the carried bytes.
        state.carry.withUnsafeBufferPointer { carry in
            if let base = carry.baseAddress { window.bytes.update(from: base, count: carry.count) }
        }
        window.count = state.carry.count
        while !window.isAtEnd && window.count < blockBytes {
            try fill(&state, window, bytes: blockBytes - window.count)
        }
        var start = 0
        if state.isSkippingLine { start = skipLine(&state, window) }
        guard window.count > 0 else { return false }
        let outcome = try scanner.run(
            window, from: BlockStart(position: start, isResuming: state.isResuming),
            boundary: max(start, window.count), isSpeculative: false
        ) { window throws(ExportError) in try fill(&state, window, bytes: 1 << 14) }
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
