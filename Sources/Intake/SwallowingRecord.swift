/// A record whose quoted fields hold lines that look like records: RFC 4180 allows it, two stray quotes look the same.
package struct SwallowingRecord: Sendable, Hashable {
    /// From 1; headers and blank lines do not count.
    package var recordNumber: Int
    /// Where the record starts in the file's text.
    package var byteOffset: Int
    /// Lines with the header's number of delimiters, beyond the record's own.
    package var lines: Int
}
