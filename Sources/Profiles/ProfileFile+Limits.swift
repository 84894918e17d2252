internal import StrictYAML
internal import Trips

extension ProfileReader {
    /// Columns whose unreadable values are accepted: `[cost]`.
    mutating func readAccepted(_ value: YAMLValue) {
        guard let names = log.attempt(try value.strings()) else { return }
        for (index, name) in names.enumerated() {
            guard let field = CanonicalField(rawValue: name) else {
                log.add(
                    value.place(ofElement: index).unknown("field", name, among: CanonicalField.allCases.map(\.rawValue))
                )
                continue
            }
            profile.acceptedUnreadable.insert(field)
        }
    }

    /// `500`, or `{ground: 500, air: 3000}`.
    mutating func readMiles(_ value: YAMLValue) {
        if case .mapping = value.content {
            let keys = log.mapping(value, allowed: ["ground", "air"])
            if let ground = log.attempt(try keys.optional("ground")?.int(in: 1...100_000, "ground")) {
                profile.maximumMiles.set(ground: ground)
            }
            if let air = log.attempt(try keys.optional("air")?.int(in: 1...100_000, "air")) {
                profile.maximumMiles.air = max(air, profile.maximumMiles.ground)
            }
        } else if let ground = log.attempt(try value.int(in: 1...100_000, "max_miles")) {
            profile.maximumMiles.set(ground: ground)
        }
    }
}
