import Synchronization

/// What was odd about a JSON text though it could be read. One reader writes it, others ask when all is read.
package final class JSONRemarks: Sendable {
    private let commas = Atomic<Int>(0)
    private let lists = Atomic<Int>(0)

    package init() {}

    /// Commas with nothing after them.
    package var trailingCommas: Int { commas.load(ordering: .relaxed) }

    /// Lists of objects in the document that are not those that were read.
    package var otherLists: Int { lists.load(ordering: .relaxed) }

    func set(trailingCommas count: Int, otherLists: Int) {
        commas.store(count, ordering: .relaxed)
        lists.store(otherLists, ordering: .relaxed)
    }
}
