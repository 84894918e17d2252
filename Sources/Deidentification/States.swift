package import Conditions
package import StrictYAML

/// The states and territories, from `data/reference/states.csv`: what a state's column says is shown only if it is one.
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
