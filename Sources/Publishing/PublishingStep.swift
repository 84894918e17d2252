/// What publishing does, one step after the other. A stop between any two of them leaves readers a whole set.
package enum PublishingStep: Sendable, Hashable {
    /// Removes what a killed run left.
    case clear(String)
    case makeDraftFolder
    case write(file: String)
    case writeManifest
    case syncDraftFolder
    /// The draft takes its name among the runs.
    case install
    case linkPrevious
    case linkCurrent
    case syncRoot
}
