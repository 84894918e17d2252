import ExportBytes
import Foundation
import Profiles
import Rules
import Trips

/// What the first bytes of an export say about its columns, and the profile that goes with them.
struct ExportHeader {
    /// Column names (CSV), or the dotted keys met in the first records (JSON).
    var names: [String] = []
    var delimiter: UInt8 = 0x2C
    var dataStart = 0
    var profile: Profile
    var warnings: [String] = []
    /// The first records, as wide as `names` at most: to know whether the first row is a header, and how times are written.
    var sample: [[String]] = []
    /// What is known of the first row.
    private(set) var check = HeaderCheck(header: [])
    /// What it has of the columns that the profile maps.
    private(set) var inventory: ColumnInventory
    /// Of a JSON export.
    private var keyCounts = ColumnInventory.KeyCounts()
    var keysOfHead: Set<String> { Set(keyCounts.recordsByKey.keys) }
    /// Of a CSV file.
    static let mostColumns = 4096
    /// Records of a JSON export whose keys are looked at.
    private static let mostLines = 512
    private static let mostElements = 64
    static let mostSampled = 40
    /// Rows above the records that are no header.
    var rowsBeside: [BesideRow] = []
    /// What is unusual in how the text is written, a phrase each.
    var dialectNotes: [String] = []
    /// The keys that lead to the array of records of a JSON document.
    private var recordsPath: [String] = []
    /// Whether `\"` is a quote inside quotes.
    var hasBackslashQuotes = false
    /// See `CSVDialect.leastFieldCount`.
    var leastFieldCount: Int?
    /// There is no record: nothing below the header, or an array of none.
    var isEmpty = false
    private let format: ExportFormat

    var isJSON: Bool { format == .json || format == .ndjson }

    init(_ opening: ExportOpening, file: ExportFile, request: ExportReader.Request) throws(ExportError) {
        profile = request.profile ?? Profile(source: Profile.plainSource)
        format = opening.format
        inventory = ColumnInventory(profile: profile, header: [], isPlain: true, keys: nil)
        switch opening.format {
        case .csv, .tsv: try readRows(opening, file: file, request: request)
        case .json, .ndjson:
            recordsPath = opening.recordsPath
            readKeys(opening)
        }
        check =
            profile.hasHeader
            ? Self.check(names, isJSON ? [] : sample) : HeaderCheck(header: names, isConfirmed: true)
        try checkRepeatedNames(file.name)
        let found = names
        if request.profile == nil {
            do throws(PlainHeaderError) {
                // Without a record JSON has no key that could say what it is.
                if !isJSON || !isEmpty {
                    profile = try Profile.plain(
                        header: names, rows: isJSON ? [] : sample, source: Profile.plainSource,
                        vocabulary: request.vocabulary, mayLackIDs: request.mayLackIDs)
                }
                profile.zone = request.zone
                takeInventory(found, isPlain: true)
                if isJSON { addCanonicalKeys() }
            } catch {
                if isJSON, !check.isHeader {
                    throw ExportError(
                        kind: .missingColumns, file: file.name,
                        problem: "no field of its records is known by its name",
                        remedy:
                            "run `tripkpi map suggest FILE --header --write profiles/NAME.yaml` and load with that profile; if its "
                            + "records lie elsewhere in the document, name the place there (`records_path`)")
                }
                throw ExportError(
                    kind: .missingColumns, file: file.name,
                    problem: error.description.replacing("\n", with: "; ")
                        + (opening.sheets?.notes ?? []).map { " (\($0))" }.joined(),
                    remedy: "or state the columns in a profile (--profile)"
                        + (isJSON
                            ? "; where the trips are lists within its records, write “records_path: \"[].trips[]\"” there"
                            : ""))
            }
        } else {
            profile.zone = profile.zone ?? request.zone
            takeInventory(found, isPlain: false)
        }
        if request.profile != nil, isJSON { addProfileKeys() }
        let mapped = PHIColumnCheck.mappedColumns(of: profile, in: names)
        let findings = PHIColumnCheck.findings(header: names, mapped: mapped, rows: [], check: check)
        warnings = findings.map { "\($0)" } + [currencyWarning].compactMap(\.self)
        guard request.profile == nil else { return }
        let loose = LooseName.sentence(
            header: found, check, profile: profile, hidden: Set(findings.map(\.position)))
        warnings += [loose].compactMap(\.self)
    }

