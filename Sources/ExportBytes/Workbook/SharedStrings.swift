/// The texts that cells of a workbook name by their number.
struct SharedStrings {
    /// More bytes of them are refused.
    private static let mostBytes = 256 << 20

    private var bytes: [UInt8] = []
    /// Where each ends in `bytes`.
    private var ends: [Int] = []

    var count: Int { ends.count }

    init() {}

    /// - Parameter stream: of `sharedStrings.xml`.
    init(_ stream: any ByteStream, file: String) throws(ExportError) {
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
                    guard bytes.count <= Self.mostBytes else {
                        throw xml.fault("it has more than 256 MiB of texts")
                    }
                }
            case .empty: if xml.isNamed("si") { ends.append(bytes.count) }
            case .text: if isText { xml.appendText(to: &bytes) }
            case .end: break reading
            }
        }
    }

    /// Calls the closure with a text; false if there is none of this number.
    func with(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        guard ends.indices.contains(number) else { return false }
        let first = number == 0 ? 0 : ends[number - 1]
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[first..<ends[number]])) }
        return true
    }
}
