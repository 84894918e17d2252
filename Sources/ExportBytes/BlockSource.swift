import Foundation
import Synchronization

/// Fills a worker's window with the next block of an export and finds its records; false when there are no more.
package typealias BlockReader = (RecordWindow) throws(ExportError) -> Bool

/// Where workers get an export block by block.
package protocol BlockSource: Sendable {
    /// A worker's own reader. Readers of one source may be used on different threads at the same time.
    func makeBlockReader() -> BlockReader

    /// Once all is read: where the records that were read began and ended; nil of a source that is always read whole.
    var bounds: ExportPartBounds? { get }
}

extension BlockSource {
    package var bounds: ExportPartBounds? { nil }
}

/// Blocks of a regular file, taken by workers in parallel.
///
/// A worker guesses where its block's first record starts (after the first line end at or after the cut) and scans on.
/// The end of the block before says whether the guess was right; if not, it scans again from the true start. Blocks
/// confirm each other in order, so the records are the same for any cut and any number of workers.
final class FileBlockSource<Scanner: BlockScanner>: BlockSource {
    private let scanner: Scanner
    private let file: ExportFile
    private let size: Int
    private let dataStart: Int
    /// The first block begins at the first of these bytes, the last one ends at their end.
    private let bytes: Range<Int>
    private let blockBytes: Int
    private let taken = Atomic<Int>(0)
    /// How many blocks have confirmed where the next one starts.
    private let confirmed = Atomic<Int>(0)
    /// Where it starts: `RecordStart.packed`.
    private let nextStart: Atomic<Int>
    /// Where the first block starts, in the same form.
    private let firstStart: Atomic<Int>
    /// In place of a start: the first block of a part guesses its own.
    private static var unknownStart: Int { -1 }
    private let failed = Atomic<Bool>(false)

    /// - Parameters:
    ///   - dataStart: offset of the first record, after any header.
    ///   - part: nil: all of the file is read.
    init(
        _ scanner: Scanner, file: ExportFile, size: Int, dataStart: Int, blockBytes: Int, part: ExportPart? = nil
    ) {
        self.scanner = scanner
        self.file = file
        self.size = size
        self.dataStart = dataStart
        self.blockBytes = blockBytes
        let first = max(dataStart, part?.bytes.lowerBound ?? 0)
        bytes = first..<max(first, min(size, part?.bytes.upperBound ?? size))
        // The first record of the file is known, and nothing is guessed of a part without bytes.
        let known = first == dataStart ? RecordStart(offset: dataStart) : part?.start
        let start = known ?? (bytes.isEmpty ? RecordStart(offset: first) : nil)
        nextStart = Atomic(start?.packed ?? Self.unknownStart)
        firstStart = Atomic(start?.packed ?? Self.unknownStart)
    }

    var bounds: ExportPartBounds? {
        ExportPartBounds(
            start: RecordStart(packed: firstStart.load(ordering: .acquiring)),
            end: RecordStart(packed: nextStart.load(ordering: .acquiring)))
    }

    func makeBlockReader() -> BlockReader {
        var scanner = scanner
        return { window throws(ExportError) in try self.nextBlock(window, &scanner) }
    }

    private func nextBlock(_ window: RecordWindow, _ scanner: inout Scanner) throws(ExportError) -> Bool {
        let block = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        let cut = bytes.lowerBound + block * blockBytes
        guard cut < bytes.upperBound else { return false }
        do throws(ExportError) {
            let boundary = min(cut + blockBytes, bytes.upperBound)
            let guess = try load(window, block: block, cut: cut)
            let guessed =
                try guess.map { guess throws(ExportError) in
                    try scanner.run(
                        window, from: BlockStart(position: guess), boundary: boundary - window.baseOffset,
                        isSpeculative: true, more: more)
                } ?? .gaveUp
            let start = try awaitStart(of: block, base: window.baseOffset, guess: guess)
            var outcome = guessed
            if start != guess.map({ BlockStart(position: $0) }) || guessed == .gaveUp {
                outcome = try scanner.run(
                    window, from: start, boundary: boundary - window.baseOffset, isSpeculative: false, more: more)
            }
            let next = if case .ended(let next) = outcome { next } else { start }
            var end = window.baseOffset + next.position
            if next.isInsideLine { end = try lineAfter(end) }
            nextStart.store(RecordStart(offset: end, isResuming: next.isResuming).packed, ordering: .relaxed)
            confirmed.store(block + 1, ordering: .releasing)
            return true
        } catch {
            failed.store(true, ordering: .releasing)
            throw error
        }
    }

    /// Reads the block, with one byte before it; the guess, as a position in the window.
    private func load(_ window: RecordWindow, block: Int, cut: Int) throws(ExportError) -> Int? {
        let from = cut == dataStart ? cut : cut - 1
        window.baseOffset = from
        window.ordinal = block
        window.count = 0
        window.isAtEnd = false
        window.reserve(blockBytes + Self.overlap + 1)
        try append(window, bytes: blockBytes + Self.overlap + cut - from)
        if cut == dataStart { return 0 }
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
        scanner.prepare(window, from: window.count - got, floor: 0)
        if got < bytes { window.isAtEnd = true }
        if got < wanted {
            throw ExportError(
                kind: .damaged, file: file.name, offset: offset + got, problem: "it became shorter while it was read",
                remedy: "wait until its writer has finished and run again")
        }
    }

    /// - Parameter guess: what a part that does not know its start takes for it.
    private func awaitStart(of block: Int, base: Int, guess: Int?) throws(ExportError) -> BlockStart {
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
            if spins > 64 { sched_yield() }
        }
        let next = nextStart.load(ordering: .relaxed)
        guard next == Self.unknownStart else {
            let start = RecordStart(packed: next)
            return BlockStart(position: start.offset - base, isResuming: start.isResuming)
        }
        let position = if let guess { guess } else { try lineAfter(base) - base }
        firstStart.store(RecordStart(offset: base + position).packed, ordering: .releasing)
        return BlockStart(position: position)
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
