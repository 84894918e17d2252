import Intake
import Store
import Trips

/// Makes stored versions of a worker's batches: numbers instead of texts, parcels in the order of the store.
struct RowFiller {
    private let texts: TextTable
    private let exportRules: [Int32]
    private var columns: [Column]
    private var testResultNumbers: [Int32] = []
    private(set) var trips: [StoredTrip] = []

    /// One public text of the batches.
    private struct Column {
        var text: StoredText
        /// Its place among the batch's text fields.
        var place: Int
        var numbers: [Int32] = []
        var generation = 0
    }

    /// Text that is longer is not an id or a code; it may be prose, which is not kept.
    static let maximumTextBytes = 120
    static let longText = "‹long text›"

    /// - Parameters:
    ///   - textFields: of the batches; the last place of a field is the one with its values.
    ///   - ruleIDs: by rule index.
    init(texts: TextTable, textFields: [CanonicalField], ruleIDs: [String]) {
        self.texts = texts
        exportRules = [0] + ruleIDs.map(texts.number(of:))
        columns = StoredText.publicFields.compactMap { text, field in
            textFields.lastIndex(of: field).map { Column(text: text, place: $0) }
        }
    }

    /// - Parameters:
    ///   - rules: the index of the rule that decided, by row; -1 for none.
    ///   - testResults: code of the test results by row, and the texts of the codes.
    mutating func append(
        _ batch: TripBatch, dictionaries: [TextDictionary], rules: [Int16], testResults: [Int32],
        testResultTexts: [String]
    ) {
        for index in columns.indices { catchUp(index, with: dictionaries[columns[index].place]) }
        while testResultNumbers.count < testResultTexts.count {
            testResultNumbers.append(texts.number(of: testResultTexts[testResultNumbers.count]))
        }
        for row in 0..<batch.count {
            var trip = StoredTrip(batch, row: row, exportID: 0)
            trip.facts[.rule] = exportRules[Int(rules[row]) + 1]
            for column in columns {
                trip.facts[column.text] = column.numbers[Int(batch.text[column.place][row])]
            }
            if !testResults.isEmpty { trip.facts[.testResults] = testResultNumbers[Int(testResults[row])] }
            trips.append(trip)
        }
    }

    private mutating func catchUp(_ index: Int, with dictionary: TextDictionary) {
        if columns[index].generation != dictionary.generation || columns[index].numbers.count > dictionary.count {
            columns[index].numbers = []
            columns[index].generation = dictionary.generation
        }
        for code in columns[index].numbers.count..<max(columns[index].numbers.count, dictionary.count) {
            let value = dictionary[UInt32(code)].revealed(for: .keeping)
            let isLong = value.utf8.count > Self.maximumTextBytes
            columns[index].numbers.append(texts.number(of: isLong ? Self.longText : value))
        }
    }

    /// What was gathered, in the order of month and key: the store's one writer finds it laid out as it goes.
    mutating func takeParcel() -> [StoredTrip] {
        defer { trips = [] }
        // A word whose order is (nearly) that of month and key; ties cost nothing but locality.
        let places = trips.enumerated().map { index, trip in
            let key = UInt64(bitPattern: trip.key.high) ^ (1 << 63)
            return (word: UInt64(truncatingIfNeeded: trip.facts.month) << 48 | key >> 16, index: Int32(index))
        }
        return places.sorted { $0.word < $1.word }.map { trips[Int($0.index)] }
    }
}
