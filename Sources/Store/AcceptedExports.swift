/// Exports that may have a fault that the last run refused them for.
package struct AcceptedExports: Sendable, Hashable {
    /// By SHA-256 of the export.
    let faults: [String: AcceptableFault]

    /// The fault that was waived; nil if the export is to be checked as any other.
    package subscript(sha256: String) -> AcceptableFault? { faults[sha256] }

    /// - Parameter sha256: of the export; called only if any export is accepted.
    package func allow(_ fault: AcceptableFault, _ sha256: () throws -> String) rethrows -> Bool {
        guard !faults.isEmpty, let waived = faults[try sha256()] else { return false }
        return waived >= fault
    }
}
