import Intake
import Testing
import Trips

@Suite struct WarningBitTests {
    @Test func aCodeHasTheBitOfItsIndex() {
        #expect(
            WarningBit.byCode
                == Dictionary(uniqueKeysWithValues: WarningCode.allCases.map { ($0, 1 << UInt32($0.index)) }))
    }
}
