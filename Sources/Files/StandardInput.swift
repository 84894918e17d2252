#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The process's standard input.
package enum StandardInput {
    /// Calls `body` with its bytes in pieces of a megabyte at most.
    package static func forEachPiece<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws {
        while true {
            var piece = [UInt8](repeating: 0, count: 1 << 20)
            let count = piece.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError("standard input", "be read") }
            if count == 0 { return }
            piece.removeLast(piece.count - count)
            try body(piece)
        }
    }
}
