import ExportBytes
import Profiles
package import Trips

/// A mapped column that an export lacks.
package struct MissingColumn: Sendable, Hashable, CustomStringConvertible {
    package var field: CanonicalField
    /// As the profile writes them: any one of them would do.
    package var names: [String]

    /// `cost (“Total Cost”)`.
    package var description: String {
        "\(field.rawValue) (\(names.map { "“\($0)”" }.joined(separator: " or ")))"
    }
}

/// Which of the columns that a profile maps an export has, and which it lacks.
package struct ColumnInventory: Sendable, Hashable {
    /// The columns to compare later exports with: in JSON those keys that at least half of the first records have.
    package private(set) var remembered: [ColumnUse] = []
    package private(set) var missing: [MissingColumn] = []
    /// The columns that the profile says nothing of: their names, nil where a name may not be shown. Keys of JSON
    /// may be values.
    package private(set) var unmapped: [String?] = []
    /// Whether a missing column is an error where the profile requires it, or earlier exports had it. JSON has no header:
    /// there the first records decide, unless they are too few.
    package let isCertain: Bool
    private var present: Set<CanonicalField> = []
    /// Nil: the header speaks for itself, and maps whatever it has.
    private let mapped: Set<CanonicalField>?

    /// Of JSON keys: in how many of the first records each of them is.
    struct KeyCounts {
        var records = 0
        var recordsByKey: [String: Int] = [:]
        /// Whether there are no other records.
        var isAll = false
    }

    /// So many records show which keys the others have. A key that only later records have is taken for missing: a refusal
    /// can be waived, a cost column that was renamed would go unseen.
    private static let sureRecords = 16

    /// - Parameters:
    ///   - header: column names (CSV), or the keys of the first records (JSON).
    ///   - isPlain: the profile was made from the header.
    ///   - keys: nil for CSV.
    ///   - check: whether it is a header; nil: by its names alone.
    init(profile: Profile, header: [String], isPlain: Bool, keys: KeyCounts?, check: HeaderCheck? = nil) {
        let check = check ?? HeaderCheck(header: header)
        isCertain = keys.map { $0.isAll || $0.records >= Self.sureRecords } ?? true
        let tables = profile.lookups.filter { !$0.regions.isEmpty }
        mapped = isPlain ? nil : Set(profile.columns.keys).union(tables.isEmpty ? [] : [.region])
        if keys?.records == 0 { return }
        let index = HeaderIndex(header)
        func add(_ use: ColumnUse, _ name: String) {
            present.insert(use.field)
            if let keys, (keys.recordsByKey[name] ?? 0) * 2 < keys.records { return }
            remembered.append(use)
        }
        for use in ColumnUse.all(profile: profile, header: header, check, isJSON: keys != nil) {
            add(use, index.column(of: use.field, in: profile).map { header[$0] } ?? "")
        }
        // A table may name a field in place of a column.
        let lookups = tables.map { table in
            CanonicalField(rawValue: table.column).flatMap { index.column(of: $0, in: profile) }
                ?? index.column(named: table.column)
        }
        if !present.contains(.region), let column = lookups.compactMap(\.self).first {
            add(ColumnUse(field: .region, column: column, header: header, check, isJSON: keys != nil), header[column])
        }
        let used = PHIColumnCheck.mappedColumns(of: profile, in: header).union(lookups.compactMap(\.self))
        unmapped = header.indices.filter { !used.contains($0) }.map {
            keys == nil && check.mayPrint($0) ? header[$0] : nil
        }
        guard !isPlain else { return }
        for field in CanonicalField.allCases where !present.contains(field) {
            if let names = profile.columns[field] { missing.append(MissingColumn(field: field, names: names)) }
        }
        for (table, column) in zip(tables, lookups) where column == nil {
            missing.append(MissingColumn(field: .region, names: [table.column]))
        }
    }

    /// `2 mapped columns are missing: cost (“Total Cost”), region (“Area”)`; nil: none is missing.
    package var sentence: String? {
        guard !missing.isEmpty else { return nil }
        let list = missing.map(\.description).joined(separator: ", ")
        let what = missing.count == 1 ? "1 mapped column is missing" : "\(missing.count) mapped columns are missing"
        return isCertain ? "\(what): \(list)" : "\(what) from the first records: \(list)"
    }

    /// Whether the export has ids of legs; nil where that is not certain.
    package var hasLegs: Bool? {
        isCertain && !remembered.isEmpty ? remembered.contains { $0.field == .legID } : nil
    }

    /// Whether the export has a column for a field.
    func has(_ field: CanonicalField) -> Bool { present.contains(field) }

    /// The fields among `before` that the export should have by its profile, and lacks.
    package func missing(since before: [CanonicalField]) -> [CanonicalField] {
        guard isCertain else { return [] }
        return before.filter { !present.contains($0) && mapped?.contains($0) != false }
    }

    /// - Throws: if a column that the profile requires is missing.
    func check(required: Set<CanonicalField>, source: String, file: String) throws(ExportError) {
        let missing = missing.filter { required.contains($0.field) && !present.contains($0.field) }
        guard isCertain, !missing.isEmpty else { return }
        let columns = missing.map(\.description).joined(separator: ", ")
        throw ExportError(
            kind: .missingColumns, file: file, problem: "no column for \(columns), which profile \(source) requires",
            remedy: "correct the column in the profile, or have the export made with it")
    }
}
