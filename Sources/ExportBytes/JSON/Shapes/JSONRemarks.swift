import Synchronization

/// What was odd about a JSON text though it could be read. One reader writes it, others ask when all is read.
package final class JSONRemarks: Sendable {
    private let state = Mutex((commas: 0, lists: 0, envelope: JSONEnvelope?.none))

    package init() {}

    /// Commas with nothing after them.
    package var trailingCommas: Int { state.withLock { $0.commas } }

    /// Lists of objects in the document that are not those that were read.
    package var otherLists: Int { state.withLock { $0.lists } }

    /// What is around the records; nil: nothing is, or the document was not read to its end.
    package var envelope: JSONEnvelope? { state.withLock { $0.envelope } }

    func set(trailingCommas count: Int, otherLists: Int, envelope: JSONEnvelope?) {
        state.withLock { $0 = (count, otherLists, envelope) }
    }
}
