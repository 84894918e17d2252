import TestSupport

/// The targets of `Package.swift` as its text states them: read as text, because asking SwiftPM from inside a test
/// would wait for the build that runs the test.
struct TargetGraph {
    struct Target {
        var name: String
        /// The number of the comment above it.
        var layer: Int
        /// Names of targets, and the file's constants for products of other packages.
        var dependencies: [String]
    }

    private(set) var targets: [String: Target] = [:]

    /// The module each constant for an outside product stands for.
    static let outsideModules = [
        "yams": "Yams", "crypto": "Crypto", "argumentParser": "ArgumentParser", "grdb": "GRDB",
        "sqlite": "GRDBSQLite", "logging": "Logging", "mustache": "Mustache",
        "hummingbird": "Hummingbird", "jwtKit": "JWTKit", "lifecycle": "ServiceLifecycle", "unixSignals": "UnixSignals",
        "hummingbirdCore": "HummingbirdCore", "hummingbirdTLS": "HummingbirdTLS", "nioSSL": "NIOSSL",
        "nioCore": "NIOCore", "nioPosix": "NIOPosix", "nioHTTP": "NIOHTTPTypes",
        "httpTypes": "HTTPTypes",
    ]

    init(manifest: String) {
        let declarations = manifest.components(after: "    targets: [\n")
        var layer = 0
        var declaration = ""
        var declarationLayer = 0
        for line in declarations.split(separator: "\n") {
            if let number = line.wholeMatch(of: /\s*\/\/ (\d+)\s*/)?.output.1, let value = Int(number) {
                layer = value
                continue
            }
            if line.firstMatch(of: /^ {8}(library|\.target|\.executableTarget|\.systemLibrary|tests)\(/) != nil {
                add(declaration, layer: declarationLayer)
                declaration = ""
                declarationLayer = layer
            }
            declaration += line + "\n"
        }
        add(declaration, layer: declarationLayer)
    }

    private mutating func add(_ declaration: String, layer: Int) {
        let heading = /^\s*(library|\.target|\.executableTarget|\.systemLibrary)\(\s*(?:name: )?"([\w-]+)"/
        guard let match = declaration.firstMatch(of: heading), !declaration.contains("path: \"") else { return }
        let name = String(match.output.2)
        var rest = declaration[match.range.upperBound...]
        if match.output.1 != "library" {
            rest = declaration.components(after: "dependencies: ")[...]
        }
        let list = rest.firstMatch(of: /\[([^\]]*)\]/)?.output.1 ?? ""
        let words = list.matches(of: /"?(\w+)"?/).map { String($0.output.1) }
        targets[name] = Target(name: name, layer: layer, dependencies: words)
    }

    /// The targets and the outside modules that a program is built from: those that it names, those that these name, and so on.
    func reached(by name: String) -> Set<String> {
        var reached: Set<String> = [], waiting = importable(by: name)
        while let next = waiting.popFirst() {
            if reached.insert(next).inserted { waiting.formUnion(importable(by: next)) }
        }
        return reached
    }

    /// The modules that a target may import besides those of the system.
    func importable(by name: String) -> Set<String> {
        Set((targets[name]?.dependencies ?? []).map { Self.outsideModules[$0] ?? $0 })
    }
}

extension String {
    /// What follows the first occurrence of a text; empty if it does not occur.
    func components(after text: String) -> String {
        guard let range = firstRange(of: text) else { return "" }
        return String(self[range.upperBound...])
    }
}
