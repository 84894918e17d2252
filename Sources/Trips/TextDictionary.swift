/// The distinct values of one text field that a worker has read, each with a small code.
///
/// Code 0 stands for absent or blank. Rules and filters test each distinct value once, by its code, not once a row. A
/// dictionary that would exceed its bound is emptied between batches; `generation` then increases, and results by code
/// are dropped.
package struct TextDictionary: Sendable {
    package private(set) var values: [Sensitive<String>] = [Sensitive("")]
    package private(set) var generation = 0

    package init() {}

    package var count: Int { values.count }

    /// Adds a value that is known not to be in the dictionary.
    package mutating func append(_ value: String) -> UInt32 {
        values.append(Sensitive(value))
        return UInt32(values.count - 1)
    }

    package mutating func removeAll() {
        values = [Sensitive("")]
        generation += 1
    }

    package subscript(code: UInt32) -> Sensitive<String> { values[Int(code)] }
}
