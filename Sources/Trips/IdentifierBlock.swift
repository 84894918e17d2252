/// The identifiers of some trips of an export, for the crosswalk. It is passed on as `Sensitive<IdentifierBlock>`, and
/// only where a crosswalk is configured.
///
/// One run of bytes, since it is made for millions of trips: of each trip its id, leg id and patient id, each after its
/// length as a LEB128 number. A missing value is empty.
package struct IdentifierBlock: Sendable, Redacted {
    package private(set) var bytes: [UInt8] = []
    /// Trips.
    package private(set) var count = 0

    package init() {}

    /// Nil unless the bytes are those of a block.
    package init?(bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes)
        var reader = Reader(bytes: self.bytes)
        while !reader.isAtEnd {
            guard reader.next() != nil else { return nil }
            count += 1
        }
    }

    package mutating func append(
        tripID: some Collection<UInt8>, legID: some Collection<UInt8>, patientID: some Collection<UInt8>
    ) {
        append(tripID)
        append(legID)
        append(patientID)
        count += 1
    }

    private mutating func append(_ value: some Collection<UInt8>) {
        var length = value.count
        while length > 0x7F {
            bytes.append(UInt8(length & 0x7F) | 0x80)
            length >>= 7
        }
        bytes.append(UInt8(length))
        bytes.append(contentsOf: value)
    }

    /// Empties the block and keeps its memory.
    ///
    /// - Parameter overwrite: overwrites the bytes with zeros. A copy of the block would keep them.
    package mutating func wipe(_ overwrite: (inout [UInt8]) -> Void) {
        overwrite(&bytes)
        bytes.removeAll(keepingCapacity: true)
        count = 0
    }

    package func forEach(
        _ body: (_ tripID: ArraySlice<UInt8>, _ legID: ArraySlice<UInt8>, _ patientID: ArraySlice<UInt8>) throws -> Void
    ) rethrows {
        var reader = Reader(bytes: bytes)
        while let values = reader.next() { try body(values.0, values.1, values.2) }
    }

    private struct Reader {
        let bytes: [UInt8]
        var at = 0

        var isAtEnd: Bool { at == bytes.count }

        mutating func next() -> (ArraySlice<UInt8>, ArraySlice<UInt8>, ArraySlice<UInt8>)? {
            guard let tripID = value(), let legID = value(), let patientID = value() else { return nil }
            return (tripID, legID, patientID)
        }

        private mutating func value() -> ArraySlice<UInt8>? {
            var length = 0, shift = 0
            while at < bytes.count, shift < 35 {
                let byte = bytes[at]
                at += 1
                length |= Int(byte & 0x7F) << shift
                shift += 7
                if byte & 0x80 == 0 {
                    guard length <= bytes.count - at else { return nil }
                    defer { at += length }
                    return bytes[at..<at + length]
                }
            }
            return nil
        }
    }
}
