/// Names of runs, of their files and of the parts of a backup: they become paths, so they can lead nowhere else and are never
/// hidden.
package enum SafeName {
    /// 1 to 128 letters, digits, `.`, `_` and `-` of ASCII; the first is no `.` and no `-`.
    package static func isSafe(_ name: String) -> Bool {
        guard (1...128).contains(name.utf8.count), let first = name.utf8.first else { return false }
        guard first != UInt8(ascii: "."), first != UInt8(ascii: "-") else { return false }
        return name.utf8.allSatisfy(isPlain)
    }

    /// Whether a byte can be in such a name.
    package static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
