import Samples

/// Bytes to gzip on their way: one member, no name and no time in it, so that the same bytes are the same file.
final class GzipSink {
    private let stream: GzipStream

    init() throws(SampleError) {
        stream = try GzipStream()
    }

    func write(_ bytes: [UInt8], to sink: ([UInt8]) throws -> Void) throws {
        try compress(bytes, isLast: false, sink)
    }

    func end(to sink: ([UInt8]) throws -> Void) throws { try compress([], isLast: true, sink) }

    private func compress(_ bytes: [UInt8], isLast: Bool, _ sink: ([UInt8]) throws -> Void) throws {
        var failure: (any Error)?
        try stream.compress(bytes, isLast: isLast) { piece in
            guard failure == nil else { return }
            do { try sink(piece) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
