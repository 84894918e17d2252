internal import Trips

extension ProfileSuggestion {
    /// The proposal as the text of a profile, which loads unchanged unless `problems` has entries.
    ///
    /// Comments carry what is in doubt. No value of an identifying column is in it, and no header name of a file whose
    /// first row may be data.
    package var yaml: String {
        var lines = ["# Proposed by `tripkpi map suggest`. Check the lines marked “# ?”, then read the others."]
        lines += problems.map { "# MISSING: \($0)" } + doubts.map { "# ? \($0)" }
        guard !isHeaderless else {
            lines += findingLines
            return lines.joined(separator: "\n") + "\n"
        }
        lines += gaps.list.map { ["# Not found: \($0)"] } ?? []
        lines += sourceReasons
        lines.append("source: \(Self.quoted(source))")
        if !recordsPath.isEmpty {
            lines += ["format: json", "records_path: \(Self.quoted(recordsPath.joined(separator: ".")))"]
        }
        if let kind = recordKind ?? (areUnits ? .units : nil) {
            let reason =
                switch kind {
                case .versions: "a later record of a trip replaces the earlier"
                case .lines: "records of one trip differ in code or sign: charge lines, which are added up"
                case .units: "records of one incident are of several vehicles that were sent"
                case .events: "records of one trip differ in the event: status changes"
                }
            lines.append("records: \(kind.rawValue)  # ? \(reason)")
        }
        if let encoding {
            lines.append("encoding: \(encoding.rawValue)  # ? it has bytes that are no UTF-8: check names with accents")
        }
        if !sheets.isEmpty {
            lines.append("sheets: [\(sheets.map(Self.quoted).joined(separator: ", "))]")
        }
        if !hasHeader { lines.append("header: false  # columns are named by their numbers: #1 is the first") }
        if hasSecondHeaderRow { lines.append("header_rows: 2  # the second row looks like a header too") }
        lines +=
            numberLines + columnLines + dateLines + intervalLines + regionLines + valueLines + unmappedLines
            + findingLines + ruleLines
        return lines.joined(separator: "\n") + "\n"
    }

    /// How amounts and distances are written, where that is not the usual.
    private var numberLines: [String] {
        let metric: Set<String> = ["km", "kms", "kilometer", "kilometers", "kilometre", "kilometres"]
        let isMetric = columns.contains { column in
            guard column.isProposed, column.isAmount, column.field != .cost, let name = column.name else {
                return false
            }
            return !metric.isDisjoint(with: HeaderName(name).words)
        }
        let areCents = columns.contains { column in
            column.isProposed && column.field == .cost && HeaderName(column.name ?? "").words.contains("cents")
        }
        let units = (isMetric ? ["distance: km"] : []) + (areCents ? ["cost: cents"] : [])
        let doubtful = doubtfulMark.map {
            "decimal: \($0.rawValue)  # ? costs look like 9.999: comma if the point divides thousands, point if it begins a fraction"
        }
        return (hasDecimalComma ? ["decimal: comma  # amounts look like 9,99"] : []) + [doubtful].compactMap(\.self)
            + (units.isEmpty ? [] : ["units: {\(units.joined(separator: ", "))}  # ? by the name of a column"])
    }

    private var columnLines: [String] {
        var lines = ["", "columns:"]
        if hasNoTripIDs { lines.append("  trip_id: none  # no column can be an id: each record is a trip") }
        for field in CanonicalField.allCases {
            for column in columns where column.field == field {
                let place = isJSON ? "" : "column \(column.position), "
                let reasons =
                    "\(column.isDoubtful ? "? " : "")\(place)\(column.confidencePercent) %: "
                    + column.reasons.joined(separator: "; ")
                let line = "\(field.rawValue): \(Self.quoted(column.reference ?? ""))  # \(reasons)"
                lines.append((column.isProposed ? "  " : "  # ") + line)
            }
        }
        if !columns.contains(where: \.isProposed), !hasNoTripIDs { lines[1] = "columns: {}" }
        return lines
    }

    /// The observed regions that may be shown as the list of regions, unless most of them are configured already.
    private var regionLines: [String] {
        guard let values = values[.region] else { return [] }
        var names: [String] = []
        for value in values.shown where Self.canBeName(value.text) {
            if !names.contains(where: { $0.lowercased() == value.text.lowercased() }) { names.append(value.text) }
        }
        let known = values.shown.count { $0.meaning != nil }
        let hidden = values.hiddenShapes.values.reduce(0, +)
        let isConfigured = known * 2 >= names.count + hidden
        guard hidden > 0 || !isConfigured else { return [] }
        let lines =
            ["", "# Trips of regions that are not on the list are Unassigned."] + Self.hiddenLines(values, "regions")
        if isConfigured { return lines }
        if names.isEmpty { return lines + ["# regions:", "#   - NAME"] }
        return lines + ["regions:"] + names.map { "  - \(Self.quoted($0))" }
    }

