package import Privacy
package import Publishing

/// The folders of published sets, one for each audience: `release` and `staff` below one root.
package struct PublishedFolders: Sendable {
    package let root: String

    package init(root: String) {
        self.root = root
    }

    /// The sets of one audience.
    package func folder(_ audience: Audience) -> PublicationFolder {
        PublicationFolder(root: "\(root)/\(audience.rawValue)")
    }

    /// - Throws: `PublishingError.clockBehind` if a set of any audience is newer than this time.
    package func checkClock(_ generatedAt: String) throws(PublishingError) {
        for audience in Audience.allCases { try folder(audience).checkClock(generatedAt) }
    }

    /// The newest set that readers of any audience see; nil if nothing is published.
    package func newestID() throws(PublishingError) -> String? {
        var newest: String?
        for audience in Audience.allCases {
            guard let id = try folder(audience).currentID() else { continue }
            newest = max(newest ?? id, id)
        }
        return newest
    }
}
