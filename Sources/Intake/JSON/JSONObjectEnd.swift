/// Where an object ends that is known to be valid JSON.
enum JSONObjectEnd {
    /// Position after the closing brace of the object that starts at or after `from`; nil if it is not before `to`.
    static func find(_ bytes: UnsafePointer<UInt8>, from: Int, to: Int) -> Int? {
        var depth = 0
        var inString = false
        var at = from
        while at < to {
            switch bytes[at] {
            case 0x5C where inString: at += 1
            case 0x22: inString.toggle()
            case 0x7B, 0x5B: depth += inString ? 0 : 1
            case 0x7D, 0x5D:
                depth -= inString ? 0 : 1
                if depth == 0 && !inString { return at + 1 }
            default: break
            }
            at += 1
        }
        return nil
    }
}
