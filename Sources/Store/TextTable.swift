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
        /// So many of the pending texts are in the transaction that is open.
        var inserted = 0

        /// Does nothing where the texts were forgotten meanwhile.
        mutating func keepInserted() {
            written += Int32(inserted)
            pending.removeFirst(inserted)
            inserted = 0
        }

        mutating func forgetUnwritten() {
            for text in pending { numbers[text] = nil }
            pending = []
            inserted = 0
        }
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

    /// A transaction that may write texts. They count as written once it is committed, and not before: whatever comes last may
    /// still roll it back, and a number without its text would become that of another text. Otherwise they are forgotten.
    func keepingWritten<Value>(_ transaction: () throws -> Value) throws -> Value {
        do {
            let value = try transaction()
            state.withLock { $0.keepInserted() }
            return value
        } catch {
            forgetUnwritten()
            throw error
        }
    }

    /// Writes new texts, in a transaction of `keepingWritten`.
    func write(_ db: Database) throws {
        let (first, texts) = state.withLock { state in
            (state.written + Int32(state.inserted), state.pending.dropFirst(state.inserted))
        }
        for (number, text) in zip(first..., texts) {
            try db.execute(sql: "INSERT INTO texts VALUES (?, ?)", arguments: [number, text])
            state.withLock { $0.inserted += 1 }
        }
    }

    /// Forgets the texts of a transaction that was rolled back, maybe before it wrote them.
    func forgetUnwritten() { state.withLock { $0.forgetUnwritten() } }

    /// By number.
    package var all: [Int32: String] {
        state.withLock { Dictionary($0.numbers.map { ($0.value, $0.key) }) { first, _ in first } }
    }
}
