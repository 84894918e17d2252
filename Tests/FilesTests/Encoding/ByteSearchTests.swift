import Files
import Testing

@Suite struct ByteSearchTests {
    /// Every place in every text of two letters, against the standard library.
    @Test func findsTheFirstPlaceAsTheStandardLibraryDoes() {
        for length in 0...7 {
            for bits in 0..<(1 << length) {
                let text = (0..<length).map { UInt8(bits >> $0 & 1) }
                for patternLength in 1...4 {
                    for patternBits in 0..<(1 << patternLength) {
                        let pattern = (0..<patternLength).map { UInt8(patternBits >> $0 & 1) }
                        #expect(text[...].start(of: pattern) == text.firstRange(of: pattern)?.lowerBound)
                    }
                }
            }
        }
    }

    @Test func aSliceKeepsItsIndices() {
        let text = Array("abcabc".utf8)
        #expect(text[1...].start(of: Array("abc".utf8)) == 3)
        #expect(text[...].start(of: []) == nil)
        #expect(text[4...].start(of: Array("abc".utf8)) == nil)
    }
}
