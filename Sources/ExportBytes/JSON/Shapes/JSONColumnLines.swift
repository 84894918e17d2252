/// An object of an array for each column, as lines of one object each. The arrays are read side by side, each from its
/// place in the file: no column is held.
package struct JSONColumnLines: ByteStream {
    private let file: String
    private var columns: [JSONPull] = []
    private var names: [[UInt8]] = []
    private var isFirst = true
    private var isAtEnd = false
    private var pending: [UInt8] = []
    private var given = 0
    private static let enough = 1 << 16
    private static let mostColumns = 4096

    /// Reads the text once to find where each array begins.
    ///
    /// - Parameters:
    ///   - path: the keys that lead to the object.
    ///   - textOffset: bytes of the file before its text.
    package init(_ file: ExportFile, path: [String], textOffset: Int) throws(ExportError) {
        self.file = file.name
        var text = JSONPull(FileStream(file, from: textOffset), file: file.name, offset: textOffset)
        for key in path {
            try text.expect(UInt8(ascii: "{"), .pathObjectExpected)
            var isFirst = true
            while true {
                guard let found = try text.nextKey(isFirst: isFirst) else { throw try text.fault(.pathMissing) }
                isFirst = false
                if JSONPull.text(of: found) == key { break }
                try text.skipValue()
            }
        }
        try text.expect(UInt8(ascii: "{"), .pathObjectExpected)
        var isFirst = true
        while let key = try text.nextKey(isFirst: isFirst) {
            isFirst = false
            guard try text.peekNonBlank() == UInt8(ascii: "[") else { throw try text.fault(.arrayExpected) }
            let start = text.offset
            try text.skipValue()
            names.append(key + [UInt8(ascii: ":")])
            var column = JSONPull(
                FileStream(file, from: start), file: file.name, offset: start, capacity: 1 << 13)
            try column.expect(UInt8(ascii: "["), .arrayExpected)
            columns.append(column)
            guard columns.count <= Self.mostColumns else {
                throw ExportError(
                    kind: .malformed, file: file.name, offset: start,
                    problem: "it has more than \(Self.mostColumns) columns", remedy: "export fewer columns")
            }
        }
        for _ in path {
            while try text.nextKey(isFirst: false) != nil { try text.skipValue() }
        }
        if try text.peekNonBlank() != nil { throw try text.fault(.trailingText) }
    }

    package mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        if given == pending.count {
            pending.removeAll(keepingCapacity: true)
            given = 0
            while pending.count < Self.enough, !isAtEnd { try addRecord() }
        }
        let taken = min(count, pending.count - given)
        for index in 0..<taken { target[index] = pending[given + index] }
        given += taken
        return taken
    }

    private mutating func addRecord() throws(ExportError) {
        var ended = 0
        var record: [UInt8] = [UInt8(ascii: "{")]
        for index in columns.indices {
            guard try columns[index].nextElement(isFirst: isFirst) else {
                ended += 1
                continue
            }
            if record.count > 1 { record.append(UInt8(ascii: ",")) }
            record += names[index]
            try columns[index].copy(into: &record, most: .max)
        }
        isFirst = false
        if ended == columns.count {
            isAtEnd = true
            return
        }
        guard ended == 0 else {
            throw ExportError(
                kind: .malformed, file: file, problem: "its columns have different numbers of values",
                remedy: "export it again, with one object for each record")
        }
        pending += record + [UInt8(ascii: "}"), UInt8(ascii: "\n")]
    }
}
