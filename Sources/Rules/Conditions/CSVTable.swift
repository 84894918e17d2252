package import StrictYAML

/// A small CSV file of configuration (roster, list of values): RFC 4180, a header line, one record a line or more.
///
/// `Intake` reads exports.
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

    /// Blank lines are passed over.
    /// - Parameters:
    ///   - hasHeader: whether the first record names the columns.
    ///   - checksWidth: whether a record with more or fewer fields than the header is an error.
    package init(
        bytes: [UInt8], file: String, hasHeader: Bool, checksWidth: Bool = true, separator: CSVSeparator = .comma
    ) throws(ConfigurationError) {
        guard bytes.count <= Self.maximumBytes else {
            throw ConfigurationError(file: file, message: "the file is larger than 16 MiB", hint: "split it")
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(file: file, message: "the file is not valid UTF-8", hint: "save it as UTF-8")
        }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        var reader = CSVRecordReader(bytes: Array(text.utf8), file: file, separator: separator.rawValue)
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
        header = first.fields
        self.records = Array(records.dropFirst())
        for record in records where checksWidth && record.fields.count != first.fields.count {
            throw error(
                "\(record.fields.count) fields where the header has \(first.fields.count)",
                hint: "quote fields that hold \(separator.plural)", line: record.line)
        }
    }

    /// An error in a line of the table, by default in its header.
    package func error(_ message: String, hint: String, line: Int = 1) -> ConfigurationError {
        ConfigurationError(file: file, line: line, message: message, hint: hint)
    }

    /// The column of that name, without regard to case.
    package func column(_ name: String) -> Int? {
        header.firstIndex { $0.lowercased() == name.lowercased() }
    }
}

/// Cuts bytes into records. Fields are trimmed unless quoted.
private struct CSVRecordReader {
    private var bytes: ArraySlice<UInt8>
    private let file: String
    private let separator: UInt8
    private var line = 1

    init(bytes: [UInt8], file: String, separator: UInt8) {
        self.bytes = bytes[...]
        self.file = file
        self.separator = separator
    }

    mutating func next() throws(ConfigurationError) -> CSVTable.Record? {
        guard !bytes.isEmpty else { return nil }
        let start = line
        var fields: [String] = []
        repeat { fields.append(try field()) } while take(separator)
        let hasReturn = take(0x0D)
        if take(0x0A) || hasReturn { line += 1 }
        return CSVTable.Record(line: start, fields: fields)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard bytes.first == byte else { return false }
        bytes.removeFirst()
        return true
    }

    private mutating func field() throws(ConfigurationError) -> String {
        skipBlanks()
        if take(UInt8(ascii: "\"")) { return try quoted() }
        let text = bytes.prefix { !isBoundary($0) }
        bytes = bytes.dropFirst(text.count)
        return FoldedText.trimmed(String(decoding: text, as: UTF8.self))
    }

    /// The text after an opening quote.
    private mutating func quoted() throws(ConfigurationError) -> String {
        let start = line
        var text: [UInt8] = []
        while let byte = bytes.popFirst() {
            guard byte != UInt8(ascii: "\"") || take(byte) else {
                skipBlanks()
                guard bytes.first.map(isBoundary) ?? true else {
                    throw ConfigurationError(
                        file: file, line: line, message: "text after a closing quote",
                        hint: "double quotes inside quoted text")
                }
                return String(decoding: text, as: UTF8.self)
            }
            if byte == 0x0A { line += 1 }
            text.append(byte)
        }
        throw ConfigurationError(
            file: file, line: start, message: "a quoted field is never closed", hint: "add the closing quote")
    }

    private mutating func skipBlanks() {
        while take(0x20) || (separator != 0x09 && take(0x09)) {}
    }

    private func isBoundary(_ byte: UInt8) -> Bool { byte == separator || byte == 0x0A || byte == 0x0D }
}
