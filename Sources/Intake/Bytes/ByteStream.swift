/// Bytes that come once, in order: a pipe, an inflated file, transcoded text.
protocol ByteStream: Sendable {
    /// Reads up to `count` bytes (at least 1 unless at the end) to `target`; 0 at the end.
    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int
}

/// The bytes of a file, in order from its present place.
struct DescriptorStream: ByteStream {
    let file: ExportFile

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        try file.readOn(into: target, count: count)
    }
}
