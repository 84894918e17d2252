import Intake

/// The exports of a scan as they were when each was opened.
struct ScanInputs: Sendable {
    private(set) var readers: [ExportReader] = []

    mutating func add(_ reader: ExportReader) { readers.append(reader) }

    /// Throws if one of them was changed or replaced since.
    ///
    /// Call it after the last reading of any of them and before anything is given out: what was read in between is then
    /// one state of each file, however often it was read.
    func checkUnchanged() throws(ScanError) {
        do throws(ExportError) {
            for reader in readers { try reader.checkUnchanged() }
        } catch {
            throw .export(error)
        }
    }
}
