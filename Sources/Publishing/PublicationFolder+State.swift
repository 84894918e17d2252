extension PublicationFolder {
    /// What publishing, a rollback, a hold and its end change. If it is the same after a failure as before, nothing was changed.
    package struct State: Sendable, Hashable {
        fileprivate let current: String?
        fileprivate let previous: String?
        fileprivate let heldSince: String?
        fileprivate let heldID: String?
        /// All published sets; a set that was installed and never became current too.
        fileprivate let ids: [String]
    }

    package func state() throws(PublishingError) -> State {
        var ids: [String] = []
        for id in try files.names(in: runsPath) where SafeName.isSafe(id) {
            if try holdsManifest(id) { ids.append(id) }
        }
        return State(
            current: try currentID(), previous: try previousID(), heldSince: try heldSince(), heldID: try heldID(),
            ids: ids)
    }
}
