internal import Yams

extension YAMLValue {
    /// The parser's node as a value; refuses what the strict subset does not have.
    static func value(of node: Node, file: String, depth: Int) throws(ConfigurationError) -> YAMLValue {
        let place = Place(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
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
                throw key.error("the key “\(name)” stands here and in line \(line)", hint: "keep one of them")
            }
            entries.append(
                Entry(
                    key: name, keyPlace: key.place,
                    value: try value(of: valueNode, file: file, depth: depth + 1)))
        }
        return entries
    }

    private static func refuseTag(_ tag: Tag, standing: Tag.Name, at place: Place) throws(ConfigurationError) {
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
                message: "the key \(keys.map { "“\($0)”" }.joined(separator: ", ")) stands more than once in a mapping",
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
