import Foundation

/// The columns of facts as a document: what an engine needs to read them.
package enum FactSchema {
    private struct Document: Encodable {
        struct Column: Encodable {
            var name: String
            var type: String
            var isOptional: Bool
            var meaning: String
        }

        var format = FactColumn.format
        var version = FactColumn.version
        var columns: [Column]
    }

    /// JSON, line by line.
    package static func lines() throws -> [String] {
        let columns = FactColumn.allCases.map { column in
            Document.Column(
                name: column.rawValue, type: column.type, isOptional: column.isOptional, meaning: column.meaning)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = try encoder.encode(Document(columns: columns))
        return String(decoding: document, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
