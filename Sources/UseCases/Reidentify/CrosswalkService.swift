import Keys
import Operations
import Reporting
import Store

/// `crosswalk check` and `crosswalk forget`.
package struct CrosswalkService: Sendable {
    private let site: StoreSite

    package init(_ site: StoreSite) { self.site = site }

    /// Reads all of it and verifies it against the store; how many trips' identifiers there are.
    package func check() throws -> Int {
        guard let place = site.crosswalk else { throw ReidentificationError.notConfigured }
        let mark = try TripStore(reading: site.store).crosswalkMark()
        return try CrosswalkReader(place, credentials: site.credentials).read(mark: mark)
    }

    /// The store no longer asks for the crosswalk it was loaded with.
    package func forget(_ environment: RunEnvironment) throws {
        try WritingSession.run(site, environment, usesCrosswalk: false) { session in
            try session.audit.recording(.forgetCrosswalk) { try session.store.forgetCrosswalk() }
        }
    }
}
