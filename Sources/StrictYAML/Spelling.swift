/// Finds the known name that a misspelled one probably stands for.
package enum Spelling {
    /// The nearest of `names` by Levenshtein distance without regard to case; nil if none is near. At most 2 edits,
    /// and fewer than half of the name's letters.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let letters = Array(word.lowercased().unicodeScalars.prefix(64))
        var best: (name: String, distance: Int)?
        for name in names {
            let distance = distance(letters, Array(name.lowercased().unicodeScalars.prefix(64)))
            guard distance <= 2, distance * 2 < max(letters.count, 3) else { continue }
            if distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// How to fix an unknown name: the nearest known one, or all of them.
    package static func hint(for word: String, among names: [String]) -> String {
        if let nearest = nearest(to: word, among: names) { return "did you mean “\(nearest)”?" }
        return names.isEmpty ? "remove it" : "use one of: \(names.sorted().joined(separator: ", "))"
    }

    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let substitution = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
