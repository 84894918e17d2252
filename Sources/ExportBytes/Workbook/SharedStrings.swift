/// The texts that cells of a workbook name by their number.
package struct SharedStrings: Sendable {
    /// More bytes of them are refused.
    private static let mostBytes = 256 << 20

    private var bytes: [UInt8] = []
    /// Where each ends in `bytes`.
    private var ends: [Int] = []

    var count: Int { ends.count }

    init() {}

    /// - Parameter stream: of `sharedStrings.xml`.
    package init(_ stream: any ByteStream, file: String) throws(ExportError) {
        var xml = XMLTokenizer(stream, part: "sharedStrings.xml", file: file)
        var isText = false, isReading = false
        reading: while true {
            switch try xml.next() {
            case .open:
                if xml.isNamed("t") { isText = isReading } else if xml.isNamed("si") { isReading = true }
                // How a text is pronounced is not part of it.
                if xml.isNamed("rPh") { isReading = false }
            case .close:
                if xml.isNamed("t") { isText = false }
                if xml.isNamed("rPh") { isReading = true }
                if xml.isNamed("si") {
                    XMLText.resolveEscapes(in: &bytes, from: ends.last ?? 0)
                    ends.append(bytes.count)
                    isReading = false
                }
            case .empty: if xml.isNamed("si") { ends.append(bytes.count) }
            case .text: if isText { xml.appendText(to: &bytes) }
            case .end: break reading
            }
            guard bytes.count + ends.count * MemoryLayout<Int>.stride <= Self.mostBytes else {
                throw xml.fault("it has more than 256 MiB of texts")
            }
        }
    }

    /// Whether there is a text of this number.
    func has(_ number: Int) -> Bool { ends.indices.contains(number) }

    func isEmpty(_ number: Int) -> Bool { range(number).isEmpty }

    /// Calls the closure with the text of a number.
    func with(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range(number)])) }
    }

    private func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }
}
