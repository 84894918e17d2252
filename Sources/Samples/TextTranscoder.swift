/// Turns whole records of UTF-8 into the plan's encoding.
struct TextTranscoder {
    let encoding: SamplePlan.Encoding
    /// The bytes of Windows-1252 for the characters of samples that Latin-1 lacks.
    private static let windows1252: [UInt32: UInt8] = [
        0x20AC: 0x80, 0x2018: 0x91, 0x2019: 0x92, 0x201C: 0x93, 0x201D: 0x94, 0x2013: 0x96, 0x2014: 0x97,
    ]

    var byteOrderMark: [UInt8] {
        switch encoding {
        case .utf8, .windows1252: []
        case .utf8WithBOM: [0xEF, 0xBB, 0xBF]
        case .utf16: [0xFF, 0xFE]
        }
    }

    func transcode(_ text: [UInt8]) -> [UInt8] {
        switch encoding {
        case .utf8, .utf8WithBOM: return text
        case .utf16:
            var result: [UInt8] = []
            result.reserveCapacity(text.count * 2)
            for unit in String(decoding: text, as: UTF8.self).utf16 {
                result.append(UInt8(truncatingIfNeeded: unit))
                result.append(UInt8(truncatingIfNeeded: unit >> 8))
            }
            return result
        case .windows1252:
            var result: [UInt8] = []
            result.reserveCapacity(text.count)
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
                let isLatin1 = scalar.value < 0x80 || (0xA0...0xFF).contains(scalar.value)
                result.append(
                    isLatin1
                        ? UInt8(truncatingIfNeeded: scalar.value) : Self.windows1252[scalar.value] ?? UInt8(ascii: "?"))
            }
            return result
        }
    }
}
