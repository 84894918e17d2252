import ExportBytes
import Rules
import Trips

/// The row filter of a profile: which records of an export are trips at all. One worker owns it.
final class RecordFilter {
    private let slots: [Int]
    private let words: NoValueWords
    private let needs: [TextNeed]
    private var machine: ConditionMachine
    private var columns: [CodedColumn]
    private var dictionaries: [TextDictionary]
    private var codes: [[UInt32]]
    private var matches: [Int16]
    /// Has room for the rows of a batch.
    private let scratch: UnsafeMutablePointer<Int32>

    /// - Parameters:
    ///   - slots: of the machine's fields, in their order.
    ///   - rows: most rows of one call.
    init(_ machine: ConditionMachine, slots: [Int], words: NoValueWords, rows: Int) {
        self.machine = machine
        self.slots = slots
        self.words = words
        needs = machine.fields.map { machine.need(of: $0) }
        columns = slots.map { _ in CodedColumn() }
        dictionaries = slots.map { _ in TextDictionary() }
        codes = slots.map { _ in Array(repeating: 0, count: rows) }
        matches = Array(repeating: 0, count: rows)
        scratch = .allocate(capacity: rows)
        scratch.initialize(repeating: 0, count: rows)
    }

    deinit { scratch.deallocate() }

    /// Takes the rows that do not match out of `table` and `records`.
    ///
    /// - Returns: how many stay.
    func apply(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, records: UnsafeMutablePointer<Int32>, count: Int
    ) -> Int {
        for (index, slot) in slots.enumerated() {
            if columns[index].isFull {
                columns[index].removeAll()
                dictionaries[index].removeAll()
            }
            columns[index].decode(bytes, table.column(slot), count: count, blank: 0, into: scratch) {
                // A filter that compares values may name such a word; for one that asks for presence it is nothing.
                needs[index] == .presence && words.hold($0) ? 0 : Int32(dictionaries[index].append($0))
            }
            // Where only presence matters the machine knows no values: 0 or 1.
            let ceiling: UInt32 = needs[index] == .presence ? 1 : .max
            for row in 0..<count { codes[index][row] = min(ceiling, UInt32(truncatingIfNeeded: scratch[row])) }
        }
        machine.firstMatches(codes: codes, dictionaries: dictionaries, days: [], count: count, into: &matches)
        var kept = 0
        for row in 0..<count where matches[row] == 0 {
            scratch[kept] = Int32(truncatingIfNeeded: row)
            kept += 1
        }
        if kept < count {
            table.select(scratch, count: kept)
            for row in 0..<kept { records[row] = records[Int(scratch[row])] }
        }
        return kept
    }
}
