extension ArraySlice<UInt8> {
    /// Where a pattern first occurs; nil if it does not, or is empty. `firstRange(of:)` of the standard library is a hundred times slower:
    /// it is generic code in a library of its own.
    package func start(of pattern: [UInt8]) -> Index? {
        guard let first = pattern.first else { return nil }
        var rest = self
        while rest.count >= pattern.count, let found = rest.firstIndex(of: first) {
            rest = rest[found...]
            if rest.starts(with: pattern) { return found }
            rest = rest.dropFirst()
        }
        return nil
    }
}
