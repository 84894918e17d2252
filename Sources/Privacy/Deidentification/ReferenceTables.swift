package import Rules
package import StrictYAML

/// The three-digit ZIP areas with too few people to be shown, from `data/reference/zip3_restricted.csv`.
package struct ZIPAreas: Sendable {
    /// The code in place of an area that may not be shown.
    package static let hidden = "000"

    /// All lists together.
    package let restricted: Set<String>
    /// How many codes each list has, by its name.
    package let sizes: [String: Int]

    /// - Parameter table: columns `zip3`, `list`, `census_year`, `source`.
    package init(_ table: CSVTable) throws(ConfigurationError) {
        guard let codes = table.column("zip3"), let lists = table.column("list") else {
            throw ConfigurationError(
                file: table.file, line: 1, message: "there is no column zip3 or list",
                hint: "start it with zip3,list,census_year,source")
        }
        var sizes: [String: Int] = [:]
        var restricted: Set<String> = []
        for record in table.records {
            let code = record.fields[codes]
            guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw ConfigurationError(
                    file: table.file, line: record.line, message: "zip3 is not three digits",
                    hint: "write leading zeros too")
            }
            restricted.insert(code)
            sizes[record.fields[lists], default: 0] += 1
        }
        // A file that was cut short would disclose areas.
        guard restricted.count >= 19 else {
            throw ConfigurationError(
                file: table.file, message: "it names fewer than 19 areas", hint: "use the file that comes with tripkpi")
        }
        self.restricted = restricted
        self.sizes = sizes
    }

    /// The five digits of `12345`, `12345-6789` or `123456789`; nil for anything else.
    static func fiveDigits(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let isForm = bytes.count == 5 || bytes.count == 9 || (bytes.count == 10 && bytes[5] == 0x2D)
        guard isForm else { return nil }
        let digits = bytes.filter { (0x30...0x39).contains($0) }
        guard digits.count == (bytes.count == 5 ? 5 : 9) else { return nil }
        return String(decoding: digits.prefix(5), as: UTF8.self)
    }

    /// The first three digits of a ZIP code, or `000` for a restricted, unknown, short or foreign one: never two digits.
    func area(of text: String) -> String {
        guard let digits = Self.fiveDigits(text) else { return Self.hidden }
        let area = String(digits.prefix(3))
        return restricted.contains(area) ? Self.hidden : area
    }
}

/// The states and territories, from `data/reference/states.csv`: a value of a state column is shown only if it is one of them.
package struct States: Sendable {
    /// USPS code by code and by name, both folded.
    private let codes: [String: String]

    package init(_ table: CSVTable) throws(ConfigurationError) {
        guard let code = table.column("code"), let name = table.column("name") else {
            throw ConfigurationError(
                file: table.file, line: 1, message: "there is no column code or name", hint: "start it with code,name")
        }
        var codes: [String: String] = [:]
        for record in table.records {
            codes[record.fields[code].lowercased()] = record.fields[code]
            codes[record.fields[name].lowercased()] = record.fields[code]
        }
        self.codes = codes
    }

    func code(of text: String) -> String? { codes[text.lowercased()] }
}
