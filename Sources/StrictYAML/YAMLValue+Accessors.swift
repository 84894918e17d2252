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

    /// A whole number in plain digits: no quotes, no leading zero, no `+`, no `_`.
    package func int() throws(ConfigurationError) -> Int {
        guard case .scalar(let text, true) = content, let number = Int(text), String(number) == text else {
            throw error("a whole number is needed here", hint: "write digits only, without quotes, such as 24")
        }
        return number
    }

    /// A decimal number in plain digits, such as `-12.5`: no exponent, no infinity.
    package func number() throws(ConfigurationError) -> Double {
        guard case .scalar(let text, true) = content, Self.isDecimal(text), let number = Double(text), number.isFinite
        else {
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
            throw entry.keyPlace.error(
                "unknown key “\(entry.key)”", hint: Spelling.hint(for: entry.key, among: allowed))
        }
        return YAMLMapping(entries: entries, place: place)
    }

    private static func isDecimal(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
