import StrictYAML
import Trips

extension ProfileReader {
    /// `format`, `delimiter`, `encoding`, `header_rows`, `records_path`.
    mutating func readText(_ keys: [String: YAMLValue]) {
        if let value = keys["format"] {
            attempt { reader throws(ConfigurationError) in
                reader.profile.format = try reader.word(value, "format", as: ExportFormat.self)
            }
        }
        if let value = keys["encoding"] {
            attempt { reader throws(ConfigurationError) in
                reader.profile.encoding = try reader.word(value, "encoding", as: TextEncoding.self)
            }
        }
        if let value = keys["delimiter"] {
            attempt { reader throws(ConfigurationError) in try reader.readDelimiter(value) }
        }
        if let value = keys["header_rows"] {
            attempt { reader throws(ConfigurationError) in
                reader.profile.headerRows = try value.whole(in: 1...10, "header_rows")
            }
        }
        if let value = keys["records_path"] {
            attempt { reader throws(ConfigurationError) in try reader.readRecordsPath(value) }
        }
        let isJSON = profile.format == .json || profile.format == .ndjson
        for key in ["delimiter", "header_rows"] {
            if isJSON, let value = keys[key] {
                errors.append(value.error("a JSON file has no \(key)", hint: "remove it, or correct the format"))
            }
        }
    }

    private mutating func readDelimiter(_ value: YAMLValue) throws(ConfigurationError) {
        let text = try value.string()
        let names = ["tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"]
        let delimiter = names[text.lowercased()] ?? text
        guard [",", ";", "\t", "|"].contains(delimiter), let byte = delimiter.utf8.first else {
            throw value.error("unknown delimiter", hint: "use one of: “,” “;” “|” tab")
        }
        profile.delimiter = byte
    }

    private mutating func readRecordsPath(_ value: YAMLValue) throws(ConfigurationError) {
        let parts = try value.string().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ !$0.isEmpty }), parts.count <= 16 else {
            throw value.error("the records_path has an empty step", hint: "write names with points between: data.trips")
        }
        if let format = profile.format, format != .json {
            throw value.error("a \(format.rawValue) file has no records_path", hint: "remove it, or set “format: json”")
        }
        profile.recordsPath = parts
    }

    /// `field: name` or `field: [name, name]`. No column is used for two fields.
    mutating func readColumns(_ value: YAMLValue) {
        var uses: [String: (field: CanonicalField, line: Int)] = [:]
        for entry in entries(value) {
            guard let field = field(entry, among: CanonicalField.allCases) else { continue }
            attempt { reader throws(ConfigurationError) in
                let names = try entry.value.strings()
                if names.isEmpty {
                    throw entry.value.error("\(field.rawValue) has no column", hint: "name one, or remove the line")
                }
                for (index, name) in names.enumerated() {
                    let place = entry.value.place(ofElement: index)
                    guard !name.trimmingBlanks().isEmpty else {
                        throw place.error("a column name is blank", hint: "write the name as in the header")
                    }
                    let key = name.trimmingBlanks().lowercased()
                    if let other = uses.updateValue((field, place.line), forKey: key) {
                        throw place.error(
                            "the column “\(name)” is used twice: for \(other.field.rawValue) in line \(other.line) and"
                                + " for \(field.rawValue)", hint: "keep one of them")
                    }
                }
                reader.profile.columns[field] = names
            }
        }
    }

    /// `field: value`. Only fields that do not point at a person or a single trip.
    mutating func readConstants(_ value: YAMLValue) {
        let allowed = CanonicalField.allCases.filter { !$0.isIdentifying || $0 == .facilityID }
        for entry in entries(value) {
            guard let field = field(entry, among: allowed) else { continue }
            attempt { reader throws(ConfigurationError) in
                let text = try entry.value.string()
                if reader.profile.columns[field] != nil {
                    throw entry.keyPlace.error(
                        "\(field.rawValue) has a column and a constant", hint: "keep one of them")
                }
                if let known = reader.canonicalValues(of: field), !known.contains(text) {
                    throw entry.value.error(
                        "“\(text)” is not a known \(field.rawValue)", hint: Spelling.hint(for: text, among: known))
                }
                reader.profile.constants[field] = text
            }
        }
    }

    /// The values a field can have once mapped; nil if any text will do.
    func canonicalValues(of field: CanonicalField) -> [String]? {
        switch field {
        case .status: TripStatus.allCases.map(\.name)
        case .tripType: profile.vocabulary.tripTypes.names
        case .region: profile.vocabulary.regions.names
        default: nil
        }
    }
}

extension YAMLValue {
    /// A whole number within bounds.
    func whole(in bounds: ClosedRange<Int>, _ what: String) throws(ConfigurationError) -> Int {
        let number = try int()
        guard bounds.contains(number) else {
            throw error(
                "\(what) is out of bounds", hint: "give a number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return number
    }

    /// Where an element of a list stands; the value's own place if it is no list.
    func place(ofElement index: Int) -> Place {
        if case .list(let values) = content, values.indices.contains(index) { return values[index].place }
        return place
    }
}
