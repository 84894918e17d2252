#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension ExportReader {
    /// Bytes of the file as it lies on the disk; nil for a pipe.
    package var fileBytes: Int? { file.size }

    /// How much of the file is taken so far, for a progress bar: what of a compressed or transcoded file was read, or
    /// the place of a record met last.
    package func bytesTaken(atRecordOffset offset: Int) -> Int {
        if isRepeatable { return offset }
        let position = lseek(file.descriptor, 0, SEEK_CUR)
        return position < 0 ? offset : Int(position)
    }
}
