/// One metric in the text format of Prometheus: its help, its type and its samples.
///
/// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
package struct MetricFamily: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case gauge, counter, histogram
    }

    /// A value with its labels: `tripkpi_rows{disposition="read"} 12`.
    package struct Sample: Sendable, Hashable {
        /// What a histogram adds to the name: `_bucket`.
        var suffix: String
        /// `{disposition="read"}`, or nothing.
        var labels: String
        var value: String

        /// - Parameter labels: by name; their values are escaped.
        package init(suffix: String = "", labels: [(String, String)] = [], _ value: String) {
            self.suffix = suffix
            self.labels =
                labels.isEmpty
                ? "" : "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
            self.value = value
        }

        private static func escaped(_ text: String) -> String {
            text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        }
    }

    let name: String
    let help: String
    let kind: Kind
    let samples: [Sample]

    /// - Parameter name: without `tripkpi_`.
    package init(_ name: String, _ help: String, _ kind: Kind = .gauge, _ samples: [Sample]) {
        self.name = "tripkpi_" + name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    init(_ name: String, _ help: String, _ value: Int?) {
        self.init(name, help, .gauge, value.map { [Sample(String($0))] } ?? [])
    }

    init(_ name: String, _ help: String, _ label: String, _ values: [(String, Int)]) {
        self.init(name, help, .gauge, values.map { Sample(labels: [(label, $0)], String($1)) })
    }

    /// Nothing without samples.
    package var text: String {
        guard !samples.isEmpty else { return "" }
        return "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
            + samples.map { "\(name)\($0.suffix)\($0.labels) \($0.value)\n" }.joined()
    }

    /// Seconds with three decimals, never with an exponent.
    package static func decimal(_ seconds: Double) -> String {
        let milliseconds = Int((max(0, min(seconds, 1e12)) * 1000).rounded())
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
