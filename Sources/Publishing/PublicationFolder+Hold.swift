import Files

/// A set that is held stays current until it is resumed: runs publish nothing over it.
///
/// The hold is a file in the folder, so that it needs no store, and is seen by whatever writes there. It says since when,
/// and no more: readers see the folder.
extension PublicationFolder {
    private static let holdName = ".held"
    private var holdPath: String { "\(root)/\(Self.holdName)" }

    /// Since when the current set is held, RFC 3339 in UTC; nil if it is not.
    package func heldSince() throws(PublishingError) -> String? {
        guard FileStatus(holdPath) != nil else { return nil }
        let text = String(decoding: try files.contents(of: holdPath), as: UTF8.self)
        return String(text.prefix { $0 != "\n" })
    }

    /// - Parameter generatedAt: RFC 3339 in UTC.
    package func hold(at generatedAt: String) throws(PublishingError) {
        guard try heldSince() == nil else { return }
        try files.makeFolder(root)
        try files.write(Array("\(generatedAt)\n".utf8), to: holdPath)
        try files.sync(folder: root)
    }

    /// - Returns: whether it was held.
    @discardableResult
    package func resume() throws(PublishingError) -> Bool {
        guard FileStatus(holdPath) != nil else { return false }
        try files.remove(holdPath)
        try files.sync(folder: root)
        return true
    }
}
