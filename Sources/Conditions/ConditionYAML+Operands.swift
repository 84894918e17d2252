internal import StrictYAML

/// What stands after a field's name.
extension ConditionYAML {
    /// A text that is not blank.
    static func text(_ value: YAMLValue) throws(ConfigurationError) -> String {
        let text = try value.string()
        guard !FoldedText.trimmed(text).isEmpty else {
            throw value.error("a blank value never matches", hint: "use “not: {present: …}” to test for no value")
        }
        return text
    }

    /// One or several texts that are not blank.
    static func texts(_ value: YAMLValue) throws(ConfigurationError) -> [String] {
        guard case .list(let values) = value.content else { return [try text(value)] }
        guard !values.isEmpty else { throw value.error("the list is empty", hint: "list at least one value") }
        var texts: [String] = []
        for value in values { texts.append(try text(value)) }
        return texts
    }

    /// Texts each of which is a single token.
    static func tokens(_ value: YAMLValue) throws(ConfigurationError) -> [String] {
        let tokens = try texts(value)
        for token in tokens where FoldedText.tokens(FoldedText.folded(token)).count != 1 {
            throw value.error(
                "a token holds no blank and none of , ; / | :", hint: "list several tokens one by one")
        }
        return tokens
    }

    /// A regular expression that compiles.
    static func pattern(_ value: YAMLValue) throws(ConfigurationError) -> String {
        let text = try value.string()
        do throws(PatternFault) {
            return try LinearPattern(text).text
        } catch {
            throw value.error("bad regex at character \(error.offset + 1): \(error.message)", hint: error.hint)
        }
    }

    /// `{min: n, max: n}`, at least one of them.
    static func range(_ value: YAMLValue, field: String) throws(ConfigurationError) -> Condition {
        let mapping = try value.mapping(allowed: ["min", "max"])
        let minimum = try mapping.optional("min")?.number()
        let maximum = try mapping.optional("max")?.number()
        guard minimum != nil || maximum != nil else {
            throw value.error("a range needs “min” or “max”", hint: "write {min: 0, max: 50}")
        }
        if let minimum, let maximum, minimum > maximum {
            throw value.error("“min” is above “max”", hint: "swap them")
        }
        return .range(field: field, minimum: minimum, maximum: maximum)
    }
}
