package import StrictYAML

/// A small CSV file of configuration (roster, list of values): RFC 4180, a header line, one record a line or more.
///
/// Exports are not read with this; see `Intake`.
package struct CSVTable: Sendable {
    /// One record and the line it starts in, from 1.
    package struct Record: Sendable {
        package let line: Int
        package let fields: [String]
    }

    package let file: String
    /// Names of the columns, trimmed. Empty for a table read without header.
    package let header: [String]
    package let records: [Record]

    /// Larger files are refused.
    package static let maximumBytes = 16 << 20

    /// - Parameter hasHeader: whether the first record names the columns. With one, every record must have as many
    ///   fields as it has names. Blank lines are passed over.
    package init(bytes: [UInt8], file: String, hasHeader: Bool) throws(ConfigurationError) {
        guard bytes.count <= Self.maximumBytes else {
            throw ConfigurationError(file: file, message: "the file is larger than 16 MiB", hint: "split it")
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(file: file, message: "the file is not valid UTF-8", hint: "save it as UTF-8")
        }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        var reader = CSVRecordReader(bytes: Array(text.utf8), file: file)
        var records: [Record] = []
        while let record = try reader.next() {
            if record.fields.contains(where: { !$0.isEmpty }) { records.append(record) }
        }
        self.file = file
        guard hasHeader else {
            header = []
            self.records = records
            return
        }
        guard let first = records.first else {
            throw ConfigurationError(file: file, message: "the file is empty", hint: "start it with a header line")
        }
        for record in records where record.fields.count != first.fields.count {
            throw ConfigurationError(
                file: file, line: record.line,
                message: "\(record.fields.count) fields where the header has \(first.fields.count)",
                hint: "quote fields that hold commas")
        }
        header = first.fields
        self.records = Array(records.dropFirst())
    }

    /// The column of that name, without regard to case.
    package func column(_ name: String) -> Int? {
        header.firstIndex { $0.lowercased() == name.lowercased() }
    }
}

/// Cuts bytes into records. Fields are trimmed unless quoted.
private struct CSVRecordReader {
    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line = 1

    init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    mutating func next() throws(ConfigurationError) -> CSVTable.Record? {
        guard position < bytes.count else { return nil }
        let start = line
        var fields: [String] = []
        while true {
            fields.append(try field())
            guard position < bytes.count, bytes[position] == 0x2C else { break }
            position += 1
        }
        endLine()
        return CSVTable.Record(line: start, fields: fields)
    }

    private mutating func endLine() {
        guard position < bytes.count else { return }
        if bytes[position] == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A { position += 1 }
        position += 1
        line += 1
    }

    private mutating func field() throws(ConfigurationError) -> String {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        guard position < bytes.count, bytes[position] == 0x22 else {
            let start = position
            while position < bytes.count, !isBoundary(bytes[position]) { position += 1 }
            return FoldedText.trimmed(String(decoding: bytes[start..<position], as: UTF8.self))
        }
        let text = try quoted()
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        guard position == bytes.count || isBoundary(bytes[position]) else {
            throw ConfigurationError(
                file: file, line: line, message: "text after a closing quote", hint: "double quotes inside quoted text")
        }
        return text
    }

    private mutating func quoted() throws(ConfigurationError) -> String {
        let start = line
        var text: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == 0x22 {
                guard position < bytes.count, bytes[position] == 0x22 else {
                    return String(decoding: text, as: UTF8.self)
                }
                position += 1
            }
            if byte == 0x0A { line += 1 }
            text.append(byte)
        }
        throw ConfigurationError(
            file: file, line: start, message: "a quoted field is never closed", hint: "add the closing quote")
    }

    private func isBoundary(_ byte: UInt8) -> Bool { byte == 0x2C || byte == 0x0A || byte == 0x0D }
}
