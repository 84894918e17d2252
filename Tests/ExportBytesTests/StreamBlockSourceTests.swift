import ExportBytes
import TestSupport
import Testing

/// A stream that ends with an error: all workers get that error, however often they ask, and no records after it.
@Suite struct StreamBlockSourceTests {
    /// Some bytes, then a failure, and after it bytes again: what a stream does when it is read on after an error.
    private struct FailingStream: ByteStream {
        var ahead: [UInt8]
        var hasFailed = false

        static let failure = ExportError(
            kind: .damaged, file: "export 1", offset: 7, problem: "its end is missing", remedy: "fetch it again")

        mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
            if ahead.isEmpty, !hasFailed {
                hasFailed = true
                ahead = Array("9,9\n".utf8)
                throw Self.failure
            }
            let taken = ahead.prefix(count)
            for (index, byte) in taken.enumerated() { target[index] = byte }
            ahead.removeFirst(taken.count)
            return taken.count
        }
    }

    /// What each of some readers of one source gets, one call after the other: the records of a block, or an error.
    private static func outcomes(
        _ layout: RecordLayout, _ text: String, stream: ((ExportFile) -> any ByteStream)?, readers: Int, calls: Int
    ) throws -> [Result<Int?, ExportError>] {
        try TemporaryFolder.with { folder in
            let file = try ExportFile(path: folder.write(text, to: "export"))
            let source = layout.blocks(
                of: file, textOffset: 0, dataStart: 0, stream: stream?(file), head: [], blockBytes: 64)
            let windows = (0..<readers).map { _ in
                RecordWindow(capacity: 1 << 14, lastSeparator: layout.lastSeparator)
            }
            let next = (0..<readers).map { _ in source.makeBlockReader() }
            return (0..<calls).map { call in
                let reader = call % readers
                return Result { () throws(ExportError) in
                    try next[reader](windows[reader]) ? windows[reader].recordCount : nil
                }
            }
        }
    }

    private static func expectOneError(_ outcomes: [Result<Int?, ExportError>], records: Int) throws -> ExportError {
        var before = 0, errors: [ExportError] = []
        for outcome in outcomes {
            switch outcome {
            case .success(let count):
                #expect(errors.isEmpty, "\(count.map { "\($0) records" } ?? "an end") after the error")
                before += count ?? 0
            case .failure(let error): errors.append(error)
            }
        }
        #expect(before == records)
        #expect(errors.count > 2 && Set(errors).count == 1)
        return try #require(errors.first)
    }

    /// The splitter of a document's elements must not be used after an error: it crashed once.
    @Test(arguments: [#"{"a":2}{"a":3}"#, "]]", #"{"a":[}"#, "}"])
    func aDocumentThatBreaksOffIsTheSameErrorForEachWorker(broken: String) throws {
        let elements = (0..<40).map { #"{"a":\#($0)}"# }.joined(separator: ",")
        let outcomes = try Self.outcomes(
            .elements(path: [], maximumRecordBytes: 1000, scanLevel: .best),
            "[\(elements),\(broken),{\"a\":1},{\"a\":2}]",
            stream: nil, readers: 3, calls: 30)
        let found = outcomes.reduce(0) { sum, outcome in sum + ((try? outcome.get()) ?? nil ?? 0) }
        #expect((30...41).contains(found))
        let error = try Self.expectOneError(outcomes, records: found)
        #expect(error.kind == .malformed)
    }

    @Test func aStreamThatFailsIsNotReadAgain() throws {
        let rows = (0..<30).map { "\($0),0\n" }.joined()
        let dialect = CSVDialect(delimiter: UInt8(ascii: ","), fieldCount: 2)
        let outcomes = try Self.outcomes(
            .rows(dialect), "", stream: { _ in FailingStream(ahead: Array(rows.utf8)) }, readers: 2, calls: 20)
        let found = outcomes.reduce(0) { sum, outcome in sum + ((try? outcome.get()) ?? nil ?? 0) }
        #expect(found > 0)
        #expect(try Self.expectOneError(outcomes, records: found) == FailingStream.failure)
    }

    @Test func aWholeDocumentEndsForEachWorker() throws {
        let elements = (0..<40).map { #"{"a":\#($0)}"# }.joined(separator: ",")
        let outcomes = try Self.outcomes(
            .elements(path: [], maximumRecordBytes: 1000, scanLevel: .best), "[\(elements)]", stream: nil, readers: 3,
            calls: 30)
        let counts = try outcomes.map { try $0.get() }
        #expect(counts.compactMap(\.self).reduce(0, +) == 40)
        #expect(counts.suffix(3) == [nil, nil, nil])
    }
}
