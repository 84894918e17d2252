package import Basics
package import KPIContract

/// Months, days and measures in the words that a person says.
package enum PlainName {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// `September 2025` for `2025-09`; what is no month stays as it is.
    package static func month(_ text: String) -> String { Month(text).map(month) ?? text }

    package static func month(_ month: Month) -> String { "\(months[month.month - 1]) \(month.year)" }

    /// `30 September 2025` for `2025-09-30`; what is no day stays as it is.
    package static func day(_ text: String) -> String {
        let parts = text.split(separator: "-")
        guard parts.count == 3, let day = Int(parts[2]), let month = Month("\(parts[0])-\(parts[1])") else {
            return text
        }
        return "\(day) \(self.month(month))"
    }

    /// A sentence of the contract with its months, days and percentiles in words.
    package static func sentence(_ text: String) -> String {
        text.replacing(#/\b\d{4}-\d{2}(?:-\d{2})?\b/#) { match in
            let found = String(match.output)
            return found.count == 7 ? month(found) : day(found)
        }
        .replacing("esponse p90", with: "esponse for 9 of 10 trips")
    }

    /// `Response, 9 of 10 trips`; a measure that needs no other words has its own title.
    package static func measure(_ kpi: KPIDescription) -> String {
        guard let percent = kpi.percent, let interval = kpi.name.split(separator: ".").first else { return kpi.title }
        let words =
            percent == 50
            ? "median" : percent % 10 == 0 ? "\(percent / 10) of 10 trips" : "\(percent) of 100 trips"
        return "\(interval.prefix(1).uppercased())\(interval.dropFirst()), \(words)"
    }
}
