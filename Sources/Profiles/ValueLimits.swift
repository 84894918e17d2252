/// The longest trips that are believed, in statute miles.
package struct MileLimits: Sendable, Hashable {
    package var ground = 500
    /// Of a trip with the HCPCS code of an air ambulance.
    package var air = 3000

    package init() {}

    /// A limit for the ground that is higher than that for the air is one for both.
    package mutating func set(ground: Int) {
        self.ground = ground
        air = max(air, ground)
    }
}

/// What settings say of the values of all exports; nil: what the profile says.
package struct ValueLimits: Sendable, Hashable {
    package var maximumUnreadablePerMillion: Int?
    package var maximumMiles: Int?

    package init(maximumUnreadablePerMillion: Int? = nil, maximumMiles: Int? = nil) {
        self.maximumUnreadablePerMillion = maximumUnreadablePerMillion
        self.maximumMiles = maximumMiles
    }
}

extension Profile {
    /// Puts the limits of settings in the place of its own.
    package mutating func apply(_ limits: ValueLimits) {
        maximumUnreadablePerMillion = limits.maximumUnreadablePerMillion ?? maximumUnreadablePerMillion
        if let miles = limits.maximumMiles { maximumMiles.set(ground: miles) }
    }
}
