package import Trips

/// Why something cannot be done about an export in quarantine.
package enum QuarantineError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case notAHash
    case unknown
    case nothingRejected
    case notWaived
    case isLoaded
    case reasonLength
    case reasonControl
    case fileNotFound(inbox: String)
    case otherFile

    package var failureKind: FailureKind {
        switch self {
        case .notAHash, .reasonLength, .reasonControl, .nothingRejected, .notWaived, .isLoaded: .usage
        case .unknown, .fileNotFound: .inputMissing
        case .otherFile: .data
        }
    }

    package var description: String {
        switch self {
        case .notAHash:
            "an export is named by the beginning of its SHA-256, 8 to 64 digits, as `tripkpi quarantine list` shows it"
        case .unknown:
            "no export that failed or was loaded begins with these digits; `tripkpi quarantine list` shows them"
        case .nothingRejected: "all records of this export were taken; there is nothing to waive"
        case .notWaived: "this export is not waived; there is nothing to take back"
        case .isLoaded: "this export is in the store; `tripkpi load --withdraw` would take it out"
        case .reasonLength: "--reason takes 1 to \(QuarantineService.maximumReason) characters; say why in a sentence"
        case .reasonControl: "--reason takes one line of plain text, without control characters"
        case .fileNotFound(let inbox): "\(inbox): no file in the inbox has this content; name the file after the hash"
        case .otherFile: "the file named has another content than this export; check the path or the hash"
        }
    }
}
