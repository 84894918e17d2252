/// Text in UTF-16 without a byte-order mark, recognised by where its zero bytes are.
package enum WideText: Sendable, Hashable {
    case littleEndian, bigEndian

    /// The names and numbers of an export are ASCII for the most part: every second byte of them is zero, and the
    /// others are not.
    ///
    /// - Parameter head: the first bytes of the file.
    package init?(head: [UInt8]) {
        let pairs = head.count / 2
        guard pairs >= 4 else { return nil }
        var first = 0, second = 0
        for pair in 0..<pairs {
            if head[2 * pair] == 0 { first += 1 }
            if head[2 * pair + 1] == 0 { second += 1 }
        }
        if second * 10 >= pairs * 7, first * 50 <= pairs {
            self = .littleEndian
        } else if first * 10 >= pairs * 7, second * 50 <= pairs {
            self = .bigEndian
        } else {
            return nil
        }
    }
}
