import GRDB
import Synchronization

/// The texts of the store by number. Workers look up numbers while an export is read; new texts are written with the
/// export's transaction, or forgotten with it.
package final class TextTable: Sendable {
    private struct State {
        var numbers: [String: Int32] = ["": 0]
        /// Texts from this number on are not written yet.
        var written: Int32 = 1
        var pending: [String] = []
    }

    private let state = Mutex(State())

    init(_ db: Database) throws {
        try reload(db)
    }

    /// Replaces all texts by those of the database.
    func reload(_ db: Database) throws {
        var state = State()
        let rows = try Row.fetchCursor(db, sql: "SELECT text_id, value FROM texts")
        while let row = try rows.next() {
            let number: Int32 = try row.decode(atIndex: 0)
            guard number > 0, number < .max else { throw StoreDamage(detail: "a text has no number that texts have") }
            state.numbers[try row.decode(atIndex: 1)] = number
            state.written = max(state.written, number + 1)
        }
        self.state.withLock { $0 = state }
    }

    /// The number of a text; a new number for a new text.
    package func number(of text: String) -> Int32 {
        state.withLock { state in
            if let number = state.numbers[text] { return number }
            let number = state.written + Int32(state.pending.count)
            state.numbers[text] = number
            state.pending.append(text)
            return number
        }
    }

    /// Writes new texts. They count as written once the transaction is committed: whatever comes after this may still roll it back,
    /// and a number without its text would become that of another text.
    func write(_ db: Database) throws {
        let (first, pending) = state.withLock { ($0.written, $0.pending) }
        for (index, text) in pending.enumerated() {
            try db.execute(sql: "INSERT INTO texts VALUES (?, ?)", arguments: [first + Int32(index), text])
        }
        db.afterNextTransaction(
            onCommit: { [self] _ in
                state.withLock { state in
                    state.written += Int32(pending.count)
                    state.pending.removeFirst(pending.count)
                }
            },
            onRollback: { [self] _ in forgetUnwritten() })
    }

    /// Forgets the texts of a transaction that was rolled back, maybe before it wrote them.
    func forgetUnwritten() {
        state.withLock { state in
            for text in state.pending { state.numbers[text] = nil }
            state.pending = []
        }
    }

    /// By number.
    package var all: [Int32: String] {
        state.withLock { Dictionary($0.numbers.map { ($0.value, $0.key) }) { first, _ in first } }
    }
}
