/// A value of a YAML file, with its place.
///
/// Strict on purpose: every scalar is text as written until an accessor is asked for something else, so that
/// `no`, `08`, `1:30` and `2026-01-01` are never a boolean, an octal, a sexagesimal or a date by surprise. Keys are
/// unique text; anchors, aliases, tags, merge keys and several documents in a file are refused.
package struct YAMLValue: Sendable {
    package enum Content: Sendable {
        /// `isPlain`: written without quotes and not as a block.
        case scalar(text: String, isPlain: Bool)
        case list([YAMLValue])
        case mapping([Entry])
    }

    /// One key of a mapping, in file order.
    package struct Entry: Sendable {
        package let key: String
        package let keyPlace: Location
        package let value: YAMLValue
    }

    /// Line and column, both from 1.
    package struct Location: Sendable, Hashable {
        package let file: String
        package let line: Int
        package let column: Int

        package init(file: String, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
        }

        /// An error at this place.
        package func error(_ message: String, hint: String = "") -> ConfigurationError {
            ConfigurationError(file: file, line: line, column: column, message: message, hint: hint)
        }

        /// The error of a name that is none of the known ones: `unknown key “colour”`.
        package func unknown(_ what: String, _ name: String, among known: [String]) -> ConfigurationError {
            error("unknown \(what) “\(name)”", hint: Spelling.hint(for: name, among: known))
        }
    }

    package let content: Content
    package let place: Location

    /// Larger files and deeper nesting are refused: no file written by hand has them.
    package static let maximumBytes = 1 << 20
    package static let maximumDepth = 64

    /// An error at this value's place.
    package func error(_ message: String, hint: String = "") -> ConfigurationError {
        place.error(message, hint: hint)
    }

    /// `a mapping`, `a list`, `a text` or `nothing`, for messages.
    package var kind: String {
        switch content {
        case .scalar(let text, let isPlain): text.isEmpty && isPlain ? "nothing" : "a text"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}

extension YAMLValue {
    /// The text as written. Nothing at all (a key without a value) is an error; `""` is not.
    package func string() throws(ConfigurationError) -> String {
        guard case .scalar(let text, let isPlain) = content, !(text.isEmpty && isPlain) else {
            throw error("a text is needed here, found \(kind)", hint: "write a single value")
        }
        return text
    }

    /// A text, or a list of texts.
    package func strings() throws(ConfigurationError) -> [String] {
        guard case .list(let values) = content else { return [try string()] }
        var texts: [String] = []
        for value in values { texts.append(try value.string()) }
        return texts
    }

    /// One of the raw values of an enumeration.
    /// - Parameter what: names it in the error: `unknown format “xls”`.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ what: String
    ) throws(ConfigurationError) -> Choice {
        let text = try string()
        guard let choice = Choice(rawValue: text) else {
            throw place.unknown(what, text, among: Choice.allCases.map(\.rawValue))
        }
        return choice
    }

    /// One of these names.
    package func name(_ what: String, among known: [String]) throws(ConfigurationError) -> String {
        let text = try string()
        guard known.contains(text) else { throw place.unknown(what, text, among: known) }
        return text
    }

    /// A whole number in plain digits: no quotes, no leading zero, no `+`, no `_`.
    package func int() throws(ConfigurationError) -> Int {
        guard case .scalar(let text, true) = content, let number = Int(text), String(number) == text else {
            throw error("a whole number is needed here", hint: "write digits only, without quotes, such as 24")
        }
        return number
    }

    /// A whole number within bounds.
    package func int(in bounds: ClosedRange<Int>, _ what: String) throws(ConfigurationError) -> Int {
        let number = try int()
        guard bounds.contains(number) else {
            throw error(
                "\(what) is out of bounds", hint: "give a number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return number
    }

    /// A decimal number in plain digits, such as `-12.5`: no exponent, no infinity.
    package func number() throws(ConfigurationError) -> Double {
        guard case .scalar(let text, true) = content, let number = Double(plainDecimal: text) else {
            throw error("a number is needed here", hint: "write digits with at most one point, such as 12.5")
        }
        return number
    }

    /// `true` or `false`, without quotes; nothing else.
    package func bool() throws(ConfigurationError) -> Bool {
        switch content {
        case .scalar("true", true): return true
        case .scalar("false", true): return false
        default: throw error("true or false is needed here", hint: "write true or false in lower case, without quotes")
        }
    }

    /// The elements of a list, in order.
    package func list() throws(ConfigurationError) -> [YAMLValue] {
        guard case .list(let values) = content else {
            throw error("a list is needed here, found \(kind)", hint: "write one element a line, each after “- ”")
        }
        return values
    }

    /// The keys of a mapping whose keys are free, in file order.
    package func entries() throws(ConfigurationError) -> [Entry] {
        guard case .mapping(let entries) = content else {
            throw error("a mapping is needed here, found \(kind)", hint: "write “key: value” lines")
        }
        return entries
    }

    /// A mapping all of whose keys are among `allowed`.
    package func mapping(allowed: [String]) throws(ConfigurationError) -> YAMLMapping {
        let entries = try entries()
        for entry in entries where !allowed.contains(entry.key) {
            throw entry.keyPlace.unknown("key", entry.key, among: allowed)
        }
        return YAMLMapping(entries: entries, place: place)
    }
}

extension Double {
    /// A plain decimal number: optional `-`, digits, optional point with digits.
    package init?(plainDecimal text: String) {
        let digits = text.utf8.first == 0x2D ? text.utf8.dropFirst() : text.utf8[...]
        let parts = digits.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }),
            let number = Double(text), number.isFinite
        else { return nil }
        self = number
    }
}
