package import Trips

/// A profile proposed for a new source, from its header and a sample of its rows (`tripkpi map suggest`).
///
/// It gives its confidence in each column and the reasons, marks what is in doubt, leaves open what it cannot know (the zone,
/// day or month, what a value means), and shows no value but those that `ValueCounts` lists.
package struct ProfileSuggestion: Sendable {
    /// What one column of the file may be.
    package struct Column: Sendable {
        /// From 1.
        package let position: Int
        /// The name if it may be shown.
        package let name: String?
        package internal(set) var field: CanonicalField?
        /// 0 to 100; 0 where no field is proposed.
        package internal(set) var confidencePercent = 0
        /// Why, or why not.
        package internal(set) var reasons: [String] = []
        /// Whether it is part of the profile, or only mentioned.
        package internal(set) var isProposed = false
        /// Whether a person must check it: its line has a question mark.
        package internal(set) var isDoubtful = false
        /// How a profile names it: by its number if other columns have the same name, or it has none.
        var reference: String? { isNameShared ? HeaderIndex.numberName(position - 1) : name }
        /// The same; its number if its name is not shown.
        var uniqueName: String { reference ?? HeaderIndex.numberName(position - 1) }
        let isNameShared: Bool
        let dates: DateFinding

        /// Whether it is proposed for a field of dates.
        var isDate: Bool { field.map { ProfileReader.dateFields.contains($0) } ?? false }

        /// Whether it is proposed for a field of money or distances that a decimal mark applies to.
        var isAmount: Bool {
            [.cost, .loadedMiles, .unloadedMiles, .odometerStart, .odometerEnd, .estimatedMiles].contains(field)
        }
    }

    /// The name of the system that the profile states.
    package let source: String
    /// Why it is that one; none where a person chose it.
    package let sourceReasons: [String]
    /// In file order.
    package internal(set) var columns: [Column]
    /// The first row is data: there is nothing to propose.
    package let isHeaderless: Bool
    package let hasSecondHeaderRow: Bool
    /// Whether a row names the columns; else their names are their numbers.
    let hasHeader: Bool
    /// Columns that look like PHI and are not proposed for any field.
    package private(set) var findings: [PHIColumnCheck.Finding] = []
    /// What the profile leaves out because only a person can choose, in words.
    package private(set) var doubts: [String] = []
    /// What a loader would miss, in words.
    package private(set) var problems: [String] = []
    /// Of the columns proposed as status, trip type and region.
    private(set) var values: [CanonicalField: ListedValues] = [:]
    /// Whether no column can be an id, so that each record is a trip.
    package private(set) var hasNoTripIDs = false
    /// Where times of day have their date; nil: no proposed column has times of day.
    private(set) var clockDates: ClockDates?
    /// Columns that have an interval themselves.
    private(set) var statedIntervals: [StatedIntervalSuggestion] = []
    /// Where the records of a JSON document lie; empty: at the top.
    let recordsPath: [String]
    /// What the profile must say of it; nil: nothing.
    let encoding: TextEncoding?
    /// Names or numbers of the sheets of a workbook that a person chose.
    let sheets: [String]
    /// Whether columns are keys, which have names and no places.
    package let isJSON: Bool
    /// What a point before three digits seems to be in costs, where nothing proves it; nil: it is clear, or there is none.
    private(set) var doubtfulMark: DecimalMark?
    /// Whether amounts are written as `1234,50`.
    private(set) var hasDecimalComma = false
    /// What records are, where reading them showed it; nil: each is a version of a trip, or nothing was found.
    package var recordKind: RecordKind?
    /// What the figures would lack.
    package private(set) var gaps = MappingGaps([])

    /// The values of a column that may be shown, and how many of the others that occur often have each shape.
    struct ListedValues: Sendable {
        let shown: [Value]
        let hiddenShapes: [String: Int]
    }

    /// A value, and what it is or seems to mean (nil: a person must say).
    struct Value: Sendable {
        let text: String
        let meaning: String?
        /// Whether the meaning is only probable.
        let isGuess: Bool
    }

    /// - Parameters:
    ///   - header: the first row of the file.
    ///   - rows: a sample of the rows after it, decoded. Some hundred are enough if they are spread over the file: a day
    ///     above 12 settles what day and month are.
    ///   - source: nil: `plain` if the export can be loaded without a profile, else `defaultSource`.
    ///   - recordsPath: the keys that lead to the records of a JSON document.
    ///   - encoding: if the text does not show it.
    ///   - sheets: those of a workbook that a person chose.
    ///   - isHeader: whether a person says that the first row is a header.
    ///   - hasHeader: false: the names are those of `HeaderIndex.numberName`.
    package init(
        header: [String], rows: [[String]], source: String? = nil, defaultSource: String = "unnamed",
        recordsPath: [String] = [], encoding: TextEncoding? = nil, sheets: [String] = [], isJSON: Bool = false,
        isHeader: Bool = false,
        hasHeader: Bool = true, table: SynonymTable = .standard, vocabulary: Vocabulary = .standard
    ) {
        // What lies in a list is named with the keys that lead to it.
        let prefix = Self.innerPrefix(recordsPath)
        let names = header.map { name in
            prefix.map { name.hasPrefix($0) ? String(name.dropFirst($0.count)) : name } ?? name
        }
        let check = HeaderCheck(
            header: names, rows: rows, areKeys: isJSON, isConfirmed: isHeader || !hasHeader, table: table)
        let isPlain =
            source == nil && prefix == nil && Self.loadsWithoutProfile(header, rows, table, vocabulary)
        self.source = source ?? (isPlain ? Profile.plainSource : defaultSource)
        sourceReasons = isPlain ? Self.plainReasons : []
        self.recordsPath = recordsPath
        self.encoding = encoding
        self.sheets = sheets
        self.isJSON = isJSON
        isHeaderless = !check.isHeader
        hasSecondHeaderRow = hasHeader && check.hasSecondRow
        self.hasHeader = hasHeader
        guard check.isHeader else {
            columns = []
            findings = PHIColumnCheck.findings(header: header, mapped: [], rows: rows)
            problems = [
                "the first row does not look like a header: no column has a name, and none is shown because it may be"
                    + " a person's data. Give the file a header row, or add --header if it is one."
            ]
            return
        }
        let sample = (check.hasSecondRow ? Array(rows.dropFirst()) : rows).filter { isJSON || !RecordLine.isTotal($0) }
        let cells = header.indices.map { Self.values(of: $0, in: sample) }
        let dates = DateDetection.settled(cells.map(DateDetection.finding))
        let index = HeaderIndex(header)
        columns = header.indices.map {
            Column(
                position: $0 + 1, name: check.mayPrint($0) ? header[$0] : nil,
                isNameShared: !isJSON && (header[$0].isEmpty || index.columns(repeating: header[$0]) != nil),
                dates: dates[$0])
        }
        let stated = StatedIntervalSuggestion.all(
            names, cells, rows: sample, dates: dates, mayPrint: check.mayPrint)
        let lengths = Set(stated.map(\.column))
        assign(Self.candidates(header, names, cells, dates, table).filter { !lengths.contains($0.column) })
        let cancellation = proposeCancellation(names, cells)
        clockDates = ClockDates(columns)
        statedIntervals = StatedIntervalSuggestion.needed(stated, beside: columns)
        let order = TimeOrder(columns.indices.map { ($0, dates[$0]) }, rows: sample)
        placeUnknownTimes(order)
        checkOrder(order)
        settleDecimalMark(cells)
        for index in columns.indices where columns[index].isProposed {
            if let reason = columns[index].dates.orderDoubt { doubt(index, reason) }
            if columns[index].dates.isOfTwelveHours(cells[index]) {
                doubt(index, "all times are from 1:00 to 12:59: has its clock twelve hours, without AM and PM?")
            }
        }
        listValues(header, sample, vocabulary)
        if let cancellation { values[.status] = cancellation }
        let mapped = Set(columns.filter(\.isProposed).map { $0.position - 1 })
        findings = PHIColumnCheck.findings(header: header, mapped: mapped, rows: rows)
        hasNoTripIDs =
            !columns.contains { $0.field == .tripID || $0.field == .legID } && sample.count >= 5
            && IDCandidates.columns(header: names, rows: sample, table: table).isEmpty
        problems =
            Self.problems(of: columns, hasNoTripIDs: hasNoTripIDs) + unitProblems + dateProblems
            + (clockDates?.problems ?? [])
        doubts = sharedNameDoubts(header, table) + cancellationDoubts(names, cells) + intervalDoubts(names, cells)
        gaps = Self.gaps(of: columns, cells, stated: statedIntervals)
    }

    /// What was found out by using the proposal.
    package mutating func add(problem: String) { problems.append(problem) }

    /// Values that are not blank.
    private static func values(of index: Int, in rows: [[String]]) -> [String] {
        rows.compactMap { $0.indices.contains(index) ? $0[index].trimmingBlanks() : nil }.filter { !$0.isEmpty }
    }

    /// Amounts are read with one decimal mark: with that of the costs if they show one, else of any other proposed column.
    /// Columns with the other mark are not proposed.
    private mutating func settleDecimalMark(_ cells: [[String]]) {
        let amounts = columns.indices.filter { columns[$0].isProposed && columns[$0].isAmount }.map { index in
            (index: index, form: AmountColumn(cells[index], isMoney: columns[index].field == .cost))
        }
        let cost = amounts.first { columns[$0.index].field == .cost }
        guard !isJSON else { return }
        if let cost, cost.form.hasUnclearPoints {
            let others = amounts.contains { $0.index != cost.index && $0.form.mark == .point }
            doubtfulMark = cost.form.mark ?? (others ? .point : .comma)
            doubt(
                cost.index, "a point before three digits may divide thousands or begin a fraction: see “decimal:”")
        }
        let marks = amounts.compactMap(\.form.mark)
        let mark = doubtfulMark ?? cost?.form.mark ?? (marks.contains(.comma) ? .comma : nil)
        guard let mark else { return }
        hasDecimalComma = mark == .comma && doubtfulMark == nil
        for (index, form) in amounts where form.mark.map({ $0 != mark }) ?? false && columns[index].field != .cost {
            columns[index].isProposed = false
            columns[index].reasons.append("its decimal mark is another than that of the other amounts")
        }
    }

    private mutating func listValues(_ header: [String], _ rows: [[String]], _ vocabulary: Vocabulary) {
        let patient = columns.filter { column in
            (column.field == .patientID || column.field == .patientName)
                && !Self.values(of: column.position - 1, in: rows).isEmpty
        }.max { Self.rank($0) < Self.rank($1) }
        for index in columns.indices where columns[index].isProposed {
            guard let field = columns[index].field, [.status, .tripType, .region].contains(field) else { continue }
            let values: [(text: String, patient: String?)] = rows.compactMap { row in
                guard row.indices.contains(index) else { return nil }
                let text = row[index].trimmingBlanks()
                let own = patient.map {
                    row.indices.contains($0.position - 1) ? row[$0.position - 1].trimmingBlanks() : ""
                }
                return text.isEmpty ? nil : (text, own?.isEmpty == false ? own : nil)
            }
            let isOfPerson =
                PHIColumnCheck.sign(ofHeader: header[index]) != nil
                || PHIColumnCheck.sign(ofValues: values.map(\.text)) != nil
            let listed = ValueCounts.listed(isOfPerson ? [] : values, of: field, namesPatients: patient != nil)
            if !listed.hiddenShapes.isEmpty { doubt(index, "some values are not shown: add them below") }
            self.values[field] = ListedValues(
                shown: listed.shown.map { Self.value($0, of: field, in: vocabulary) }, hiddenShapes: listed.hiddenShapes
            )
        }
    }

    /// Of the columns that may name patients the best: an id before a name, a proposed one before another.
    private static func rank(_ column: Column) -> Int {
        (column.field == .patientID ? 2 : 0) + (column.isProposed ? 1 : 0)
    }

    private static func value(_ text: String, of field: CanonicalField, in vocabulary: Vocabulary) -> Value {
        if let known = StandardValues.value(of: text, for: field, in: vocabulary) {
            return Value(text: text, meaning: known, isGuess: false)
        }
        let guess =
            switch field {
            case .status: StandardValues.status(guessedFrom: text)
            case .tripType: StandardValues.tripType(guessedFrom: text)
            default: String?.none
            }
        let isKnown = field != .tripType || guess.flatMap { vocabulary.tripTypes.code(of: $0) } != nil
        return Value(text: text, meaning: isKnown ? guess : nil, isGuess: true)
    }

    private static func problems(of columns: [Column], hasNoTripIDs: Bool) -> [String] {
        let fields = Set(columns.filter(\.isProposed).compactMap(\.field))
        var problems: [String] = []
        if !fields.contains(.tripID) && !hasNoTripIDs {
            problems.append("no column is surely trip_id: add one that names each trip of a unit once")
        }
        if fields.isDisjoint(with: TripEvent.allCases.map(\.field) + [.serviceDate]) {
            problems.append("no column is surely a time or service_date: add at least one")
        }
        if columns.contains(where: { $0.isProposed && $0.reasons.contains(ColumnScore.unknownStatuses) }) {
            problems.append(
                "some values of the status have no meaning yet: map them below “values:”, or their records are rejected"
            )
        }
        return problems
    }
}

