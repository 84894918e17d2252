/// The name of a tag as a number, which is compared faster than its bytes: the first seven and the length. The names of a workbook's
/// parts differ in these.
struct XMLName: ExpressibleByStringLiteral {
    let key: UInt64

    @inline(__always)
    init(stringLiteral name: StaticString) {
        var key = UInt64(name.utf8CodeUnitCount) << 56
        for place in 0..<min(7, name.utf8CodeUnitCount) { key |= UInt64(name.utf8Start[place]) << UInt64(place * 8) }
        self.key = key
    }
}
