/// The numbers that a text shows its readers.
enum NumbersInText {
    /// `2,612`, `-5.00`, `2026-01`, `1:02:10`, each as it is written.
    ///
    /// - Returns: nil if a number is not in plain digits: other scripts, fractions, or spelled out.
    static func tokens(_ text: String) -> [String]? {
        guard !isSpelledOut(text) else { return nil }
        var tokens: [String] = []
        var token = ""
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            if isDigit(scalar) {
                if token.isEmpty, isNegative(before: index, scalars) { token = "-" }
                token.unicodeScalars.append(scalar)
                continue
            }
            guard scalar.isASCII || scalar.properties.numericType == nil else { return nil }
            let joins = !token.isEmpty && ",.-:".unicodeScalars.contains(scalar) && index + 1 < scalars.count
            if joins, isDigit(scalars[index + 1]) {
                token.unicodeScalars.append(scalar)
            } else if !token.isEmpty {
                tokens.append(token)
                token = ""
            }
        }
        return token.isEmpty ? tokens : tokens + [token]
    }

    /// Whether the numbers of a text are some of these, in this order, each at most once.
    static func areOnly(_ allowed: [String], in text: String) -> Bool {
        guard let tokens = tokens(text) else { return false }
        var left = allowed[...]
        for token in tokens {
            guard let place = left.firstIndex(of: token) else { return false }
            left = left[(place + 1)...]
        }
        return true
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isNegative(before index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        let sign = index > 0 && scalars[index - 1] == "$" ? index - 2 : index - 1
        return sign >= 0 && ["-", "\u{2212}"].contains(scalars[sign])
    }

    private static let words: Set<String> = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty",
        "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "dozen", "once", "twice",
    ]

    /// "nine in ten" says what a 90th percentile is.
    private static func isSpelledOut(_ text: String) -> Bool {
        var names = text.lowercased().split { !$0.isLetter }.map(String.init)
        if let start = names.firstRange(of: ["nine", "in", "ten"]) { names.removeSubrange(start) }
        return names.contains(where: words.contains)
    }
}
