/// Three-valued logic: nil is an outcome that is not known, and what does not depend on it is known all the same.
enum Kleene {
    /// False if one is false, else not known if one is not known.
    static func all<Part>(_ parts: [Part], _ outcome: (Part) -> Bool?) -> Bool? {
        var isKnown = true
        for part in parts {
            let outcome = outcome(part)
            if outcome == false { return false }
            if outcome == nil { isKnown = false }
        }
        return isKnown ? true : nil
    }

    /// True if one is true, else not known if one is not known.
    static func any<Part>(_ parts: [Part], _ outcome: (Part) -> Bool?) -> Bool? {
        all(parts) { outcome($0).map(!) }.map(!)
    }
}
