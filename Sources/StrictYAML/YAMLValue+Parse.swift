internal import Yams

extension YAMLValue {
    /// Reads a file of one document. Invalid UTF-8 and all that `YAMLValue` excludes are errors.
    package static func parse(bytes: [UInt8], file: String) throws(ConfigurationError) -> YAMLValue {
        try required(parseIfAny(bytes: bytes, file: file), file: file)
    }

    /// Reads the same; nil for a file with nothing but comments and blank lines.
    package static func parseIfAny(bytes: [UInt8], file: String) throws(ConfigurationError) -> YAMLValue? {
        guard bytes.count <= maximumBytes else { throw tooLarge(file: file) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(
                file: file, line: lineOfInvalidUTF8(bytes), message: "the file is not valid UTF-8",
                hint: "save it as UTF-8")
        }
        return try document(text, file: file)
    }

    /// Reads a text of one document.
    package static func parse(text: String, file: String) throws(ConfigurationError) -> YAMLValue {
        try required(document(text, file: file), file: file)
    }

    private static func required(_ value: YAMLValue?, file: String) throws(ConfigurationError) -> YAMLValue {
        guard let value else {
            throw ConfigurationError(file: file, message: "the file is empty", hint: "give it its keys")
        }
        return value
    }

    private static func document(_ text: String, file: String) throws(ConfigurationError) -> YAMLValue? {
        var text = text
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        text.makeContiguousUTF8()
        guard text.utf8.count <= maximumBytes else { throw tooLarge(file: file) }
        try refuseManyAliases(in: text, file: file)
        do {
            // The parser owns the anchors that nodes refer to weakly: it must outlive the conversion.
            let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
            defer { withExtendedLifetime(parser) {} }
            guard let root = try parser.singleRoot() else { return nil }
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

    /// Anchors are refused with their place once the tree is built. A few aliases cannot blow the tree
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

extension YAMLValue {
    /// The parser's node as a value; refuses what the strict subset does not have.
    static func value(of node: Node, file: String, depth: Int) throws(ConfigurationError) -> YAMLValue {
        let place = Location(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
        guard depth < maximumDepth else {
            throw place.error("more than \(maximumDepth) levels are nested here", hint: "flatten the file")
        }
        guard node.anchor == nil else {
            throw place.error("anchors and aliases (&name, *name) are not taken", hint: "write the value out")
        }
        switch node {
        case .scalar(let scalar):
            try refuseTag(scalar.tag, standing: .str, at: place)
            let isPlain = scalar.style == .plain || scalar.style == .any
            return YAMLValue(content: .scalar(text: scalar.string, isPlain: isPlain), place: place)
        case .sequence(let sequence):
            try refuseTag(sequence.tag, standing: .seq, at: place)
            var values: [YAMLValue] = []
            for element in sequence { values.append(try value(of: element, file: file, depth: depth + 1)) }
            return YAMLValue(content: .list(values), place: place)
        case .mapping(let mapping):
            try refuseTag(mapping.tag, standing: .map, at: place)
            return YAMLValue(content: .mapping(try entries(of: mapping, file: file, depth: depth)), place: place)
        case .alias:
            throw place.error("aliases (*name) are not taken", hint: "write the value out")
        }
    }

    private static func entries(
        of mapping: Node.Mapping, file: String, depth: Int
    ) throws(ConfigurationError) -> [Entry] {
        var entries: [Entry] = []
        var lines: [String: Int] = [:]
        for (keyNode, valueNode) in mapping {
            let key = try value(of: keyNode, file: file, depth: depth + 1)
            guard case .scalar(let name, _) = key.content else {
                throw key.error("a key must be a text, found \(key.kind)", hint: "write “key: value”")
            }
            if name == "<<" { throw key.error("merge keys (<<) are not taken", hint: "write the values out") }
            if let line = lines.updateValue(key.place.line, forKey: name) {
                throw key.error("the key “\(name)” appears here and in line \(line)", hint: "keep one of them")
            }
            entries.append(
                Entry(
                    key: name, keyPlace: key.place,
                    value: try value(of: valueNode, file: file, depth: depth + 1)))
        }
        return entries
    }

    private static func refuseTag(_ tag: Tag, standing: Tag.Name, at place: Location) throws(ConfigurationError) {
        let name = tag.description
        guard name.isEmpty || name == standing.rawValue else {
            throw place.error("tags (!name) are not taken", hint: "remove the tag")
        }
    }

    /// The parser's own error with file, line and column.
    static func located(_ error: YamlError, text: String, file: String) -> ConfigurationError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return ConfigurationError(
                file: file, line: mark.line, column: mark.column, message: "not YAML: \(problem)",
                hint: hint(for: problem))
        case .duplicatedKeysInMapping(let keys, let context):
            return ConfigurationError(
                file: file, line: max(1, context.mark.line), column: max(1, context.mark.column),
                message:
                    "the key \(keys.map { "“\($0)”" }.joined(separator: ", ")) appears more than once in a mapping",
                hint: "keep one of them")
        case .reader(_, let offset, _, _):
            let line = offset.map { text.prefix($0).count(where: \.isNewline) + 1 }
            return ConfigurationError(
                file: file, line: line, message: "the file holds a control character", hint: "remove it")
        default:
            return ConfigurationError(file: file, message: "the file is not YAML", hint: "check its indentation")
        }
    }

    private static func hint(for problem: String) -> String {
        switch problem {
        case "but found another document": "keep one document in a file: remove the “---” between them"
        case "found undefined alias": "quote a text that starts with *"
        case _ where problem.contains("tab"): "indent with spaces"
        default: "check the indentation and the quotes; quote texts that hold “: ” or “ #”"
        }
    }
}
