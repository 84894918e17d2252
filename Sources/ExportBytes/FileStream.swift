/// The bytes of a file: from an offset of a regular file, which may be closed and opened again between two reads, or
/// from the present position of a pipe.
package struct FileStream: ByteStream {
    private let file: ExportFile
    private var offset: Int?

    /// - Parameter offset: nil: reads on from where the file's last reader stopped.
    package init(_ file: ExportFile, from offset: Int? = nil) {
        self.file = file
        self.offset = offset
    }

    package mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        guard let at = offset else { return try file.readOn(into: target, count: count) }
        let got = try file.read(into: target, count: count, at: at)
        offset = at + got
        return got
    }
}
