internal import Rules
internal import StrictYAML
internal import Trips

extension ProfileReader {
    /// A list of tables, each with its `column` and either a `file` or a `table`.
    mutating func readLookups(_ value: YAMLValue) {
        profile.lookups = (log.attempt(try value.list()) ?? []).map(lookup)
    }

    private func lookup(_ value: YAMLValue) -> LookupTable {
        let keys = log.mapping(value, allowed: ["column", "file", "table", "prefix_length"])
        var table = LookupTable(column: "", regions: [:], zones: [:])
        if let column = keys.optional("column") {
            table.column = log.attempt(try column.string()) ?? ""
        } else {
            log.add(value.error("a lookup needs its “column”", hint: "add “column: …”, the name in the header"))
        }
        table.prefixLength = log.attempt(try keys.optional("prefix_length")?.int(in: 1...32, "prefix_length"))
        switch (keys.optional("file"), keys.optional("table")) {
        case (let file?, nil): log.attempt(try readFile(file, into: &table))
        case (nil, let rows?): readTable(rows, into: &table)
        case (nil, nil):
            log.add(value.error("a lookup needs a “file” or a “table”", hint: "add “file: regions.csv”"))
        case (_?, let rows?):
            log.add(rows.error("a lookup has a “file” and a “table”", hint: "keep one of them"))
        }
        return table
    }

    /// `key: region`, or `key: {region: …, zone: …}`.
    private func readTable(_ value: YAMLValue, into table: inout LookupTable) {
        for entry in log.entries(value) {
            var row = Row(key: entry.key)
            if case .mapping = entry.value.content {
                let keys = log.mapping(entry.value, allowed: ["region", "zone"])
                row.region = log.attempt(try keys.optional("region")?.string())
                row.zone = log.attempt(try keys.optional("zone")?.string())
            } else {
                row.region = log.attempt(try entry.value.string())
            }
            add(row, to: &table) { entry.keyPlace.error($0, hint: $1) }
        }
    }

    /// A CSV of `key,region,zone`; the columns may be in any order, and one of `region` and `zone` may be left out.
    private func readFile(_ value: YAMLValue, into table: inout LookupTable) throws(ConfigurationError) {
        let path = path(of: try value.string())
        let bytes: [UInt8]
        do {
            bytes = try load(path)
        } catch {
            throw value.error("the file “\(path)” cannot be read", hint: "its path is relative to the profile")
        }
        let csv = try CSVTable(bytes: bytes, file: path, hasHeader: true, checksWidth: false)
        guard let key = csv.column("key") else {
            throw csv.error("the header has no “key”", hint: "start the file with key,region,zone")
        }
        let known = ["key", "region", "zone"]
        for name in csv.header where !known.contains(name.lowercased()) {
            log.add(
                csv.error(
                    "the header has a column other than key, region and zone",
                    hint: Spelling.hint(for: name, among: known)))
        }
        let region = csv.column("region"), zone = csv.column("zone")
        for record in csv.records {
            guard record.fields.count == csv.header.count else {
                log.add(
                    csv.error(
                        "the row has not as many fields as the header", hint: "look for a missing or unquoted comma",
                        line: record.line))
                continue
            }
            let row = Row(
                key: record.fields[key], region: region.map { record.fields[$0] }, zone: zone.map { record.fields[$0] })
            add(row, to: &table) { csv.error($0, hint: $1, line: record.line) }
        }
    }

    /// The path of a file that the profile names, as the loader takes it.
    func path(of name: String) -> String {
        guard !name.hasPrefix("/"), let slash = root.place.file.lastIndex(of: "/") else { return name }
        return String(root.place.file[...slash]) + name
    }

    private struct Row {
        var key: String
        var region: String?
        var zone: String?
    }

    /// The key itself is not in an error: it may be a ZIP or a facility.
    private func add(
        _ row: Row, to table: inout LookupTable, error: (_ message: String, _ hint: String) -> ConfigurationError
    ) {
        let key = row.key.trimmingBlanks().lowercased()
        let region = row.region?.trimmingBlanks() ?? "", zone = row.zone?.trimmingBlanks() ?? ""
        guard !key.isEmpty else { return log.add(error("the key is blank", "fill it, or remove the row")) }
        if table.regions[key] != nil || table.zones[key] != nil {
            return log.add(error("the key appears twice in the table", "keep one of the rows"))
        }
        if let length = table.prefixLength, key.count != length {
            log.add(error("the key is not \(length) characters long", "make it fit prefix_length"))
        }
        if region.isEmpty, zone.isEmpty { log.add(error("the row gives neither region nor zone", "fill one")) }
        if !region.isEmpty {
            let regions = profile.vocabulary.regions
            if regions.code(of: region) == nil {
                log.add(error("unknown region “\(region)”", Spelling.hint(for: region, among: regions.names)))
            }
            table.regions[key] = region
        }
        if !zone.isEmpty {
            if !isKnownZone(zone) { log.add(error("unknown time zone “\(zone)”", Self.zoneHint)) }
            table.zones[key] = zone
        }
    }
}
