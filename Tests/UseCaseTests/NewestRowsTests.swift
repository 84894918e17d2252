import Reporting
import Testing

@Suite struct NewestRowsTests {
    private static func line(_ number: Int, _ date: String) -> String {
        #"{"id":"\#(number)","title":"\",\"date\":\"9999","date":"\#(date)"}"# + "\n"
    }

    /// Against a plain sort, in pieces of several lines.
    @Test func itHoldsTheNewestRows() {
        var random = SystemRandomNumberGenerator()
        for most in [1, 2, 7, 50] {
            let lines = (0..<200).map { number in
                (number, "2026-0\(Int.random(in: 1...9, using: &random))-1\(Int.random(in: 0...9, using: &random))")
            }
            var newest = NewestRows(most: most)
            newest.add(Array("{\"header\":{}}\n".utf8))
            var rest = lines[...]
            while !rest.isEmpty {
                newest.add(Array(rest.prefix(3).map { Self.line($0.0, $0.1) }.joined().utf8))
                rest = rest.dropFirst(3)
            }
            let wanted = lines.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.prefix(most).map {
                Self.line($0.0, $0.1).dropLast()
            }
            #expect(newest.lines.map { String(decoding: $0, as: UTF8.self) } == wanted.map(String.init))
            #expect(newest.rowCount == 200 && newest.header == Array("{\"header\":{}}".utf8))
        }
    }
}
