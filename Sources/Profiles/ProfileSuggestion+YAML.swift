internal import Trips

extension ProfileSuggestion {
    /// The proposal as the text of a profile, which loads unchanged unless `problems` has entries.
    ///
    /// Comments carry what is in doubt. No value of an identifying column is in it, and no header name of a file whose
    /// first row may be data.
    package var yaml: String {
        var lines = ["# Proposed by `tripkpi map suggest`. Read every line before it is used."]
        lines += problems.map { "# MISSING: \($0)" }
        guard !isHeaderless else {
            lines += findingLines
            return lines.joined(separator: "\n") + "\n"
        }
        lines.append("source: \(Self.quoted(source))")
        if hasSecondHeaderRow { lines.append("header_rows: 2  # the second row looks like a header too") }
        lines += columnLines + dateLines + valueLines + unmappedLines + findingLines
        return lines.joined(separator: "\n") + "\n"
    }

    private var columnLines: [String] {
        var lines = ["", "columns:"]
        for field in CanonicalField.allCases {
            for column in columns where column.field == field {
                let reasons =
                    "column \(column.position), \(column.confidencePercent) %: "
                    + column.reasons.joined(separator: "; ")
                if let name = column.name {
                    let line = "\(field.rawValue): \(Self.quoted(name))  # \(reasons)"
                    lines.append((column.isProposed ? "  " : "  # ") + line)
                } else {
                    lines.append("  # \(field.rawValue): (name not shown)  # \(reasons)")
                }
            }
        }
        if lines.count == 2 { lines[1] = "columns: {}" }
        return lines
    }

    private var dateLines: [String] {
        var patterns: [DatePattern] = []
        var doubts: [(DatePattern, DatePattern)] = []
        for column in columns where column.isProposed && column.isDate {
            switch column.dates {
            case .pattern(let pattern) where !patterns.contains(pattern): patterns.append(pattern)
            case .ambiguous(let first, let second) where !doubts.contains { $0.0 == first }:
                doubts.append((first, second))
            default: break
            }
        }
        let zone = "zone: America/New_York  # fill in the zone of times without an offset"
        guard !patterns.isEmpty || !doubts.isEmpty else { return ["", "# dates:", "#   \(zone)"] }
        var lines = ["", "dates:", "  # \(zone)", patterns.isEmpty ? "  patterns: []" : "  patterns:"]
        lines += patterns.map { "    - \(Self.quoted($0.text))" }
        for (first, second) in doubts {
            let known = patterns.first { $0 == first || $0 == second }
            lines.append("    # In doubt: every value of some column can be read either way, as")
            lines.append("    # - \(Self.quoted(first.text))")
            lines.append("    # - \(Self.quoted(second.text))")
            lines.append(
                known.map { "    # Other columns are written as \(Self.quoted($0.text)); it will be read so." }
                    ?? "    # Ask the source, and move the right one into the list.")
        }
        return lines
    }

    private var valueLines: [String] {
        var lines: [String] = []
        for field in [CanonicalField.status, .tripType, .region] {
            guard let values = values[field], !values.isEmpty else { continue }
            lines.append("  \(field.rawValue):")
            lines.append(values.contains { $0.meaning != nil } ? "    map:" : "    map: {}")
            for value in values {
                let key = Self.quoted(value.text)
                lines.append(value.meaning.map { "      \(key): \(Self.quoted($0))" } ?? "      # \(key): ?")
            }
        }
        return lines.isEmpty ? [] : ["", "values:"] + lines
    }

    private var unmappedLines: [String] {
        let unmapped = columns.filter { $0.field == nil }
        guard !unmapped.isEmpty else { return [] }
        return ["", "# Not mapped:"]
            + unmapped.map { column in
                let name = column.name.map { " (\(Self.printable($0)))" } ?? ""
                return "# - column \(column.position)\(name): \(column.reasons.joined(separator: "; "))"
            }
    }

    private var findingLines: [String] {
        findings.isEmpty
            ? []
            : ["", "# Looks like PHI; not mapped, not read:"]
                + findings.map { finding in
                    let evidence = finding.isByValues ? "values" : "name"
                    return "# - column \(finding.position): \(finding.sign.rawValue) (by its \(evidence))"
                }
    }

    /// A YAML text in double quotes.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                quoted += "\\x" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            case "\u{2028}", "\u{2029}", "\u{FEFF}": quoted += "\\u" + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// For a comment: without anything that ends the line.
    private static func printable(_ text: String) -> String {
        let endings: Set<UInt32> = [0x2028, 0x2029, 0xFEFF]
        let scalars = text.unicodeScalars.filter { scalar in
            scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && !endings.contains(scalar.value)
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
