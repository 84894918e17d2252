import Foundation
import Synchronization

/// A stream that a thread of its own reads some blocks ahead, so that inflating or reading XML goes on while others use what came
/// before.
///
/// The bytes, and the error that ends them, come in the order of the stream. What is asked for first is read at once: who reads only
/// the first records starts no thread. The thread ends with the stream, with its error, or when nothing takes its blocks any more.
package final class ReadAheadStream: ByteStream {
    /// So many bytes are read at once.
    private static let direct = 1 << 20
    private static let blockBytes = 1 << 18
    private static let blocksAhead = 3

    private typealias Block = Result<[UInt8], ExportError>

    private struct State: ~Copyable {
        /// Nil once the thread has it.
        var source: (any ByteStream)?
        var direct = ReadAheadStream.direct
        var block: ArraySlice<UInt8> = []
        /// The end, which is given again whenever more is asked for: the channel has nothing behind it.
        var isAtEnd = false
        var failure: ExportError?
    }

    private let state: Mutex<State>
    private let blocks = BoundedChannel<Block>(capacity: blocksAhead)

    package init(_ source: any ByteStream) { state = Mutex(State(source: source)) }

    deinit { blocks.cancel() }

    package func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        // As a number, since the lock's value may keep nothing of the caller's: the room is lent for this call only.
        let room = UInt(bitPattern: target)
        return try state.withLock { state throws(ExportError) in
            // `room` is the address of `count` bytes that are the caller's to write to.
            guard let target = UnsafeMutablePointer<UInt8>(bitPattern: room) else { return 0 }
            if state.direct > 0, state.source != nil {
                let got = try state.source?.read(into: target, count: min(count, state.direct)) ?? 0
                state.direct -= got
                return got
            }
            if let source = state.source {
                state.source = nil
                start(source)
            }
            return try take(&state, into: target, count: count)
        }
    }

    private func take(
        _ state: inout State, into target: UnsafeMutablePointer<UInt8>, count: Int
    ) throws(ExportError) -> Int {
        if let failure = state.failure { throw failure }
        if state.isAtEnd { return 0 }
        if state.block.isEmpty {
            do throws(ExportError) {
                guard let block = try blocks.take()?.get() else {
                    state.isAtEnd = true
                    return 0
                }
                state.block = block[...]
            } catch {
                state.failure = error
                throw error
            }
        }
        let taken = state.block.prefix(count)
        taken.withUnsafeBufferPointer { bytes in
            // No more than the caller's `count`.
            if let base = bytes.baseAddress { target.update(from: base, count: bytes.count) }
        }
        state.block = state.block.dropFirst(taken.count)
        return taken.count
    }

    private func start(_ source: any ByteStream) {
        Thread.detachNewThread { [blocks] in
            var source = source
            while true {
                var failure: ExportError?
                let bytes = [UInt8](unsafeUninitializedCapacity: Self.blockBytes) { room, count in
                    guard let base = room.baseAddress else { return }
                    do throws(ExportError) {
                        // `room` has at least `blockBytes`.
                        count = try source.read(into: base, count: Self.blockBytes)
                    } catch {
                        failure = error
                    }
                }
                if let failure {
                    _ = blocks.put(.failure(failure))
                    return blocks.end()
                }
                guard !bytes.isEmpty, blocks.put(.success(bytes)) else { return blocks.end() }
            }
        }
    }
}
