/// A JSON text of any arrangement as lines of one object each, made while it is read: no more than a record is held.
package struct JSONLines: ByteStream {
    private enum Phase {
        case start, records, end
    }

    private let shape: JSONShape
    private let file: String
    private let maximumRecordBytes: Int
    private let remarks: JSONRemarks
    private var text: JSONPull
    private var phase = Phase.start
    private var isFirst = true
    private var otherLists = 0
    private var envelope = JSONEnvelope()
    /// Of `rows`: the names of the columns, each as a key with its colon.
    private var names: [[UInt8]] = []
    /// How many objects around the records are open.
    private var open = 0
    private var pending: [UInt8] = []
    private var given = 0
    private static let enough = 1 << 16

    /// - Parameters:
    ///   - source: the text from its start.
    ///   - shape: any but `columns`, which needs a file: see `JSONColumnLines`.
    package init(
        _ source: any ByteStream, shape: JSONShape, maximumRecordBytes: Int, remarks: JSONRemarks, file: String
    ) {
        self.shape = shape
        self.file = file
        self.maximumRecordBytes = maximumRecordBytes
        self.remarks = remarks
        text = JSONPull(source, file: file)
        if case .rows(_, let names?) = shape { self.names = names.map(Self.key) }
    }

    package mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        if given == pending.count {
            pending.removeAll(keepingCapacity: true)
            given = 0
            while pending.count < Self.enough, phase != .end { try step() }
        }
        let taken = min(count, pending.count - given)
        for index in 0..<taken { target[index] = pending[given + index] }
        given += taken
        return taken
    }

    private var path: [String] {
        switch shape {
        case .lines, .sequence: []
        case .array(let path), .members(let path), .rows(let path, _), .columns(let path), .documents(let path): path
        case .nested(let nesting): nesting.path ?? []
        }
    }

    private mutating func step() throws(ExportError) {
        switch phase {
        case .start: try start()
        case .records:
            var record: [UInt8] = []
            if try next(&record) {
                envelope.elements += 1
                pending += record
                pending.append(UInt8(ascii: "\n"))
            } else if try !finish() {
                remarks.set(
                    trailingCommas: text.trailingCommas, otherLists: otherLists,
                    envelope: path.isEmpty ? nil : envelope)
                phase = .end
            }
        case .end: break
        }
    }

    /// Goes through the objects of the path.
    private mutating func start() throws(ExportError) {
        phase = .records
        envelope.beginDocument()
        for key in path {
            try text.expect(UInt8(ascii: "{"), .pathObjectExpected)
            envelope.append(UInt8(ascii: "{"))
            var isFirst = true
            while true {
                guard let found = try text.nextKey(isFirst: isFirst) else { throw try text.fault(.pathMissing) }
                isFirst = false
                envelope.append(found + [UInt8(ascii: ":")])
                if JSONPull.text(of: found) == key { break }
                try skipValue()
                envelope.append(UInt8(ascii: ","))
            }
            open += 1
        }
        if !path.isEmpty { envelope.append([UInt8(ascii: "["), UInt8(ascii: "]")]) }
        switch shape {
        case .sequence, .lines: break
        case .members, .columns: try text.expect(UInt8(ascii: "{"), .pathObjectExpected)
        case .nested(let nesting) where nesting.path == nil: break
        case .array, .rows, .nested, .documents: try text.expect(UInt8(ascii: "["), .arrayExpected)
        }
    }

    private mutating func next(_ record: inout [UInt8]) throws(ExportError) -> Bool {
        defer { isFirst = false }
        switch shape {
        case .lines, .sequence: return try nextOfSequence(&record)
        case .members: return try nextMember(&record)
        case .rows:
            guard try text.nextElement(isFirst: isFirst) else { return false }
            try row(&record)
            return true
        case .array, .columns, .documents:
            guard try text.nextElement(isFirst: isFirst) else { return false }
            try copy(into: &record)
            return true
        case .nested(let nesting):
            var parent: [UInt8] = []
            if nesting.path == nil {
                guard try nextOfSequence(&parent) else { return false }
            } else {
                guard try text.nextElement(isFirst: isFirst) else { return false }
                try copy(into: &parent)
            }
            // Of one that is too long the beginning is held, which is no record.
            record = parent.count > maximumRecordBytes ? parent : nesting.records(of: parent)
            return true
        }
    }

    /// Copies a record; a comma without one before it would be a line that counts as none.
    private mutating func copy(into record: inout [UInt8]) throws(ExportError) {
        try text.copy(into: &record, most: maximumRecordBytes)
        if record.isEmpty { throw try text.fault(.valueExpected) }
    }

    /// What is between objects: blanks, perhaps a comma or the record separator of RFC 7464.
    private mutating func nextOfSequence(_ record: inout [UInt8]) throws(ExportError) -> Bool {
        while try text.take(0x1E) {}
        if !isFirst, try text.take(UInt8(ascii: ",")), try text.peekNonBlank() == nil { return false }
        while try text.take(0x1E) {}
        guard try text.peekNonBlank() != nil else { return false }
        try copy(into: &record)
        return true
    }

    private mutating func nextMember(_ record: inout [UInt8]) throws(ExportError) -> Bool {
        guard let key = try text.nextKey(isFirst: isFirst) else { return false }
        guard try text.peekNonBlank() == UInt8(ascii: "{") else {
            // No record: the parser says so.
            try copy(into: &record)
            return true
        }
        var value: [UInt8] = []
        try text.copy(into: &value, most: maximumRecordBytes)
        record = Array("{\"\(JSONShape.keyName)\":".utf8) + key
        let rest = value.dropFirst().drop { $0 == 0x20 }
        if rest.first != UInt8(ascii: "}") { record.append(UInt8(ascii: ",")) }
        record += rest
        return true
    }

    /// An array of values as an object; where it is none, or has not a value for each name, as it is.
    private mutating func row(_ record: inout [UInt8]) throws(ExportError) {
        guard try text.peekNonBlank() == UInt8(ascii: "[") else {
            return try copy(into: &record)
        }
        _ = try text.take(UInt8(ascii: "["))
        if names.isEmpty {
            var isFirst = true
            while try text.nextElement(isFirst: isFirst) {
                isFirst = false
                var name: [UInt8] = []
                try text.copy(into: &name, most: 1 << 12)
                names.append(name + [UInt8(ascii: ":")])
            }
            // The names are no record: a blank line.
            return
        }
        record.append(UInt8(ascii: "{"))
        var values = 0
        while try text.nextElement(isFirst: values == 0) {
            if values > 0 { record.append(UInt8(ascii: ",")) }
            if values < names.count, record.count <= maximumRecordBytes { record += names[values] }
            var value: [UInt8] = []
            try text.copy(into: &value, most: max(0, maximumRecordBytes - record.count))
            record += value
            values += 1
        }
        record.append(UInt8(ascii: "}"))
        // It is refused as no object.
        if values != names.count { record = Array("[]".utf8) }
    }

    /// Passes over a value beside the records.
    private mutating func skipValue() throws(ExportError) {
        var value: [UInt8] = []
        try text.copy(into: &value, most: JSONEnvelope.mostOfList)
        envelope.appendValue(value, isWhole: value.count <= JSONEnvelope.mostOfList)
    }

    private var isRepeated: Bool {
        switch shape {
        case .documents: true
        case .nested(let nesting): nesting.isRepeated
        default: false
        }
    }

    /// Closes what is around the records. Nothing may follow but another such document: then true.
    private mutating func finish() throws(ExportError) -> Bool {
        for _ in 0..<open {
            while let key = try text.nextKey(isFirst: false) {
                if try text.peekNonBlank() == UInt8(ascii: "[") { otherLists += 1 }
                envelope.append([UInt8(ascii: ",")] + key + [UInt8(ascii: ":")])
                try skipValue()
            }
            envelope.append(UInt8(ascii: "}"))
        }
        while isRepeated, try text.take(0x1E) {}
        guard try text.peekNonBlank() != nil else { return false }
        guard isRepeated else { throw try text.fault(.trailingText) }
        if try text.take(UInt8(ascii: ",")), try text.peekNonBlank() == nil { return false }
        (phase, open, isFirst) = (.start, 0, true)
        return true
    }

    static func key(_ name: String) -> [UInt8] {
        var key: [UInt8] = [UInt8(ascii: "\"")]
        for byte in name.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { key.append(UInt8(ascii: "\\")) }
            if byte < 0x20 { key += Array("\\u00".utf8) + Self.hex(byte) } else { key.append(byte) }
        }
        return key + [UInt8(ascii: "\""), UInt8(ascii: ":")]
    }

    private static func hex(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
