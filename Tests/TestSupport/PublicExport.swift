import Testing

/// Synthetic exports with the headers of public exports: for each column what it means and what its values look like.
///
/// The headers are those that the publishers name (open data pages, data dictionaries, published scripts); all values are
/// made here.
package struct PublicExport: Sendable, CustomTestStringConvertible {
    package struct Column: Sendable {
        package let name: String
        /// The canonical fields that the column may be proposed for.
        package let fields: Set<String>
        /// Whether a good proposal maps the column's field. Other columns of the export may then take the place.
        package let isExpected: Bool
        fileprivate let shape: String
    }

    package let name: String
    package let columns: [Column]
    fileprivate let time: TimeStyle

    package var testDescription: String { name }
    package var header: [String] { columns.map(\.name) }

    /// How an export writes its times.
    enum TimeStyle: Sendable {
        case iso, us12, us24, usShort
    }

    /// `table`: a column a line: `name | meaning | shape`. The meaning is a field, a field with `?` if it may be mapped, or `-`.
    init(_ name: String, _ time: TimeStyle, _ table: String) {
        self.name = name
        self.time = time
        columns = table.split(separator: "\n").map { line in
            let parts = line.split(separator: "|").map { $0.trimmed }
            let fields = parts[1] == "-" ? [] : parts[1].split(separator: "/").map { String($0.filter { $0 != "?" }) }
            return Column(
                name: parts[0], fields: Set(fields), isExpected: parts[1] != "-" && !parts[1].hasSuffix("?"),
                shape: parts.count > 2 ? parts[2] : "code")
        }
    }

    package func rows(_ count: Int, seed: UInt64 = 7) -> [[String]] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { row in
            var seconds = row * 14_400 + Int.random(in: 0..<3600, using: &random)
            let steps = (0...9).map { _ in
                seconds += Int.random(in: 20..<900, using: &random)
                return seconds
            }
            let isTransport = Int.random(in: 0..<10, using: &random) < 7
            return columns.map { value(of: $0, row: row, steps: steps, isTransport, &random) }
        }
    }

    package func csv(_ count: Int) -> String {
        let quoted = { (row: [String]) in
            row.map { $0.contains(where: { ",\"".contains($0) }) ? "\"\($0)\"" : $0 }.joined(separator: ",") + "\n"
        }
        return ([header] + rows(count)).map(quoted).joined()
    }

    /// `tN`: a time at step N; `oN`: only of transports; `date N`; `w A,B`: one of the words; `n A-B`: a number; and some
    /// kinds by name.
    private func value(
        of column: Column, row: Int, steps: [Int], _ isTransport: Bool, _ random: inout SplitMix64
    ) -> String {
        let words = column.shape.split(separator: " ", maxSplits: 1).map(String.init)
        let kind = words.first ?? "", rest = words.count > 1 ? words[1] : ""
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        switch kind {
        case "t", "o":
            guard kind == "t" || isTransport, let step = Int(rest) else { return "" }
            return time.text(steps[step])
        case "date": return String(time.text(steps[0]).prefix { $0 != " " && $0 != "T" })
        case "id": return "\(20_250_000 + row)"
        case "unitid": return "\(20_250_000 + row / 2)-\(row % 2)"
        case "pairs": return "\(20_250_000 + row / 2)"
        case "w":
            let choices = rest.split(separator: ",")
            return choices.isEmpty ? "" : choices[number(0...(choices.count - 1))].trimmed
        case "n":
            let bounds = rest.split(separator: "-").compactMap { Int($0) }
            return bounds.count == 2 ? "\(number(bounds[0]...bounds[1]))" : ""
        case "money": return "$\(number(1...2)),\(number(100...999)).\(number(10...99))"
        case "miles": return "\(number(1...40)).\(number(0...9))"
        case "odometer": return "\(80_000 + row * 9 + (Int(rest) ?? 0))"
        case "address": return "\(number(1...99)) Block of EXAMPLE ST"
        case "zip": return "000\(number(10...99))"
        case "degrees": return "\(number(30...45)).\(number(100_000...999_999))"
        case "point": return "(\(number(30...45)).\(number(1000...9999)), -\(number(70...99)).\(number(1000...9999)))"
        case "person": return "Synthetic\(row), Person"
        case "birth": return "\(number(1...12))/\(number(1...28))/\(number(1930...2005))"
        case "phone": return "(555) 555-01\(number(10...99))"
        case "text": return "synthetic words \(row)"
        case "blank": return ""
        default: return "C\(number(1...40))"
        }
    }
}

extension PublicExport.TimeStyle {
    /// Seconds after the first of January 2025.
    fileprivate func text(_ seconds: Int) -> String {
        var day = seconds / 86_400, year = 2025, month = 1
        func length() -> Int {
            let lengths = [31, year % 4 == 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            return lengths[month - 1]
        }
        while day >= length() {
            day -= length()
            (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
        }
        let hour = seconds / 3600 % 24, half = hour % 12 == 0 ? 12 : hour % 12, noon = hour < 12 ? "AM" : "PM"
        let minute = two(seconds / 60 % 60), second = two(seconds % 60)
        return switch self {
        case .iso: "\(year)-\(two(month))-\(two(day + 1))T\(two(hour)):\(minute):\(second)"
        case .us12: "\(two(month))/\(two(day + 1))/\(year) \(two(half)):\(minute):\(second) \(noon)"
        case .us24: "\(two(month))/\(two(day + 1))/\(year) \(two(hour)):\(minute)"
        case .usShort: "\(month)/\(day + 1)/\(year) \(half):\(minute) \(noon)"
        }
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
