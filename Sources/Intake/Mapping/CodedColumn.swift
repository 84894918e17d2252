import Trips

/// A column of few distinct values, each turned to a number once.
struct CodedColumn {
    private var interner = TextInterner()

    /// Writes the number of each of `count` spans to `out`; `make` works out a value met for the first time, without
    /// outer blanks. Absent and blank values get `blank`.
    ///
    /// - Precondition: `spans` and `out` have `count` entries; every span lies in `bytes`.
    @inline(__always)
    mutating func decode(
        _ bytes: UnsafePointer<UInt8>, _ spans: UnsafePointer<UInt64>, count: Int, blank: Int32,
        into out: UnsafeMutablePointer<Int32>, make: (String) -> Int32
    ) {
        if interner.isFull { interner.removeAll() }
        for row in 0..<count {
            let span = FieldSpan(packed: spans[row])
            let start = span.start
            let length = span.end &- start
            out[row] =
                length == 0
                ? blank
                : interner.number(bytes + start, length: length) { p, length in
                    Self.first(p, length, span.escaping, blank: blank, make: make)
                }
        }
    }

    @inline(never)
    private static func first(
        _ p: UnsafePointer<UInt8>, _ length: Int, _ escaping: FieldSpan.Escaping, blank: Int32, make: (String) -> Int32
    ) -> Int32 {
        let value = SpanText.text(p, length, escaping)
        return value.isEmpty ? blank : make(value)
    }

    var isFull: Bool { interner.isFull }

    mutating func removeAll() { interner.removeAll() }
}
