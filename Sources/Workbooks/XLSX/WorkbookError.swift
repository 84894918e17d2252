package import Trips

/// Why a workbook could not be made: what, where, and how to fix it. Never a cell's content. A file that cannot be created
/// or replaced is a `FileError`.
package struct WorkbookError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable {
        case cannotWrite = "cannot_write"
        case library = "library"
        case tooLarge = "too_large"
    }

    package var code: Code
    /// The file, sheet or step.
    package var place: String
    /// What libxlsxwriter said.
    package var reason: String

    package init(_ code: Code, place: String, reason: String) {
        self.code = code
        self.place = place
        self.reason = reason
    }

    package var failureKind: FailureKind {
        switch code {
        case .cannotWrite: .inputOutput
        case .library: .internalBug
        case .tooLarge: .data
        }
    }

    package var description: String {
        switch code {
        case .cannotWrite:
            "cannot write the workbook at \(place): \(reason); check the free space and the permissions of the folder"
        case .library:
            "libxlsxwriter refused a part of the workbook (\(place)): \(reason); report this as a bug"
        case .tooLarge:
            "the workbook has no room for \(place): \(reason); ask for fewer months, or use --format csv"
        }
    }
}
