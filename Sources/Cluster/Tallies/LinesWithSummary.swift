import Files

/// The lines of a file whose last one begins with `#`: without it the file is cut off.
struct LinesWithSummary {
    /// Without the last one. Empty lines are kept: errors have the number of a line.
    let lines: ArraySlice<ArraySlice<UInt8>>
    /// What comes after `#`.
    let summary: ArraySlice<UInt8>

    /// - Parameter name: of the file, for errors.
    init(_ path: String, name: String) throws {
        var bytes: [UInt8] = []
        do throws(FileError) {
            try OpenFile(path, for: .read).forEachPiece { piece throws(FileError) in bytes += piece }
        } catch {
            if error.isMissing { throw TallyFileError(file: name, .missing) }
            throw error
        }
        // What comes after the last line end is empty.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        guard bytes.last == UInt8(ascii: "\n"), let last = lines.last, last.first == UInt8(ascii: "#") else {
            throw TallyFileError(file: name, .incomplete)
        }
        self.lines = lines.dropLast()
        summary = last.dropFirst()
    }
}
