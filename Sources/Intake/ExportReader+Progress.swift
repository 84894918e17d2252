extension ExportReader {
    /// Bytes of the file as it lies on the disk; nil for a pipe.
    package var fileBytes: Int? { file.size }

    /// How much of the file is taken so far, for a progress bar: what of a compressed or transcoded file was read, or
    /// the place of a record met last.
    package func bytesTaken(atRecordOffset offset: Int) -> Int {
        if isRepeatable { return offset }
        return file.position ?? offset
    }
}
