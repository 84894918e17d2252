import Files
import Testing

@Suite struct ContentHashTests {
    /// FIPS 180-2's examples.
    @Test func knownContentsHaveTheirKnownHashes() {
        #expect(
            ContentHash.of(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(ContentHash.of([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func piecesOfAnyKindHashAsTheWhole() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var hash = ContentHash()
        hash.update(Array(bytes[..<10]))
        hash.update(bytes[10..<300])
        hash.update(Array(bytes[300...]).span.bytes)
        #expect(hash.hexadecimal == ContentHash.of(bytes))
    }
}
