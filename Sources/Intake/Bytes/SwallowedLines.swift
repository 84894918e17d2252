/// A record in whose quoted fields whole lines lie that look like records: perhaps two stray quotes have swallowed them.
struct SwallowedLines {
    /// Where the record starts in its window.
    var position: Int
    /// How many records of the block come before it.
    var recordInBlock: Int
    /// Lines beyond the record's own.
    var lines: Int
}
