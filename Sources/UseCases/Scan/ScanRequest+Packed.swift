package import ExportBytes
import Intake

extension ScanRequest {
    /// Takes the members of zip files for exports of their own.
    package mutating func unpackInputs() throws(ExportError) {
        let packed = try PackedExports(inputs)
        inputs = Self.oldestFirst(packed.paths)
        inputNotes = packed.notes
    }
}
