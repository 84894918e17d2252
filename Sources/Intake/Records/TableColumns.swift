import Profiles
import Trips

/// What the columns of a delimited export hold in its first records, to recognise the header of another table among the rows.
struct TableColumns: Sendable {
    /// Whether nearly all values of a column are dates, times or numbers.
    private let areData: [Bool]
    /// In lower case.
    private let values: [Set<String>]
    private let named: Int

    private static let leastValues = 2
    private static let longestName = 48
    private static let mostWords = 5

    init(names: [String], sample: [[String]]) {
        named = names.count { !$0.isEmpty }
        var areData: [Bool] = [], values: [Set<String>] = []
        for column in names.indices {
            let texts = sample.compactMap { row -> String? in
                guard row.indices.contains(column) else { return nil }
                let text = row[column].trimmingBlanks()
                return text.isEmpty || TextShape.isNoValue(text) ? nil : text
            }
            areData.append(
                texts.count >= Self.leastValues && texts.count(where: TextShape.isData) * 10 >= texts.count * 9)
            values.append(Set(texts.map { $0.lowercased() }))
        }
        self.areData = areData
        self.values = values
    }

    /// Whether nothing in a row looks like a value: what is seen without the columns.
    static func mayBeHeader(_ fields: [String]) -> Bool {
        fields.allSatisfy { $0.isEmpty || mayBeName($0) }
    }

    /// Whether a row as wide as the records, which may be a header, is one: nearly all of it is filled with different words, also
    /// where the records have dates and numbers, and none is a value of its column.
    func isHeader(_ fields: [String]) -> Bool {
        guard fields.count == areData.count else { return false }
        var filled = 0, aboveData = 0
        var texts: Set<String> = []
        for (column, text) in fields.enumerated() where !text.isEmpty {
            // Times have names such as “Completed”; elsewhere it is a value.
            guard areData[column] || !StandardValues.isStatus(text),
                !values[column].contains(text.lowercased())
            else { return false }
            filled += 1
            texts.insert(text.lowercased())
            if areData[column] { aboveData += 1 }
        }
        return filled >= 3 && filled * 10 >= named * 8 && texts.count + 1 >= filled && aboveData >= 2
    }

    private static func mayBeName(_ text: String) -> Bool {
        text.count <= longestName && !TextShape.isData(text) && !TextShape.isNoValue(text)
            && text.first.map { !$0.isNumber } ?? false
            && text.split(separator: " ").count <= mostWords
    }
}
