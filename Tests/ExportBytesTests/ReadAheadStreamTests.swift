import Dispatch
import ExportBytes
import Testing

@Suite struct ReadAheadStreamTests {
    /// Counts up, then ends or fails.
    private struct Counting: ByteStream {
        var left: Int
        var next: UInt8 = 0
        let piece: Int
        let fails: Bool
        var life: Life?

        mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
            let got = min(count, piece, left)
            for index in 0..<got {
                target[index] = next
                next &+= 1
            }
            left -= got
            if got == 0, fails {
                throw ExportError(kind: .damaged, file: "counted", problem: "it ends", remedy: "none")
            }
            return got
        }
    }

    /// What the stream gives, read at most `piece` bytes at a time, and the error that ends it.
    private func bytes(of stream: ReadAheadStream, piece: Int) -> (bytes: [UInt8], error: ExportError?) {
        var found: [UInt8] = []
        var error: ExportError?
        let room = UnsafeMutablePointer<UInt8>.allocate(capacity: piece)
        defer { room.deallocate() }
        do throws(ExportError) {
            while case let count = try stream.read(into: room, count: piece), count > 0 {
                found += UnsafeBufferPointer(start: room, count: count)
            }
        } catch let thrown {
            error = thrown
        }
        return (found, error)
    }

    @Test(arguments: [0, 1, 1 << 20, 1 << 20 + 1, 3_000_001], [7919, 1 << 18, 1 << 22])
    func theBytesAreThoseOfTheStream(count: Int, piece: Int) {
        let stream = ReadAheadStream(Counting(left: count, piece: piece, fails: false))
        let found = bytes(of: stream, piece: 100_003)
        #expect(found.error == nil)
        // The end comes again.
        for _ in 0..<3 { #expect(bytes(of: stream, piece: 1).bytes.isEmpty) }
        #expect(found.bytes == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test(arguments: [0, 1 << 20, 2_500_000])
    func anErrorComesAfterTheBytesBeforeItAndAgain(count: Int) {
        let stream = ReadAheadStream(Counting(left: count, piece: 65_536, fails: true))
        let found = bytes(of: stream, piece: 1000)
        #expect(found.bytes.count == count)
        #expect(found.error?.problem == "it ends")
        #expect(bytes(of: stream, piece: 1000).error?.problem == "it ends")
    }

    @Test func theThreadEndsWithTheStream() {
        let isReleased = DispatchSemaphore(value: 0)
        do {
            let source = Counting(left: .max, piece: 65_536, fails: false, life: Life { isReleased.signal() })
            let stream = ReadAheadStream(source)
            let room = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 16)
            defer { room.deallocate() }
            // Beyond what is read at once, so that the thread runs.
            for _ in 0..<40 { #expect((try? stream.read(into: room, count: 1 << 16)) == 1 << 16) }
        }
        #expect(isReleased.wait(timeout: .now() + 60) == .success)
    }
}

/// Says when nothing holds it any more.
private final class Life: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
