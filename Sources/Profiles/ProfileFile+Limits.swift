import StrictYAML
import Trips

extension ProfileReader {
    /// `units`, `max_interval_hours`, `max_reject` and `max_record_bytes`.
    mutating func readLimits(_ keys: [String: YAMLValue]) {
        if let units = keys["units"], let distance = mapping(units, allowed: ["distance"])["distance"] {
            attempt { reader throws(ConfigurationError) in
                reader.profile.distanceUnit = try reader.word(distance, "unit of distance", as: DistanceUnit.self)
            }
        }
        if let value = keys["max_interval_hours"] {
            attempt { reader throws(ConfigurationError) in
                let hours = try value.number()
                guard hours > 0, hours <= 720 else {
                    throw value.error("max_interval_hours is out of bounds", hint: "give hours up to 720, such as 24")
                }
                reader.profile.maximumIntervalSeconds = Int((hours * 3600).rounded())
            }
        }
        if let value = keys["max_reject"] {
            attempt { reader throws(ConfigurationError) in
                reader.profile.maximumRejectPerMillion = try Self.perMillion(value)
            }
        }
        if let value = keys["max_record_bytes"] {
            attempt { reader throws(ConfigurationError) in
                reader.profile.maximumRecordBytes = try value.whole(in: 1024...(1 << 26), "max_record_bytes")
            }
        }
    }

    /// `1%` or `0.25%`: 10 000 and 2 500.
    private static func perMillion(_ value: YAMLValue) throws(ConfigurationError) -> Int {
        let text = try value.string()
        let digits = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        let isNumber = digits.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(TextShape.isDigit) }
        guard text.hasSuffix("%"), (1...2).contains(digits.count), isNumber, digits[0].count <= 3,
            (digits.dropFirst().first?.count ?? 0) <= 4, let whole = Int(digits[0])
        else {
            throw value.error("max_reject is not a percentage", hint: "write it as 1% or 0.25%")
        }
        let decimals = digits.count == 2 ? String(digits[1]) : ""
        let fraction = Int(decimals + String(repeating: "0", count: 4 - decimals.count)) ?? 0
        let perMillion = whole * 10_000 + fraction
        guard perMillion <= 1_000_000 else { throw value.error("max_reject is above 100%", hint: "write it as 1%") }
        return perMillion
    }
}
