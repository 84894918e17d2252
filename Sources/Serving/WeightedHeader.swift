import Foundation

/// A request header that lists values with weights: `gzip;q=0.5, *` (RFC 9110, 12.4.2).
struct WeightedHeader {
    /// By value in lower case, 0 to 1.
    private let weights: [(value: String, weight: Double)]

    init(_ text: String) {
        weights = text.split(separator: ",").compactMap { part in
            let words = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            guard let value = words.first, !value.isEmpty else { return nil }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return (value, weight)
        }
    }

    var isEmpty: Bool { weights.isEmpty }

    /// The weight of the first of these names that is listed: the most exact comes first. 0: none is listed, or it is refused.
    func weight(of names: [String]) -> Double {
        for name in names {
            if let found = weights.first(where: { $0.value == name }) { return found.weight }
        }
        return 0
    }
}