extension ProfileSuggestion {
    private typealias Candidate = (column: Int, score: ColumnScore)

    /// All fields that columns may be, the highest score first. Columns without a name of their own have none.
    private static func candidates(
        _ header: [String], _ names: [String], _ cells: [[String]], _ dates: [DateFinding], _ table: SynonymTable
    ) -> [Candidate] {
        var candidates: [Candidate] = []
        let hasDateColumn = ClockDates.isThere(header, dates)
        let uses = Dictionary(header.map { ($0, 1) }, uniquingKeysWith: +)
        for (index, name) in header.enumerated() where !name.trimmingBlanks().isEmpty && uses[name] == 1 {
            candidates += ColumnScore.scores(
                name: names[index], values: cells[index], dates: dates[index], hasDateColumn: hasDateColumn,
                table: table,
                names: .standard
            ).map { (index, $0) }
        }
        let order = Dictionary(CanonicalField.allCases.enumerated().map { ($1, $0) }) { first, _ in first }
        return candidates.sorted { left, right in
            (right.score.percent, order[left.score.field] ?? 0, left.column)
                < (left.score.percent, order[right.score.field] ?? 0, right.column)
        }
    }

    /// Gives each field the column of the highest score, and each column one field. Columns of the same score are a doubt
    /// to be settled by a person: none of them is proposed, but for a field that is only read to be removed.
    private mutating func assign(_ candidates: [Candidate]) {
        var owners: [CanonicalField: Candidate] = [:]
        for (column, score) in candidates where !columns[column].isProposed && columns[column].name != nil {
            let field = score.field
            let owner = owners[field]
            let isFree = owner == nil && score.percent >= ColumnScore.proposed
            guard isFree || columns[column].field == nil else { continue }
            columns[column].field = field
            columns[column].confidencePercent = score.percent
            columns[column].reasons = score.reasons
            columns[column].isProposed = isFree
            columns[column].isDoubtful = isFree && score.percent < ColumnScore.sure
            if isFree { owners[field] = (column, score) }
            guard let owner, score.percent >= ColumnScore.proposed else { continue }
            if owner.score.percent == score.percent, !field.isOnlyRemoved {
                columns[owner.column].isProposed = false
                columns[owner.column].isDoubtful = false
                columns[owner.column].reasons.append("\(place(column)) may be \(field.rawValue) too: choose one")
                columns[column].reasons.append("\(place(owner.column)) may be \(field.rawValue) too: choose one")
            } else {
                columns[column].reasons.append("\(place(owner.column)) is preferred for \(field.rawValue)")
            }
        }
        for index in columns.indices where columns[index].field == nil {
            let column = columns[index]
            columns[index].reasons = [column.name == nil ? "the name is not shown" : column.dates.unknownColumn]
            if column.isNameShared, let reference = column.reference {
                columns[index].reasons.append(
                    "its name is not its own: name it by its number, \(Self.quoted(reference))")
            }
        }
    }

