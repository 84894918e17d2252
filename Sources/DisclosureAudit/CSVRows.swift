/// The rows of a CSV file as RFC 4180 has them, read without any lenience.
enum CSVRows {
    /// - Returns: nil if a line does not end in CR LF, a quotation mark is out of place, a field is quoted without need,
    ///   or the text is not UTF-8.
    static func read(_ bytes: [UInt8]) -> [[String]]? {
        var rows: [[String]] = []
        var row: [String] = []
        var at = 0
        while at < bytes.count {
            guard let (field, end) = field(bytes, from: at), let text = String(validating: field, as: UTF8.self),
                end < bytes.count
            else { return nil }
            row.append(text)
            if bytes[end] == UInt8(ascii: ",") {
                at = end + 1
                continue
            }
            guard bytes[end] == 0x0D, end + 1 < bytes.count, bytes[end + 1] == 0x0A else { return nil }
            rows.append(row)
            row = []
            at = end + 2
        }
        return row.isEmpty ? rows : nil
    }

    /// The field, and where the delimiter after it stands.
    private static func field(_ bytes: [UInt8], from start: Int) -> ([UInt8], Int)? {
        guard bytes[start] == UInt8(ascii: "\"") else {
            var end = start
            while end < bytes.count, !delimiters.contains(bytes[end]) { end += 1 }
            return (Array(bytes[start..<end]), end)
        }
        var field: [UInt8] = []
        var at = start + 1
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\"") {
                guard at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "\"") else {
                    return field.contains(where: delimiters.contains) ? (field, at + 1) : nil
                }
                at += 1
            }
            field.append(bytes[at])
            at += 1
        }
        return nil
    }

    private static let delimiters: [UInt8] = [0x2C, 0x0D, 0x0A, 0x22]
}
