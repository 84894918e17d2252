import Files
import Intake
import Profiles
package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A profile proposed for a new source: what `map suggest` prints. It has no value that may be a name or an address.
package struct ProfileProposal: Sendable {
    /// The text of a profile.
    package let yaml: String
    /// What a person should know beside it, a line each.
    package let notes: [String]
    /// Whether it can be used as it is.
    private let isComplete: Bool

    /// - Parameters:
    ///   - profileName: the `source` it states: part of every trip's key from then on. Nil: `plain` if the export can be loaded
    ///     without a profile, since its trips may be in a store under that name; else `defaultName`.
    ///   - isHeader: whether a person says that the first row is a header.
    ///   - hasHeader: whether a row names the columns.
    ///   - sheets: names or numbers of the sheets of a workbook that hold trips; empty: those whose columns say so.
    package init(
        path: String, profileName: String?, defaultName: String, isHeader: Bool = false, hasHeader: Bool = true,
        sheets: [String] = []
    ) throws {
        guard Self.isName(profileName ?? defaultName) else { throw ProfileProposalError.badName }
        // Of an archive the first export speaks for all.
        let paths = try PackedExports([path]).paths
        let path = paths.first ?? path
        var preview = try ExportPreview(path: path, hasHeader: hasHeader, sheets: sheets)
        var content = preview.content.revealed(for: .masking)
        // Bytes that are no UTF-8 are of the encoding of older systems, of which nearly every byte is a letter.
        let isOlder = preview.encoding == .utf8 && !preview.isWorkbook && path != "-" && content.hasUnreadableBytes
        if isOlder {
            preview = try ExportPreview(path: path, hasHeader: hasHeader, encoding: .windows1252)
            content = preview.content.revealed(for: .masking)
        }
        let isJSON = preview.format == .json || preview.format == .ndjson
        let suggestion = ProfileSuggestion(
            header: content.header, rows: content.rows, source: profileName, defaultSource: defaultName,
            recordsPath: preview.recordsPath, encoding: isOlder ? preview.encoding : nil, sheets: sheets,
            isJSON: isJSON, isHeader: isHeader,
            hasHeader: isJSON || hasHeader)
        guard !suggestion.isHeaderless else {
            throw ProfileProposalError.headerless(
                file: preview.name, columns: content.header.count, isJSON: isJSON)
        }
        guard preview.rowCount > 0 else { throw ProfileProposalError.noRecords(file: preview.name, isJSON: isJSON) }
        var suggested = suggestion
        if preview.hidesRecordsPath {
            suggested.add(
                problem:
                    "the records are in a list whose name is not shown, as it may be a value: write “records_path:”, such as "
                    + "\"incidents[].units[]\"")
        }
        var trial = suggested.problems.isEmpty ? ProposalTrial(paths: paths, yaml: suggested.yaml) : nil
        // Whether costs are added up is a person's to say: of lines the refusal says how.
        if let kind = trial?.recordKind, kind == .units {
            var other = suggested
            other.recordKind = kind
            let second = ProposalTrial(paths: paths, yaml: other.yaml)
            if second.refusal == nil { (suggested, trial) = (other, second) }
        }
        if let refusal = trial?.refusal { suggested.add(problem: "a run with this profile is refused: \(refusal)") }
        yaml = suggested.yaml
        notes = Self.notes(suggested, preview) + [trial?.sentence].compactMap(\.self)
        isComplete = suggested.problems.isEmpty
    }

    /// The name of the source that a profile is for, by its file: `cad-north` of `profiles/cad-north.yaml`.
    package static func profileName(ofFile path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.hasSuffix(".yaml") ? name.dropLast(5) : name.hasSuffix(".yml") ? name.dropLast(4) : name)
    }

    /// Fails if the profile cannot be written there: a file is never overwritten.
    package static func check(output path: String) throws {
        guard FileStatus(path) == nil else { throw ProfileProposalError.exists(path) }
    }

    /// Writes the profile to a new file, whole or not at all; its folder is created if it is missing.
    package func write(to path: String) throws {
        try Self.check(output: path)
        mkdir(FilePath.folder(of: path), 0o777)
        let file = try AtomicFile(output: path)
        try file.append(Array(yaml.utf8))
        try file.publish(.new, mode: 0o644)
    }

    /// What to do with the profile; nil: it was printed.
    package func nextStep(writtenTo path: String?) -> String {
        let profile = path.map { $0.contains("/") ? $0 : "./\($0)" }
        let command = "`tripkpi scan FILE --profile \(profile ?? "./PROFILE.yaml")`"
        guard isComplete else { return "next: complete the lines marked MISSING, then run \(command)" }
        return path == nil ? "next: save it with --write PROFILE.yaml, then run \(command)" : "next: run \(command)"
    }

    private static func notes(_ suggestion: ProfileSuggestion, _ preview: ExportPreview) -> [String] {
        let proposed = suggestion.columns.filter(\.isProposed)
        let doubtful = proposed.filter(\.isDoubtful).map {
            suggestion.isJSON ? $0.name ?? "" : String($0.position)
        }
        let what = suggestion.isJSON ? "key" : "column"
        let form =
            preview.isWorkbook
            ? ["workbook"] : [preview.format.rawValue, preview.encoding.rawValue, preview.compression]
        var notes = [
            "\(preview.name): \(form.compactMap { $0 }.joined(separator: ", ")); \(preview.rowCount) of "
                + "\(preview.recordCount) records looked at",
            "\(proposed.count) of \(suggestion.columns.count) columns are proposed"
                + (doubtful.isEmpty ? "" : "; in doubt, marked “# ?”: \(what) " + doubtful.joined(separator: ", ")),
        ]
        notes += suggestion.problems.map { "missing: \($0)" } + suggestion.doubts.map { "check: \($0)" }
        notes += suggestion.gaps.list.map { ["not found: \($0)"] } ?? []
        if !suggestion.sourceReasons.isEmpty {
            notes.append("the source is “\(suggestion.source)”: the profile says why")
        }
        notes += suggestion.findings.map {
            "\(suggestion.place($0.position - 1)) looks like PHI: \($0.sign.rawValue); it is not mapped"
        }
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
    case exists(String)
    case headerless(file: String, columns: Int, isJSON: Bool)
    case noRecords(file: String, isJSON: Bool)

    package var failureKind: FailureKind {
        switch self {
        case .badName: .usage
        case .exists: .cannotCreate
        case .headerless, .noRecords: .data
        }
    }

    package var description: String {
        switch self {
        case .badName:
            "the name of the profile is not a plain name; use up to 64 letters, digits, “-”, “_” and “.”, such as cad-north"
        case .exists(let path): "\(path): the file exists and is not overwritten; name another file"
        case .headerless(let file, let columns, false):
            "\(file): the first row (\(columns) columns) does not look like a header, so it may be a person's record and "
                + "none of it is shown; give the file a header row, or run `tripkpi map suggest --header FILE` if it is one; if "
                + "the file has no header, `tripkpi map suggest --no-header FILE` names its columns by their numbers (`header: false`)"
        case .headerless(let file, let columns, true):
            "\(file): none of the \(columns) keys of its records is known, so they may be values and are not shown; if the "
                + "records lie deeper in the document, write a profile with “records_path:”; if they are names, add --header"
        case .noRecords(let file, false):
            "\(file): no record can be read: all rows have other numbers of fields than the header; look for commas in values without "
                + "quotes, and for blanks before quotes"
        case .noRecords(let file, true):
            "\(file): no record can be read; check its format. JSON records must be one on each line, or an array at the top "
                + "or below keys"
        }
    }
}
