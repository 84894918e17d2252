import Files
package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes a crosswalk again, without some trips.
///
/// The new file is complete beside the old one before the store commits the mark of it, and takes its place afterwards. After a
/// kill in between `finish` does the rest: the store's mark says which of the two files is right.
package struct CrosswalkRewriting {
    private let paths: CrosswalkPaths
    private let credentials: String?

    package init(_ paths: CrosswalkPaths, credentials: String? = nil) {
        self.paths = paths
        self.credentials = credentials
    }

    private var newPath: String { paths.file + ".rewritten" }

    /// - Parameters:
    ///   - mark: the store's; nil: it has none of this file.
    ///   - keeps: whether a trip's identifiers stay.
    /// - Returns: the mark of the new file.
    package func write(
        mark: CrosswalkMark?,
        keeps: (_ source: String, _ trip: ArraySlice<UInt8>, _ leg: ArraySlice<UInt8>, _ patient: ArraySlice<UInt8>) ->
            Bool
    ) throws -> CrosswalkMark {
        try removeNew()
        var newPaths = paths
        newPaths.file = newPath
        // The key is there: it is that of the old file.
        let writer = try CrosswalkWriter(newPaths, credentials: credentials)
        try writer.begin(mark: nil)
        try CrosswalkReader(paths, credentials: credentials).read(mark: mark) { source, block in
            var kept = IdentifierBlock()
            defer { kept.wipe(SecretBytes.wipe) }
            block.revealed(for: .removing).forEach { trip, leg, patient in
                if keeps(source, trip, leg, patient) { kept.append(tripID: trip, legID: leg, patientID: patient) }
            }
            try writer.append(Sensitive(kept), source: source)
        }
        return try writer.seal()
    }

    /// Puts the new file in its place if it is the one that the store knows, and removes it if it is not.
    ///
    /// - Parameter mark: the store's.
    package func finish(_ mark: CrosswalkMark?) throws {
        guard try FileStatus.lookUp(newPath) != nil else { return }
        let bytes = try OpenFile(newPath, for: .read).read(count: CrosswalkHeader.byteCount)
        guard let mark, bytes.count == CrosswalkHeader.byteCount, Hexadecimal.text(bytes[24..<40]) == mark.fileID else {
            return try removeNew()
        }
        try FileMove.rename(newPath, to: paths.file)
        try OpenFile.sync(folder: FilePath.folder(of: paths.file))
    }

    private func removeNew() throws {
        guard try FileStatus.lookUp(newPath) != nil else { return }
        guard unlink(newPath) == 0 else { throw FileError(newPath, "be removed") }
    }
}
