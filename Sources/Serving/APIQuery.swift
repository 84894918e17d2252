import Foundation

/// The parameters of an address. A parameter that the address does not have, or that is given twice, is an error: a
/// misspelled filter must not answer with everything.
package struct APIQuery: Sendable {
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - text: what follows the `?`, as it was sent.
    ///   - names: those that the address has.
    package init(_ text: Substring?, names: Set<String>) throws(APIProblem) {
        for part in (text ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first.flatMap({ String($0).removingPercentEncoding }), names.contains(name),
                values[name] == nil, pair.count == 2, let value = String(pair[1]).removingPercentEncoding
            else { throw .badParameter }
            values[name] = value
        }
    }

    package subscript(name: String) -> String? { values[name] }

    /// A filter; `All` if it is not given. Some clients write a blank as `+`: so it is read where the text itself is no choice.
    package func choice(_ name: String, of offered: [String]) throws(APIProblem) -> String {
        guard let value = values[name] else { return "All" }
        if offered.contains(value) { return value }
        let spaced = value.replacing("+", with: " ")
        guard offered.contains(spaced) else { throw .notAFilter }
        return spaced
    }

    /// A whole number; nil if it is not given.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(APIProblem) -> Int? {
        guard let value = values[name] else { return nil }
        guard (1...6).contains(value.utf8.count), value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(value), range.contains(number)
        else { throw .badParameter }
        return number
    }

    /// One of some words; the first if it is not given.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, or standard: Word) throws(APIProblem)
        -> Word
    {
        guard let value = values[name] else { return standard }
        guard let word = Word(rawValue: value) else { throw .badParameter }
        return word
    }
}
