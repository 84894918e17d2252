import Keys
import Operations
import Reporting
import Store

/// `key rotate`: another layer for the key, and all pseudonyms of the store converted to it. Public ids and figures stay
/// as they are. A rotation that was killed is finished instead of beginning another.
package struct KeyRotation: Sendable {
    package struct Outcome: Sendable, Hashable {
        /// Of the key as it is now.
        package let fingerprint: String
        /// How often it was rotated, this time included.
        package let rotations: Int
        package let trips: Int
    }

    private let site: StoreSite

    package init(_ site: StoreSite) { self.site = site }

    package func run(_ environment: RunEnvironment) throws -> Outcome {
        guard try !TripStore.isAbsent(site.store) else { throw StoreError.missing(path: site.store) }
        return try WritingSession.run(site, environment, rotatesKey: true) { session in
            environment.tell(.monthsTouched(try session.refreshTallies()))
            return Outcome(
                fingerprint: session.key.fingerprint, rotations: session.key.layerCount - 1,
                trips: try session.store.totals().trips)
        }
    }

    /// What identifies the key, and how often it was rotated.
    package func fingerprint() throws -> (fingerprint: String, rotations: Int) {
        let key = try site.loadKey()
        return (key.fingerprint, key.layerCount - 1)
    }
}
