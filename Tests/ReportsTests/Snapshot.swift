import Foundation
import Testing

/// Compares an output with the file of that name in `Snapshots/`. `RECORD_SNAPSHOTS=1` writes the file instead and
/// fails the run, so that recording is never mistaken for passing.
func expectSnapshot(
    _ bytes: [UInt8], named name: String, file: String = #filePath, at location: SourceLocation = #_sourceLocation
) throws {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Snapshots")
    let path = folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
        try Data(bytes).write(to: path)
        Issue.record("recorded \(name); look at the difference and run again", sourceLocation: location)
        return
    }
    let expected = try Data(contentsOf: path)
    #expect(
        String(decoding: bytes, as: UTF8.self) == String(decoding: expected, as: UTF8.self),
        "\(name) differs; if that is meant, run with RECORD_SNAPSHOTS=1", sourceLocation: location)
}
