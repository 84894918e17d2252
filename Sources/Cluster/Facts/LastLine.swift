import Foundation

/// What ends a stream of lines: `#` and a JSON object. A stream without it is not complete.
protocol LastLine: Encodable {}

extension LastLine {
    /// The line with its end.
    func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array("#".utf8) + (try encoder.encode(self)) + Array("\n".utf8)
    }
}
