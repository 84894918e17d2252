package import Foundation
package import Testing

/// Compares text with a golden file under `Snapshots/` beside the test that asks.
///
/// With `RECORD_SNAPSHOTS=1` the files are written anew and the test fails, so that a recording run is never taken for
/// a passing one. Read the difference before you commit it.
package enum Snapshot {
    package static func expect(
        _ text: String, matches name: String, testFile: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"
        let folder = URL(fileURLWithPath: testFile).deletingLastPathComponent().appendingPathComponent("Snapshots")
        if let complaint = complaint(about: text, against: folder.appendingPathComponent(name), recording: isRecording)
        {
            Issue.record(Comment(rawValue: complaint), sourceLocation: sourceLocation)
        }
    }

    /// What is wrong with `text` as the content of `file`; nil if nothing is.
    package static func complaint(about text: String, against file: URL, recording: Bool) -> String? {
        let name = file.lastPathComponent
        if recording {
            do {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            } catch {
                return "cannot write the snapshot \(name): \(error)"
            }
            return "recorded \(name); read `git diff`, then run again without RECORD_SNAPSHOTS"
        }
        guard let bytes = try? Data(contentsOf: file) else {
            return "there is no snapshot \(name); record it with RECORD_SNAPSHOTS=1"
        }
        let golden = String(decoding: bytes, as: UTF8.self)
        if golden == text { return nil }
        return "\(name) differs.\n" + firstDifference(golden: golden, actual: text)
            + "\nIf the new text is right, record it with RECORD_SNAPSHOTS=1."
    }

    private static func firstDifference(golden: String, actual: String) -> String {
        let goldenLines = golden.split(separator: "\n", omittingEmptySubsequences: false)
        let actualLines = actual.split(separator: "\n", omittingEmptySubsequences: false)
        let shared = zip(goldenLines, actualLines).prefix { $0 == $1 }.count
        func line(_ lines: [Substring]) -> String { shared < lines.count ? String(lines[shared]) : "(end of text)" }
        return "line \(shared + 1) was:  \(line(goldenLines))\nline \(shared + 1) is:   \(line(actualLines))"
    }
}
