import ExportBytes
import Profiles
package import Trips

/// Which of the columns that a profile maps an export has, and which it lacks.
package struct ColumnInventory: Sendable, Hashable {
    /// A mapped column that an export lacks.
    package struct Lacking: Sendable, Hashable, CustomStringConvertible {
        package var field: CanonicalField
        /// As the profile writes them: any one of them would do.
        package var names: [String]

        /// `cost (“Total Cost”)`.
        package var description: String {
            "\(field.rawValue) (\(names.map { "“\($0)”" }.joined(separator: " or ")))"
        }
    }

    /// The columns to remember: in JSON those keys that at least half of the first records have.
    package private(set) var usual: [ColumnUse] = []
    package private(set) var lacking: [Lacking] = []
    /// Whether lacking columns are an error where the profile requires them, or the source had them before. JSON has no
    /// header: a key may first come after the few records that were looked at.
    package let isCertain: Bool
    private var met: Set<CanonicalField> = []
    /// Nil: the header speaks for itself, and maps whatever it has.
    private let mapped: Set<CanonicalField>?

    /// Of JSON keys: in how many of the first records each of them is.
    struct KeyCounts {
        var records = 0
        var recordsByKey: [String: Int] = [:]
        /// Whether there are no other records.
        var isAll = false
    }

    /// So many records show which keys the others have.
    private static let sureRecords = 16

    /// - Parameters:
    ///   - header: column names (CSV), or the keys of the first records (JSON).
    ///   - isPlain: the profile was made from the header.
    ///   - keys: nil for CSV.
    init(profile: Profile, header: [String], isPlain: Bool, keys: KeyCounts?) {
        isCertain = keys.map { $0.records > 0 && ($0.isAll || $0.records >= Self.sureRecords) } ?? true
        mapped = isPlain ? nil : Set(profile.columns.keys)
        if keys?.records == 0 { return }
        let index = HeaderIndex(header)
        for use in ColumnUse.all(profile: profile, header: header, isJSON: keys != nil) {
            met.insert(use.field)
            let name = index.column(of: use.field, in: profile).map { header[$0] } ?? ""
            if let keys, (keys.recordsByKey[name] ?? 0) * 2 < keys.records { continue }
            usual.append(use)
        }
        guard !isPlain else { return }
        for field in CanonicalField.allCases where !met.contains(field) {
            if let names = profile.columns[field] { lacking.append(Lacking(field: field, names: names)) }
        }
        for table in profile.lookups where !table.regions.isEmpty && index.column(named: table.column) == nil {
            // A table may name a field in place of a column.
            if CanonicalField(rawValue: table.column).map(met.contains) == true { continue }
            lacking.append(Lacking(field: .region, names: [table.column]))
        }
    }

    /// `2 mapped columns are missing: cost (“Total Cost”), region (“Area”)`; nil: none is missing.
    package var sentence: String? {
        guard !lacking.isEmpty else { return nil }
        let list = lacking.map(\.description).joined(separator: ", ")
        let what = lacking.count == 1 ? "1 mapped column is missing" : "\(lacking.count) mapped columns are missing"
        return isCertain ? "\(what): \(list)" : "\(what) from the first records: \(list)"
    }

    /// The fields among `before` that the export should have by its profile, and lacks.
    package func gone(since before: [CanonicalField]) -> [CanonicalField] {
        guard isCertain else { return [] }
        return before.filter { !met.contains($0) && mapped?.contains($0) != false }
    }

    /// - Throws: if a column that the profile requires is missing.
    func check(required: Set<CanonicalField>, source: String, file: String) throws(ExportError) {
        let missing = lacking.filter { required.contains($0.field) }
        guard isCertain, !missing.isEmpty else { return }
        let columns = missing.map(\.description).joined(separator: ", ")
        throw ExportError(
            kind: .missingColumns, file: file, problem: "no column for \(columns), which profile \(source) requires",
            remedy: "correct the column in the profile, or have the export made with it")
    }
}
