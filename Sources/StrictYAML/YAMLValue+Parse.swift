internal import Yams

extension YAMLValue {
    /// Reads a file of one document. Invalid UTF-8 is an error, as is everything the type does not take.
    package static func parse(bytes: [UInt8], file: String) throws(ConfigurationError) -> YAMLValue {
        guard bytes.count <= maximumBytes else { throw tooLarge(file: file) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(
                file: file, line: lineOfInvalidUTF8(bytes), message: "the file is not valid UTF-8",
                hint: "save it as UTF-8")
        }
        return try parse(text: text, file: file)
    }

    /// Reads a text of one document.
    package static func parse(text: String, file: String) throws(ConfigurationError) -> YAMLValue {
        var text = text
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        text.makeContiguousUTF8()
        guard text.utf8.count <= maximumBytes else { throw tooLarge(file: file) }
        try refuseManyAliases(in: text, file: file)
        do {
            // The parser owns the anchors that nodes refer to weakly: it must outlive the conversion.
            let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
            defer { withExtendedLifetime(parser) {} }
            guard let root = try parser.singleRoot() else {
                throw ConfigurationError(file: file, message: "the file is empty", hint: "give it its keys")
            }
            return try value(of: root, file: file, depth: 0)
        } catch let error as ConfigurationError {
            throw error
        } catch let error as YamlError {
            throw located(error, text: text, file: file)
        } catch {
            throw ConfigurationError(file: file, message: "the file is not YAML", hint: "check its indentation")
        }
    }

    private static func tooLarge(file: String) -> ConfigurationError {
        ConfigurationError(
            file: file, message: "the file is larger than 1 MiB", hint: "keep long lists in a CSV file of their own")
    }

    /// 1-based line of the first byte sequence that is not UTF-8.
    private static func lineOfInvalidUTF8(_ bytes: [UInt8]) -> Int {
        var line = 1
        for piece in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if String(validating: piece, as: UTF8.self) == nil { return line }
            line += 1
        }
        return line
    }

    /// Anchors are refused by the place where they stand once the tree is built. A few aliases cannot blow the tree
    /// up; many could ("billion laughs"), so those are refused before.
    private static func refuseManyAliases(in text: String, file: String) throws(ConfigurationError) {
        var previous: UInt8 = 0x0A, mark: UInt8 = 0
        var aliases = 0, anchors = 0, line = 1
        for byte in text.utf8 {
            let isNameByte =
                byte == 0x5F || byte == 0x2D || (0x30...0x39).contains(byte)
                || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            if isNameByte, mark == 0x2A { aliases += 1 }
            if isNameByte, mark == 0x26 { anchors += 1 }
            guard aliases <= 8 || anchors == 0 else {
                throw ConfigurationError(
                    file: file, line: line, message: "the file uses anchors and aliases (&name, *name)",
                    hint: "write the values out, and quote texts that start with & or *")
            }
            if byte == 0x0A { line += 1 }
            mark = (byte == 0x2A || byte == 0x26) && mayPrecedeNode(previous) ? byte : 0
            previous = byte
        }
    }

    /// Whitespace, quotes and flow punctuation; bytes beyond ASCII for YAML's other line breaks and the BOM.
    private static func mayPrecedeNode(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x0A, 0x0D, 0x20, 0x22, 0x27, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D: true
        default: byte >= 0x80
        }
    }
}
