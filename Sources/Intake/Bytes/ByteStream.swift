#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Bytes that come once, in order: a pipe, an inflated file, transcoded text.
protocol ByteStream: Sendable {
    /// Reads up to `count` bytes (at least 1 unless at the end) to `target`; 0 at the end.
    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int
}

/// The bytes of a file descriptor, in order from its present place.
struct DescriptorStream: ByteStream {
    let file: ExportFile

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        while true {
            #if canImport(Glibc)
            let got = Glibc.read(file.descriptor, target, count)
            #else
            let got = Darwin.read(file.descriptor, target, count)
            #endif
            if got >= 0 { return got }
            if errno != EINTR {
                throw ExportError(
                    kind: .unreadable, file: file.name, problem: String(cString: strerror(errno)),
                    remedy: "check the disk or the pipe and run again")
            }
        }
    }
}
