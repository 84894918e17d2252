#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Bytes that come once, in order: a pipe, an inflated file, transcoded text.
protocol ByteStream {
    /// Reads up to `count` bytes (at least 1 unless at the end) to `target`; 0 at the end.
    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int
}

/// The bytes of a file descriptor, after some that were read ahead to tell the format.
struct DescriptorStream: ByteStream {
    let file: ExportFile
    private var ahead: ArraySlice<UInt8>

    init(file: ExportFile, ahead: [UInt8] = []) {
        self.file = file
        self.ahead = ahead[...]
    }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        if !ahead.isEmpty {
            let taken = ahead.prefix(count)
            // `target` has room for `count` bytes and `taken` has no more.
            taken.withUnsafeBufferPointer { source in
                if let base = source.baseAddress { target.update(from: base, count: source.count) }
            }
            ahead = ahead.dropFirst(taken.count)
            return taken.count
        }
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
