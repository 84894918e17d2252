import Files
import Privacy
import Publishing
import Reporting

/// What a restore changes for runs and readers, so that after a failure it is certain whether it has begun.
struct RestoredState: Equatable {
    /// Which files they are.
    private let key: String?
    private let store: String?
    private let current: [String?]
    private let held: [String?]

    init(of site: StoreSite) throws {
        let sets = Audience.allCases.map { PublishedSets(root: site.reports).folder($0) }
        key = try FileStatus.lookUp(site.key)?.identity
        store = try FileStatus.lookUp(site.store, followsLinks: false)?.identity
        current = try sets.map { try $0.currentID() }
        held = try sets.map { set in try set.heldSince().map { "\($0) \(try set.heldID() ?? "")" } }
    }
}
