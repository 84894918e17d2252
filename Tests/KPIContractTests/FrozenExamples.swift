import Foundation

/// Documents of version 1 as they were once published. Files are added here and never edited: whoever breaks one has
/// broken the contract.
enum FrozenExamples {
    static let names = [
        "summary-1.0.json", "summary-1.0-internal.json", "summary-1.0-no-trips.json", "summary-1.0-restated.json",
        "summary-1.1-release.json", "summary-1.1-release-omitted.json", "summary-1.1-staff.json",
        "summary-1.2-release.json", "summary-1.2-staff.json",
    ]

    static func bytes(_ name: String, file: String = #filePath) throws -> Data {
        try Data(
            contentsOf: URL(fileURLWithPath: file).deletingLastPathComponent()
                .appendingPathComponent("Frozen").appendingPathComponent(name))
    }
}
