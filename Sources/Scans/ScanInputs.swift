package import ExportBytes
import Intake

/// The exports of a scan as they were when each was opened.
package struct ScanInputs: Sendable {
    private(set) var readers: [ExportReader] = []

    package init() {}

    mutating func add(_ reader: ExportReader) { readers.append(reader) }

    /// Throws if one of them was changed or replaced since.
    ///
    /// Call it after the last reading of any of them and before anything is published: what was read in between is then
    /// one state of each file, however often it was read.
    package func checkUnchanged() throws(ExportError) {
        for reader in readers { try reader.checkUnchanged() }
    }
}
