import Files

/// A set that is held stays current until it is resumed: runs publish nothing over it.
///
/// The hold is a file in the folder, so that it needs no store, and is seen by whatever writes there. It says since when,
/// and which set, and no more: readers see the folder.
extension PublicationFolder {
    private static let holdName = ".held"
    private var holdPath: String { "\(root)/\(Self.holdName)" }

    /// Since when the current set is held, RFC 3339 in UTC; nil if it is not.
    package func heldSince() throws(PublishingError) -> String? { try holdLines()?.first }

    /// The run that is held; a command that was stopped may not have made it current yet.
    package func heldID() throws(PublishingError) -> String? {
        Self.heldID(try holdLines())
    }

    static func heldID(_ lines: [String]?) -> String? {
        guard let lines, lines.count > 1, SafeName.isSafe(lines[1]) else { return nil }
        return lines[1]
    }

    func holdLines() throws(PublishingError) -> [String]? {
        guard try files.status(holdPath) != nil else { return nil }
        // Another command may remove it meanwhile.
        let bytes: [UInt8]
        do throws(PublishingError) { bytes = try files.contents(of: holdPath) } catch {
            guard case .system(let cause) = error, cause.isMissing else { throw error }
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// - Parameters:
    ///   - id: the run that is, or is about to be, current.
    ///   - generatedAt: RFC 3339 in UTC.
    package func hold(_ id: String, at generatedAt: String) throws(PublishingError) {
        guard try heldID() != id else { return }
        try files.makeFolder(root)
        let draft = holdPath + ".part"
        if try files.status(draft) != nil { try files.remove(draft) }
        try files.write(Array("\(generatedAt)\n\(id)\n".utf8), to: draft)
        try files.rename(draft, to: holdPath)
        try files.sync(folder: root)
    }

    /// - Returns: whether it was held.
    @discardableResult
    package func resume() throws(PublishingError) -> Bool {
        guard try files.status(holdPath) != nil else { return false }
        try files.remove(holdPath)
        try files.sync(folder: root)
        return true
    }
}
