import Foundation
import StrictYAML

/// Reads a query's `.sql` and `.yml`.
struct QueryFile {
    /// Path of the SQL; the description lies beside it.
    let path: String
    let layer: Query.Layer

    private var yamlPath: String { String(path.dropLast(4)) + ".yml" }
    private var name: String { String(path.split(separator: "/").last?.dropLast(4) ?? "") }

    func read() throws(ConfigurationError) -> Query {
        let sql = try text(of: path)
        let root = try YAMLValue.parse(text: try text(of: yamlPath), file: yamlPath)
        let checkKeys = layer == .checks ? ["severity", "empty_means"] : []
        let mapping = try root.mapping(allowed: ["name", "description", "grain", "parameters", "columns"] + checkKeys)
        let stated = try mapping.required("name")
        guard try stated.string() == name else {
            throw stated.error("the name differs from the file’s", hint: "write “name: \(name)”")
        }
        return Query(
            name: name, layer: layer, description: try mapping.required("description").string(),
            grain: try mapping.required("grain").string(), columns: try columns(try mapping.required("columns")),
            parameters: try parameters(mapping.optional("parameters")),
            severity: layer == .checks ? try choice(try mapping.required("severity")) : nil,
            emptyMeans: layer == .checks ? try mapping.required("empty_means").string() : nil, sql: sql, file: path)
    }

    private func columns(_ value: YAMLValue) throws(ConfigurationError) -> [Query.Column] {
        var columns: [Query.Column] = []
        for entry in try value.entries() {
            let mapping = try entry.value.mapping(allowed: ["type", "unit", "description"])
            columns.append(
                Query.Column(
                    name: try plain(entry), type: try choice(try mapping.required("type")),
                    unit: try mapping.optional("unit").map { unit throws(ConfigurationError) in try unit.string() },
                    description: try mapping.required("description").string()))
        }
        return columns
    }

    private func parameters(_ value: YAMLValue?) throws(ConfigurationError) -> [Query.Parameter] {
        var parameters: [Query.Parameter] = []
        for entry in try value?.entries() ?? [] {
            let mapping = try entry.value.mapping(allowed: ["type", "default", "description"])
            let type: ParameterType = try choice(try mapping.required("type"))
            parameters.append(
                Query.Parameter(
                    name: try plain(entry), type: type,
                    defaultValue: try mapping.optional("default").map { given throws(ConfigurationError) in
                        try defaultValue(given, type)
                    }, description: try mapping.required("description").string()))
        }
        return parameters
    }

    private func defaultValue(_ value: YAMLValue, _ type: ParameterType) throws(ConfigurationError) -> QueryValue {
        let text = try value.string()
        if text == "null" { return .null }
        guard let value = type.value(of: text) else { throw value.error("the default is not \(type.example)") }
        return value
    }

    /// A name that needs no quotes in any dialect.
    private func plain(_ entry: YAMLValue.Entry) throws(ConfigurationError) -> String {
        guard entry.key.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil else {
            throw entry.keyPlace.error("“\(entry.key)” is no plain name", hint: "use a-z, 0-9 and _")
        }
        return entry.key
    }

    private func choice<Choice: RawRepresentable & CaseIterable>(
        _ value: YAMLValue
    ) throws(ConfigurationError) -> Choice where Choice.RawValue == String {
        let text = try value.string()
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue)
            throw value.error("“\(text)” is not known here", hint: Spelling.hint(for: text, among: known))
        }
        return choice
    }

    private func text(of path: String) throws(ConfigurationError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(file: path, message: "it cannot be read", hint: "each .sql needs its .yml")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ConfigurationError(file: path, message: "the file is not valid UTF-8", hint: "save it as UTF-8")
        }
        return text
    }
}
