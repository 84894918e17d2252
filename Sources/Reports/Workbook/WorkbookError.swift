#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Why a workbook could not be written: what, where, and how to mend it. Never a cell's content.
package struct WorkbookError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable {
        case cannotCreate = "cannot_create"
        case cannotWrite = "cannot_write"
        case cannotReplace = "cannot_replace"
        case library = "library"
        case tooLarge = "too_large"
    }

    package var code: Code
    /// The file, sheet or step.
    package var place: String
    /// What the system or libxlsxwriter said.
    package var reason: String

    package init(_ code: Code, place: String, reason: String) {
        self.code = code
        self.place = place
        self.reason = reason
    }

    /// Whether the system refused it for want of rights.
    package var isPermission: Bool {
        [EACCES, EPERM].contains { String(cString: strerror($0)) == reason }
    }

    package var description: String {
        switch code {
        case .cannotCreate:
            "cannot create the workbook in \(place): \(reason); check that the folder exists and may be written to"
        case .cannotWrite:
            "cannot write the workbook at \(place): \(reason); check the free space and the permissions of the folder"
        case .cannotReplace:
            "cannot move the finished workbook to \(place): \(reason); close it where it is open, or name another file"
        case .library:
            "libxlsxwriter refused a part of the workbook (\(place)): \(reason); report this as a bug"
        case .tooLarge:
            "the workbook has no room for \(place): \(reason); ask for fewer months, or use --format csv"
        }
    }
}