    /// - Parameter header: as it is in the file, before keys are added that may come later.
    private mutating func takeInventory(_ header: [String], isPlain: Bool) {
        inventory = ColumnInventory(
            profile: profile, header: header, isPlain: isPlain, keys: isJSON ? keyCounts : nil,
            check: check)
    }

    /// Costs are added up as dollars, whatever a column beside them says.
    private var currencyWarning: String? {
        guard let column = names.firstIndex(where: { ["currency", "currencycode"].contains(HeaderName($0).key) }) else {
            return nil
        }
        let codes = Set(
            sample.compactMap { $0.indices.contains(column) ? $0[column].trimmingBlanks().uppercased() : nil })
        guard !codes.subtracting(["", "USD", "US$", "$"]).isEmpty else { return nil }
        return
            "column \(column + 1) (“\(names[column])”) is not read, and has other values than USD: all costs count as dollars; "
            + "have each currency exported to a file of its own"
    }

    /// What is known of a first row by itself, else by the rows after it.
    private static func check(_ header: [String], _ rows: [[String]]) -> HeaderCheck {
        let bare = HeaderCheck(header: header)
        return bare.isHeader ? bare : HeaderCheck(header: header, rows: rows)
    }

    /// Events whose times are dates, by their bits: all of at least 20 values in the first records are at 0:00.
    var dateEvents: UInt8 {
        var events: UInt8 = 0
        for event in TripEvent.allCases {
            let times = times(of: event)
            if times.count >= Self.enoughTimes, times.allSatisfy({ $0.hasTime && $0.localSeconds % 86_400 == 0 }) {
                events |= 1 << UInt8(event.rawValue)
            }
        }
        return events
    }

    private static let enoughTimes = 20
    static let enoughRows = 20

    /// The times of an event in the first records.
    private func times(of event: TripEvent) -> [TimeReader.Reading] {
        guard let column = HeaderIndex(names).column(of: event.field, in: profile) else { return [] }
        let reader = TimeReader(profile.timeForms(of: event.field))
        return sample.compactMap { row in
            row.indices.contains(column) ? reader.read(Array(row[column].utf8)[...]) : nil
        }
    }

    /// Whether a mapped time of the first records has a time of day and no offset.
    var hasTimeWithoutOffset: Bool {
        TripEvent.allCases.contains { event in
            profile.columns[event.field] != nil && profile.hasDateColumn(for: event.field)
                || times(of: event).contains { $0.hasTime && $0.offsetSeconds == nil }
        }
    }

    /// How the text is divided into records.
    func layout(_ scanLevel: ScanLevel) -> RecordLayout {
        switch format {
        case .csv, .tsv:
            .rows(dialect(scanLevel))
        case .ndjson: .lines(maximumRecordBytes: profile.maximumRecordBytes, scanLevel: scanLevel)
        case .json:
            .elements(
                path: recordsPath, maximumRecordBytes: profile.maximumRecordBytes, scanLevel: scanLevel)
        }
    }

    /// Where workers get the records.
    ///
    /// - Parameter part: nil: all of the export.
    /// - Throws: if it can only be read whole.
    func blocks(
        of layout: RecordLayout, _ opening: ExportOpening, file: ExportFile, blockBytes: Int, part: ExportPart? = nil
    ) throws(ExportError) -> any BlockSource {
        if part != nil, opening.stream != nil || !layout.isDivisible {
            throw ExportError(
                kind: .notRepeatable, file: file.name,
                problem: "only an uncompressed CSV, TSV or NDJSON file in UTF-8 can be read in parts",
                remedy: "leave --range out")
        }
        if let part, !part.isWithin(fileBytes: file.size ?? 0) {
            throw ExportError(
                kind: .malformed, file: file.name, offset: file.size,
                problem: "the file ends before the range or its start", remedy: "divide the file by its size")
        }
        return layout.blocks(
            of: file, textOffset: opening.headOffset, dataStart: dataStart, stream: opening.stream, head: opening.head,
            blockBytes: blockBytes, part: part, remarks: opening.remarks)
    }

