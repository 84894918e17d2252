/// Sizes and times as people read them.
package enum ByteText {
    /// `812 bytes`, `1.4 MB` (powers of ten).
    package static func of(_ bytes: Int) -> String {
        let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)]
        for (name, size) in units where bytes >= size {
            let tenths = bytes / (size / 10)
            return "\(tenths / 10).\(tenths % 10) \(name)"
        }
        return "\(bytes) bytes"
    }

    /// `0:07`, `12:30`, `1:02:03`.
    package static func clock(seconds: Int) -> String {
        func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
        let hours = seconds / 3600
        let minutes = seconds / 60 % 60
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":" + two(seconds % 60)
    }
}
