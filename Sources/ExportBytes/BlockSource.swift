import Foundation
import Synchronization

/// Fills a worker's window with the next block of an export and finds its records; false when there are no more.
package typealias BlockReader = (RecordWindow) throws(ExportError) -> Bool

/// Where workers get an export block by block.
package protocol BlockSource: Sendable {
    /// A worker's own reader. Readers of one source may be used on different threads at the same time.
    func makeBlockReader() -> BlockReader
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
    private let blockBytes: Int
    private let taken = Atomic<Int>(0)
    /// How many blocks have confirmed where the next one starts; that offset, doubled, plus 1 if a quote is broken
    /// before it (`BlockStart.isResuming`).
    private let confirmed = Atomic<Int>(0)
    private let nextStart: Atomic<Int>
    private let failed = Atomic<Bool>(false)

    /// - Parameter dataStart: offset of the first record, after any header.
    init(_ scanner: Scanner, file: ExportFile, size: Int, dataStart: Int, blockBytes: Int) {
        self.scanner = scanner
        self.file = file
        self.size = size
        self.dataStart = dataStart
        self.blockBytes = blockBytes
        nextStart = Atomic(dataStart << 1)
    }

    func makeBlockReader() -> BlockReader {
        var scanner = scanner
        return { window throws(ExportError) in try self.nextBlock(window, &scanner) }
    }

    private func nextBlock(_ window: RecordWindow, _ scanner: inout Scanner) throws(ExportError) -> Bool {
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
            if spins > 64 { sched_yield() }
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