    /// What must be said of amounts that several records have from their parent.
    ///
    /// - Throws: if a column of the inner records is named as if it were the parent's.
    func parentRemark(_ shape: JSONShape?, file: String) throws(ExportError) -> String? {
        guard case .nested(let nesting) = shape, !isEmpty else { return nil }
        let amounts = ParentAmounts(profile, nesting)
        try amounts.checkNames(inventory.missing, head: Array(keysOfHead), file: file)
        return amounts.remark
    }

    /// The keys of the first whole records, nested ones dotted.
    private mutating func readKeys(_ opening: ExportOpening) {
        let elements =
            opening.format == .ndjson
            ? opening.head.split(separator: 0x0A).prefix(Self.mostLines).map { Array($0) }
            : Self.elements(opening.head, path: recordsPath)
        keyCounts.isAll =
            opening.isWhole && elements.count < (opening.format == .ndjson ? Self.mostLines : Self.mostElements)
        var seen: Set<String> = []
        var objects: [[String: Any]] = []
        for element in elements {
            let text = Data(JSONNumbers.withoutNaN(element))
            guard let object = try? JSONSerialization.jsonObject(with: text) as? [String: Any] else {
                continue
            }
            keyCounts.records += 1
            if objects.count < Self.mostSampled { objects.append(object) }
            for key in Self.keys(object, prefix: "", depth: 0).sorted() {
                keyCounts.recordsByKey[key, default: 0] += 1
                if seen.insert(key).inserted { names.append(key) }
            }
        }
        sample = objects.map { object in names.map { Self.text(of: $0.split(separator: ".")[...], in: object) ?? "" } }
        let text = opening.head.filter { $0 > 0x20 }
        isEmpty =
            opening.isWhole
            && (opening.format == .ndjson
                ? text.isEmpty : elements.isEmpty && Self.isSound(opening.head, path: recordsPath))
    }

    private static func elements(_ head: [UInt8], path: [String]) -> [[UInt8]] {
        var splitter = JSONArraySplitter(path: path)
        var found: [[UInt8]] = []
        head.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            // Errors are the reader's to report, with their place.
            _ = try? splitter.scan(window: base, count: buffer.count, windowOffset: 0, isLast: false) { element in
                guard !element.isTooLong, found.count < mostElements else { return }
                found.append(Array(buffer[element.start..<element.end]))
            }
        }
        return found
    }

    /// Whether the array is where the path leads, in a whole document: what is not is no export without records.
    private static func isSound(_ text: [UInt8], path: [String]) -> Bool {
        var splitter = JSONArraySplitter(path: path)
        return text.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return (try? splitter.scan(window: base, count: buffer.count, windowOffset: 0, isLast: true) { _ in })
                != nil
        }
    }

    private static func text(of path: ArraySlice<Substring>, in value: Any) -> String? {
        guard let key = path.first else { return value as? String }
        return (value as? [String: Any])?[String(key)].flatMap { text(of: path.dropFirst(), in: $0) }
    }

    private static func keys(_ object: [String: Any], prefix: String, depth: Int) -> [String] {
        object.flatMap { key, value -> [String] in
            if let inner = value as? [String: Any], depth < 4 {
                return keys(inner, prefix: prefix + key + ".", depth: depth + 1)
            }
            return [prefix + key]
        }
    }

    /// JSON has no header: a field that none of the first records has is still read under its canonical name.
    private mutating func addCanonicalKeys() {
        let known = Set(names)
        for field in CanonicalField.allCases where profile.columns[field] == nil && !known.contains(field.rawValue) {
            profile.columns[field] = [field.rawValue]
            names.append(field.rawValue)
        }
    }

    /// JSON has no header: a key that a profile names may first come later than the head.
    private mutating func addProfileKeys() {
        var known = Set(names)
        for field in CanonicalField.allCases {
            let columns = profile.columns[field] ?? []
            guard !columns.contains(where: { known.contains($0) }), let first = columns.first else { continue }
            names.append(first)
            known.insert(first)
        }
        for table in profile.lookups where known.insert(table.column).inserted { names.append(table.column) }
        for field in profile.filter?.fields ?? [] where known.insert(field).inserted { names.append(field) }
        for name in profile.columnsBesideFields where known.insert(name).inserted { names.append(name) }
    }
}
