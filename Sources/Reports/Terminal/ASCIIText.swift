/// Text for a terminal that shows nothing but ASCII. Each character becomes one, so that columns stay in line.
enum ASCIIText {
    private static let signs: [Character: Character] = [
        "•": "*", "–": "-", "·": "/", "…": "~", "—": "-", "’": "'", "≈": "~",
    ]

    static func of(_ text: String) -> String {
        String(
            text.map { character in
                if character.isASCII { return character }
                if let sign = signs[character] { return sign }
                // Bars are digits from 1 to 8.
                guard let height = Sparkline.bars.firstIndex(of: character) else { return "?" }
                return Character(String(height + 1))
            })
    }
}
