/// A text as a field of CSV.
enum CSVField {
    /// Appends it, in quotation marks where it has a comma, a quotation mark or a line end.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to target: inout [UInt8]) {
        let needsQuotes = text.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
        guard needsQuotes else {
            target.append(contentsOf: text)
            return
        }
        target.append(0x22)
        for byte in text {
            if byte == 0x22 { target.append(0x22) }
            target.append(byte)
        }
        target.append(0x22)
    }
}
