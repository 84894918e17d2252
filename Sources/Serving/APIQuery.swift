import Basics
import Foundation
import KPIContract

/// The parameters of an address. A parameter that the address does not have, or that is given twice, is an error: a
/// misspelled filter must not answer with everything.
package struct APIQuery: Sendable {
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - text: what follows the `?`, as it was sent.
    ///   - names: those that the address has.
    package init(_ text: Substring?, names: [String]) throws(APIProblem) {
        for part in (text ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first.flatMap({ String($0).removingPercentEncoding }), names.contains(name) else {
                throw .badParameter(
                    detail: names.isEmpty
                        ? "This address has no parameters."
                        : "The parameters of this address are: \(names.joined(separator: ", ")).")
            }
            guard values[name] == nil else { throw .badParameter(detail: "\(name) is given twice.") }
            guard pair.count == 2, let value = String(pair[1]).removingPercentEncoding else {
                throw .badParameter(detail: "\(name) must be written \(name)=value, in percent-encoded UTF-8.")
            }
            values[name] = value
        }
    }

    package subscript(name: String) -> String? { values[name] }

    /// A filter; `All` if it is not given. Some clients write a blank as `+`: so it is read where the text itself is no choice.
    ///
    /// - Parameter isListed: whether the caller may read what is offered.
    package func choice(_ name: String, of offered: [String], isListed: Bool) throws(APIProblem) -> String {
        guard let value = values[name] else { return CellKey.all }
        if offered.contains(value) { return value }
        let spaced = value.replacing("+", with: " ")
        guard offered.contains(spaced) else {
            let values = isListed ? Self.list(offered, isOfMonths: name == "month") : " or a value that the trips have"
            throw .notAFilter(detail: "\(name) must be All\(values).")
        }
        return spaced
    }

    private static let mostListed = 40

    /// ` or one of North, South`; months are written as a range, and long lists end early.
    private static func list(_ offered: [String], isOfMonths: Bool) -> String {
        let values = offered.filter { $0 != CellKey.all }
        guard let first = values.first, let last = values.last else { return "" }
        if isOfMonths, values.count > 2 { return " or one of \(first) … \(last)" }
        return " or one of " + values.prefix(mostListed).joined(separator: ", ")
            + (values.count > mostListed ? ", …" : "")
    }

    /// A whole number; nil if it is not given.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(APIProblem) -> Int? {
        guard let value = values[name] else { return nil }
        guard (1...6).contains(value.utf8.count), value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(value), range.contains(number)
        else {
            throw .badParameter(
                detail: "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// One of some words; the first if it is not given.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, or standard: Word) throws(APIProblem)
        -> Word
    {
        guard let value = values[name] else { return standard }
        guard let word = Word(rawValue: value) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: " or ")
            throw .badParameter(detail: "\(name) must be \(words).")
        }
        return word
    }
}
