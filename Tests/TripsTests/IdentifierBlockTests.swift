import Testing
import Trips

@Suite struct IdentifierBlockTests {
    @Test func aWipedBlockIsZerosAndThenEmpty() {
        var block = IdentifierBlock()
        block.append(tripID: "SYN-T1".utf8, legID: "".utf8, patientID: "SYN-P1".utf8)
        var seen: [UInt8] = []
        block.wipe { bytes in
            for index in bytes.indices { bytes[index] = 0 }
            seen = bytes
        }
        #expect(seen.count == 15 && seen.allSatisfy { $0 == 0 })
        #expect(block.count == 0 && block.bytes.isEmpty)
        block.append(tripID: "SYN-T2".utf8, legID: "1".utf8, patientID: "".utf8)
        block.forEach { #expect(Array($0) == Array("SYN-T2".utf8) && Array($1) == [0x31] && $2.isEmpty) }
        #expect(block.count == 1)
    }
}