    /// Comments about values that occur often and are not shown.
    private static func hiddenLines(_ values: ListedValues, _ what: String) -> [String] {
        guard !values.hiddenShapes.isEmpty else { return [] }
        let count = values.hiddenShapes.values.reduce(0, +)
        let shapes = values.hiddenShapes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(mostShapes)
            .map { ($0.value > 1 ? "\($0.value) of " : "") + quoted($0.key) }
        let rest = values.hiddenShapes.count > mostShapes ? ", …" : ""
        return [
            "# Not shown, since a value may be a name or an address: \(count). Add those that are \(what).",
            "# Their shapes, A for a letter and 9 for a digit: \(shapes.joined(separator: ", "))\(rest)",
        ]
    }

    private static let mostShapes = 6

    /// Whether the list of regions takes it.
    private static func canBeName(_ text: String) -> Bool {
        (1...64).contains(text.count) && !["all", "unassigned"].contains(text.lowercased())
    }

    private var valueLines: [String] {
        var lines: [String] = []
        for field in [CanonicalField.status, .tripType, .region] {
            guard let values = values[field],
                field == .status || !values.shown.isEmpty || (field != .region && !values.hiddenShapes.isEmpty),
                field != .region || regionLines.isEmpty
            else { continue }
            var keys: Set<String> = []
            let distinct = values.shown.filter { keys.insert($0.text.lowercased()).inserted }
            // Usual words for a status, whether they occur or not: a rare one would reject its record.
            let usual = field == .status ? StandardValues.status.filter { !keys.contains($0.key) } : [:]
            lines.append("  \(field.rawValue):")
            let isEmpty = usual.isEmpty && !distinct.contains { $0.meaning != nil }
            lines.append(isEmpty ? "    map: {}" : "    map:")
            for value in distinct {
                let key = Self.quoted(value.text)
                let mark = value.isGuess ? "  # ?" : ""
                let line = value.meaning.map { "      \(key): \(Self.quoted($0))\(mark)" }
                lines.append(line ?? "      # \(key): ?")
            }
            lines += usual.sorted { $0.key < $1.key }
                .map { "      \(Self.quoted($0.key)): \(Self.quoted($0.value))" }
            if field != .region {
                let what = field == .status ? "statuses" : "trip types"
                lines += Self.hiddenLines(values, what).map { "      " + $0 }
            }
        }
        return lines.isEmpty ? [] : ["", "values:"] + lines
    }

    /// A first rule set, in comments: who ran a trip is known to the reader only.
    private var ruleLines: [String] {
        let candidates: [CanonicalField] = [.providerID, .providerName, .vehicleID]
        // A column that is only mentioned is better than none.
        let field =
            candidates.first { field in columns.contains { $0.field == field && $0.isProposed } }
            ?? candidates.first { field in columns.contains { $0.field == field } }
        guard let field else { return [] }
        return [
            "", "# Which trips are in-house, which contracted? The default rules decide by HCPCS modifier, contract,",
            "# and invoice, and know no provider. For rules of your own, save these lines without “# ” and add `--rules FILE`:",
            "# name: \(source)",
            "# rules:",
            "#   - id: own-service",
            "#     reason: The trip was run by our own service.",
            "#     when: {in: {\(field.rawValue): [OUR-SERVICE]}}",
            "#     then: inHouse",
            "#   - id: other-service",
            "#     reason: The trip was run by another service.",
            "#     when: {present: \(field.rawValue)}",
            "#     then: contracted",
        ]
    }

    private var unmappedLines: [String] {
        let used = Set((clockDates?.columns ?? []) + statedIntervals.map(\.column))
        let unmapped = columns.filter { $0.field == nil && !used.contains($0.position - 1) }
        guard !unmapped.isEmpty else { return [] }
        return ["", "# Not mapped:"]
            + unmapped.map { column in
                let name = isJSON ? "" : column.name.map { " (\(Self.printable($0)))" } ?? ""
                return "# - \(place(column.position - 1))\(name): \(column.reasons.joined(separator: "; "))"
            }
    }

    private var findingLines: [String] {
        findings.isEmpty
            ? []
            : ["", "# Looks like PHI; not mapped, not read:"]
                + findings.map { finding in
                    let evidence = finding.isByValues ? "values" : "name"
                    let place = columns.isEmpty ? "column \(finding.position)" : place(finding.position - 1)
                    return "# - \(place): \(finding.sign.rawValue) (by its \(evidence))"
                }
    }

    /// A YAML text in double quotes.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case _ where scalar.isInvisible:
                let digits = String(scalar.value, radix: 16)
                let (letter, width) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
                quoted += "\\" + letter + String(repeating: "0", count: width - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// For a comment: without line ends and invisible characters.
    static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isInvisible }))
    }
}
