/// The identifiers that a run has read, as hashes: what the texts of its outputs are looked up in.
package struct IdentifierSet: Sendable {
    /// How many distinct identifiers of a run are remembered: the tables then take half a GiB.
    package static let standardLimit = 1 << 25

    let hash: IdentifierHash
    private let tables: [IdentifierTable]

    init(_ hash: IdentifierHash, tables: [IdentifierTable]) {
        self.hash = hash
        self.tables = tables
    }

    package var count: Int { tables.reduce(0) { $0 + $1.count } }

    /// False if a run met more identifiers than may be remembered: the rest is not in it.
    package var isComplete: Bool { !tables.contains { $0.isFull } }

    func contains(_ code: IdentifierCode) -> Bool { tables[Int(code.shard)].contains(code.bits) }
}