    /// The columns proposed for events, in the order of the events.
    var proposedEvents: [(column: Int, event: TripEvent)] {
        TripEvent.allCases.compactMap { event in
            columns.firstIndex { $0.isProposed && $0.field == event.field }.map { ($0, event) }
        }
    }

    /// Events must come in their order. A pair that does not is a doubt, and so is the dispatch if times of an unknown
    /// column lie between it and the next event: the unit may have been notified only then.
    private mutating func checkOrder(_ order: TimeOrder) {
        let events = proposedEvents
        for (number, (first, _)) in events.enumerated() {
            for (second, _) in events[(number + 1)...]
            where order.isNearlyAlwaysIncreasing(from: first, to: second) == false {
                doubt(first, "its times are often after those of \(place(second))")
                doubt(second, "its times are often before those of \(place(first))")
            }
        }
        for unknown in columns.indices where columns[unknown].field == nil && columns[unknown].dates.hasTime {
            let before = events.last { order.comes(unknown, after: $0.0) }
            let after = events.first { order.comes($0.0, after: unknown) }
            let places = [before.map { "after \($0.1.field.rawValue)" }, after.map { "before \($0.1.field.rawValue)" }]
            let text = places.compactMap { $0 }.joined(separator: " and ")
            if !text.isEmpty { columns[unknown].reasons.append("nearly always \(text)") }
            if let before, before.1 == .unitNotified, !isNamedOtherwise(unknown) {
                doubt(before.0, "the times of \(place(unknown)) lie between it and the next event")
            }
        }
    }

    /// How comments call a column: `column 12`, in JSON by its key.
    package func place(_ index: Int) -> String {
        guard isJSON else { return "column \(index + 1)" }
        return columns[index].name.map { "key \(Self.printable($0))" } ?? "a key that is not shown"
    }

    /// Whether the name is known to mean no field: the column then raises no doubt about others.
    func isNamedOtherwise(_ index: Int) -> Bool {
        guard let name = columns[index].name else { return false }
        return SuggestedNames.standard.meanings(of: HeaderName(name)).entries.contains { $0.field == nil }
    }

    mutating func doubt(_ index: Int, _ reason: String) {
        columns[index].isDoubtful = true
        columns[index].reasons.append(reason)
    }
}

extension DateFinding {
    /// What to say of a column of these values whose name is not known.
    fileprivate var unknownColumn: String {
        if isMixedOrder { return "no known name; " + Self.mixedOrder }
        if areNumbers { return "no known name" }
        return switch kind {
        case .none: "no known name"
        case .dates: "no known name; values are dates (\(look))"
        case .times: "no known name; values are times (\(look))"
        case .clocks: "no known name; values are times of day"
        }
    }

    static let mixedOrder = "some values have the day first, others the month: have it exported in one form"
}
