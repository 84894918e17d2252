import ExportBytes
import TestSupport

/// Bytes that arrive in pieces of random lengths, as from a pipe.
struct ChunkedStream: ByteStream {
    private let bytes: [UInt8]
    private var at = 0
    private let most: Int
    private var random: SplitMix64

    /// - Parameter most: of a piece; nil: all at once.
    init(_ bytes: [UInt8], most: Int? = nil, seed: UInt64 = 1) {
        self.bytes = bytes
        self.most = most ?? Int.max
        random = SplitMix64(seed: seed)
    }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        let wanted = most == Int.max ? count : Int.random(in: 1...most, using: &random)
        let taken = min(wanted, count, bytes.count - at)
        // `target` has room for `count` bytes.
        bytes.withUnsafeBufferPointer { bytes in
            guard taken > 0, let base = bytes.baseAddress else { return }
            target.update(from: base + at, count: taken)
        }
        at += taken
        return taken
    }
}

extension ByteStream {
    /// All bytes, read in pieces of at most `most`.
    func all(most: Int = 1 << 16) throws -> [UInt8] {
        var stream = self, bytes: [UInt8] = []
        while true {
            let more = try stream.take(most)
            if more.isEmpty { return bytes }
            bytes += more
        }
    }
}

/// What a reader made of an input: its bytes, or what it said.
enum ReadOutcome: Equatable, CustomStringConvertible {
    case read([UInt8])
    case refused(String)

    /// - Parameter saysWhy: whether the words count: one library finds a damage where another finds its consequence.
    init(saysWhy: Bool = true, _ body: () throws -> [UInt8]) {
        do {
            self = .read(try body())
        } catch let error as ExportError {
            self = .refused(saysWhy ? "\(error.kind): \(error.problem)" : "\(error.kind)")
        } catch {
            self = .refused("\(error)")
        }
    }

    var bytes: [UInt8]? { if case .read(let bytes) = self { bytes } else { nil } }

    var description: String {
        switch self {
        case .read(let bytes): String(decoding: bytes, as: UTF8.self).debugDescription
        case .refused(let words): "refused: \(words)"
        }
    }
}
