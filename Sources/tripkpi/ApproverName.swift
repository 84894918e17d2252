import ArgumentParser

/// The name that `--approve` gives.
enum ApproverName {
    /// - Parameter name: nil: the option is not given.
    static func check(_ name: String?) throws {
        guard let name, !(1...100).contains(name.count) || name.allSatisfy(\.isWhitespace) else { return }
        throw ValidationError("--approve must name a person, in at most 100 characters")
    }
}
