import Intake
import Profiles
package import Trips

/// A profile proposed for a new source: what `map suggest` prints. No value of a column that could point at a person is
/// in it.
package struct ProfileProposal: Sendable {
    /// The text of a profile.
    package let yaml: String
    /// What a person should know beside it, a line each.
    package let notes: [String]

    /// - Parameter profileName: the `source` it states: part of every trip's key from then on.
    package init(path: String, profileName: String) throws {
        guard Self.isName(profileName) else { throw ProfileProposalError.badName }
        let preview = try ExportPreview(path: path)
        let content = preview.content.revealed(for: .masking)
        let suggestion = ProfileSuggestion(header: content.header, rows: content.rows, source: profileName)
        guard !suggestion.isHeaderless else {
            throw ProfileProposalError.headerless(file: preview.name, columns: content.header.count)
        }
        guard preview.rowCount > 0 else { throw ProfileProposalError.noRecords(file: preview.name) }
        yaml = suggestion.yaml
        notes = Self.notes(suggestion, preview)
    }

    private static func notes(_ suggestion: ProfileSuggestion, _ preview: ExportPreview) -> [String] {
        let proposed = suggestion.columns.filter(\.isProposed)
        let doubtful = suggestion.columns
            .filter { $0.field != nil && (!$0.isProposed || $0.confidencePercent < 75) }.map { String($0.position) }
        let form = [preview.format.rawValue, preview.encoding.rawValue, preview.isCompressed ? "gzip" : nil]
        var notes = [
            "\(preview.name): \(form.compactMap { $0 }.joined(separator: ", ")); \(preview.rowCount) of "
                + "\(preview.recordCount) records looked at",
            "\(proposed.count) of \(suggestion.columns.count) columns are proposed"
                + (doubtful.isEmpty ? "" : "; in doubt: column " + doubtful.joined(separator: ", ")),
        ]
        notes += suggestion.problems.map { "missing: \($0)" }
        notes += suggestion.findings.map {
            "column \($0.position) looks like PHI: \($0.sign.rawValue); it is not mapped"
        }
        notes.append(
            "next: read every line, save it as a file, then try it with `tripkpi scan --dry-run --profile THAT-FILE`")
        return notes
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}

/// Why no profile can be proposed.
package enum ProfileProposalError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case badName
    case headerless(file: String, columns: Int)
    case noRecords(file: String)

    package var failureKind: FailureKind { .data }

    package var description: String {
        switch self {
        case .badName:
            "the profile's name is not a plain name; use up to 64 letters, digits, “-”, “_” and “.”, such as cad-north"
        case .headerless(let file, let columns):
            "\(file): the first row (\(columns) columns) does not look like a header, so it may be a person's record and "
                + "none of it is shown; give the file a header row"
        case .noRecords(let file):
            "\(file): no record of it can be read; check its format, and in JSON that the records lie in an array at the "
                + "top or one on each line"
        }
    }
}
