import StrictYAML
import Trips

extension ProfileReader {
    /// A list of tables, each with its `column` and either a `file` or a `table`.
    mutating func readLookups(_ value: YAMLValue) {
        var elements: [YAMLValue] = []
        attempt { _ throws(ConfigurationError) in elements = try value.list() }
        for element in elements {
            let keys = mapping(element, allowed: ["column", "file", "table", "prefix_length"])
            var table = LookupTable(column: "", regions: [:], zones: [:])
            attempt { reader throws(ConfigurationError) in
                guard let column = keys["column"] else {
                    throw element.error("a lookup needs its “column”", hint: "add “column: …”, the name in the header")
                }
                table.column = try column.string()
                table.prefixLength = try keys["prefix_length"]?.whole(in: 1...32, "prefix_length")
            }
            switch (keys["file"], keys["table"]) {
            case (let file?, nil):
                attempt { reader throws(ConfigurationError) in try reader.readLookupFile(file, into: &table) }
            case (nil, let rows?): readLookupTable(rows, into: &table)
            case (nil, nil):
                errors.append(element.error("a lookup needs a “file” or a “table”", hint: "add “file: regions.csv”"))
            case (_?, let rows?):
                errors.append(rows.error("a lookup has a “file” and a “table”", hint: "keep one of them"))
            }
            profile.lookups.append(table)
        }
    }

    /// `key: region`, or `key: {region: …, zone: …}`.
    private mutating func readLookupTable(_ value: YAMLValue, into table: inout LookupTable) {
        for entry in entries(value) {
            var row = LookupRow(key: entry.key, region: nil, zone: nil)
            if case .mapping = entry.value.content {
                let keys = mapping(entry.value, allowed: ["region", "zone"])
                attempt { reader throws(ConfigurationError) in
                    row.region = try keys["region"]?.string()
                    row.zone = try keys["zone"]?.string()
                }
            } else {
                attempt { _ throws(ConfigurationError) in row.region = try entry.value.string() }
            }
            let place = entry.keyPlace
            add(row, to: &table) { place.error($0, hint: $1) }
        }
    }

    /// A CSV of `key,region,zone`; the columns may stand in any order, and one of `region` and `zone` may be left out.
    private mutating func readLookupFile(
        _ value: YAMLValue, into table: inout LookupTable
    ) throws(ConfigurationError) {
        let path = path(of: try value.string())
        let bytes: [UInt8]
        do {
            bytes = try surroundings.load(path)
        } catch {
            throw value.error("the file “\(path)” cannot be read", hint: "its path is relative to the profile")
        }
        let rows = try LookupCSV.rows(bytes, file: path)
        guard let header = rows.first?.fields.map({ $0.trimmingBlanks().lowercased() }),
            let key = header.firstIndex(of: "key")
        else {
            throw ConfigurationError(
                file: path, line: 1, message: "the header has no “key”", hint: "start the file with key,region,zone")
        }
        for name in header where !["key", "region", "zone"].contains(name) {
            errors.append(
                ConfigurationError(
                    file: path, line: 1, message: "the header has a column other than key, region and zone",
                    hint: Spelling.hint(for: name, among: ["key", "region", "zone"])))
        }
        let region = header.firstIndex(of: "region"), zone = header.firstIndex(of: "zone")
        for row in rows.dropFirst() {
            guard row.fields.count == header.count else {
                errors.append(
                    ConfigurationError(
                        file: path, line: row.line, message: "the row has not as many fields as the header",
                        hint: "look for a missing or unquoted comma"))
                continue
            }
            let found = LookupRow(
                key: row.fields[key], region: region.map { row.fields[$0] }, zone: zone.map { row.fields[$0] })
            add(found, to: &table) { ConfigurationError(file: path, line: row.line, message: $0, hint: $1) }
        }
    }

    private struct LookupRow {
        var key: String
        var region: String?
        var zone: String?
    }

    /// The key itself is not in an error: it may be a ZIP or a facility.
    private mutating func add(
        _ row: LookupRow, to table: inout LookupTable, error: (_ message: String, _ hint: String) -> ConfigurationError
    ) {
        let key = row.key.trimmingBlanks().lowercased()
        let region = row.region?.trimmingBlanks() ?? "", zone = row.zone?.trimmingBlanks() ?? ""
        guard !key.isEmpty else { return errors.append(error("the key is blank", "fill it, or remove the row")) }
        if table.regions[key] != nil || table.zones[key] != nil {
            return errors.append(error("the key stands twice in the table", "keep one of the rows"))
        }
        if let length = table.prefixLength, key.count != length {
            errors.append(error("the key is not \(length) characters long", "make it fit prefix_length"))
        }
        if region.isEmpty, zone.isEmpty { errors.append(error("the row gives neither region nor zone", "fill one")) }
        if !region.isEmpty {
            if profile.vocabulary.regions.code(of: region) == nil {
                let hint = Spelling.hint(for: region, among: profile.vocabulary.regions.names)
                errors.append(error("unknown region “\(region)”", hint))
            }
            table.regions[key] = region
        }
        if !zone.isEmpty {
            if !surroundings.isKnownZone(zone) { errors.append(error("unknown time zone “\(zone)”", Self.zoneHint)) }
            table.zones[key] = zone
        }
    }
}
