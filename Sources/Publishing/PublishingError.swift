package import Files
package import Trips

/// Why a set cannot be published, switched or read. Whatever it is, the set that `current` points at still stands.
package enum PublishingError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// The file system refused.
    case system(FileError)
    /// A name that could lead out of its folder.
    case unsafeName(String)
    case repeatedName(String)
    /// Something else stands where a folder or a link of ours belongs.
    case notOurs(path: String, expected: String)
    /// The set to publish says it is older than the one that is published.
    case clockBehind(generatedAt: String, published: String)
    case damaged(run: String, findings: [String])
    case unknownRun(String)
    case nothingPublished(root: String)
    case nothingToGoBackTo(root: String)

    package var failureKind: FailureKind {
        switch self {
        case .system(let error): error.failureKind
        case .notOurs: .cannotCreate
        case .unsafeName: .usage
        case .repeatedName: .internalBug
        case .clockBehind: .configuration
        case .damaged: .data
        case .unknownRun, .nothingPublished, .nothingToGoBackTo: .inputMissing
        }
    }

    package var description: String {
        switch self {
        case .system(let error): "\(error.path): cannot \(error.action) (\(error.reason)); \(Self.remedy(error))"
        case .unsafeName(let name):
            "“\(name.prefix(40))” cannot be a name in a published set; use letters, digits, “.”, “_” and “-”"
        case .repeatedName(let name):
            "the set has two files named \(name); please report this bug"
        case .notOurs(let path, let expected):
            "\(path): it is not \(expected), and tripkpi does not replace what it did not make; move it away, or name "
                + "another folder with --reports"
        case .clockBehind(let generatedAt, let published):
            "the clock says \(generatedAt), but the published set was made at \(published); set the clock right (or "
                + "SOURCE_DATE_EPOCH later), or, if it is right now, run tripkpi publish --clock-is-right"
        case .damaged(let run, let findings):
            "\(run) is damaged (\(findings.prefix(3).joined(separator: "; "))); choose another with tripkpi publish "
                + "--list, or publish again"
        case .unknownRun(let run):
            "there is no published run \(run); tripkpi publish --list names them"
        case .nothingPublished(let root):
            "\(root): nothing is published there; run tripkpi run, or name the folder with --reports"
        case .nothingToGoBackTo(let root):
            "\(root): there is no earlier set to go back to; tripkpi publish --list names what there is"
        }
    }

    private static func remedy(_ error: FileError) -> String {
        if error.isFull { return "free some space; what was published before still stands" }
        if error.isPermission { return "check who owns the folder and its mode" }
        if error.isReadOnly { return "mount it for writing, or name another folder with --reports" }
        return "check the folder and its file system"
    }
}
