import ExportBytes
import Foundation
import TestSupport
import Testing

/// Nicolas Seriot's JSONTestSuite: y_ must be accepted, n_ refused, i_ is free but must do no harm.
@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.hint)))
struct JSONTestSuiteTests {
    struct Case: Sendable {
        let name: String
        let bytes: [UInt8]
    }

    static let cases: [Case] = {
        guard let folder = SharedData.path("corpora/JSONTestSuite/test_parsing") else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            FileManager.default.contents(atPath: folder + "/" + name).map { Case(name: name, bytes: Array($0)) }
        }
    }()

    @Test func theCorpusIsThere() {
        #expect(Self.cases.count > 300)
    }

    @Test(arguments: ScanLevel.available)
    func documentsAreJudgedAsTheirNamesSay(level: ScanLevel) {
        var parser = JSONRecordParser(paths: [["other"]], level: level)
        for item in Self.cases where !item.name.hasPrefix("i_") {
            let wrapped = Array(#"{"other":"#.utf8) + item.bytes + Array("}".utf8)
            let parsed = ParsedRecord.by(&parser, wrapped, paths: 1)
            #expect((parsed.kind == nil) == (ReferenceJSON.parse(wrapped) != nil), "\(item.name) \(parsed)")
        }
    }

    @Test func theReferenceReaderIsOneToTrust() {
        for item in Self.cases where !item.name.hasPrefix("i_") {
            let isValid = ReferenceJSON.parse(item.bytes, isStrict: true) != nil
            #expect(isValid == item.name.hasPrefix("y_"), "\(item.name)")
        }
    }

    @Test func aRecordWithTheCaseInItIsJudgedTheSame() {
        var parser = JSONRecordParser(paths: [["needed"]])
        for item in Self.cases where !item.name.hasPrefix("i_") {
            let wrapped = Array(#"{"a":1,"other":"#.utf8) + item.bytes + Array(#","needed":2}"#.utf8)
            let parsed = ParsedRecord.by(&parser, wrapped, paths: 1)
            #expect(parsed.agrees(with: .reference(wrapped, paths: [["needed"]])), "\(item.name) \(parsed)")
            let alone = ParsedRecord.by(&parser, item.bytes, paths: 1)
            if item.name.hasPrefix("y_") {
                let isObject = item.bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
                #expect(alone.kind == (isObject ? nil : .notAnObject), "\(item.name)")
            } else if ReferenceJSON.parse(item.bytes) == nil {
                #expect(alone.kind != nil, "\(item.name)")
            }
        }
    }

    @Test func whatStandsAroundTheRecordsIsJudgedTheSame() {
        for item in Self.cases where !item.name.hasPrefix("i_") {
            let wrapped = Array(#"{"other":"#.utf8) + item.bytes + Array(#","data":[{}]}"#.utf8)
            let split = SplitDocument(wrapped, path: ["data"])
            #expect((split.error == nil) == (ReferenceJSON.parse(wrapped) != nil), "\(item.name) \(split)")
        }
    }

    @Test func noElementGetsThroughThatTheSuiteRefuses() {
        for item in Self.cases {
            let wrapped = Array("[".utf8) + item.bytes + Array("]".utf8)
            let split = SplitDocument(wrapped, path: [])
            let isRefused = split.error != nil || split.texts.contains { ReferenceJSON.parse($0) == nil }
            if item.name.hasPrefix("y_") { #expect(!isRefused, "\(item.name)") }
            let isValid = ReferenceJSON.parse(wrapped, maximumDepth: 600) != nil
            if item.name.hasPrefix("n_"), !isValid { #expect(isRefused, "\(item.name)") }
        }
    }
}
