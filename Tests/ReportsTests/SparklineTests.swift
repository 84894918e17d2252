import Reports
import Testing

struct SparklineTests {
    @Test("The lowest is the lowest bar, the highest the highest, whatever they are")
    func range() {
        #expect(Sparkline.text([.value(425), .value(537), .value(480)]) == "▁█▄")
        #expect(Sparkline.text((0...7).map { .value($0) }) == "▁▂▃▄▅▆▇█")
        #expect(Sparkline.text([.value(-3), .value(0)]) == "▁█")
    }

    @Test("A hidden month is a dot and an unknown one a blank: neither looks like a low bar")
    func gaps() {
        #expect(Sparkline.text([.value(1), .hidden, .absent, .value(9)]) == "▁• █")
        #expect(Sparkline.text([.hidden, .hidden]) == "••")
        #expect(Sparkline.text([]).isEmpty)
    }

    @Test("Equal numbers are bars of one height, neither lowest nor highest")
    func flat() {
        #expect(Sparkline.text([.value(0), .value(0)]) == "▄▄")
    }
}
