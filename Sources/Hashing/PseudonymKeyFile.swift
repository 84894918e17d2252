import Foundation
package enum PseudonymKeyFile {
    package static func load(_ path: String) throws -> PseudonymKey {
        guard let data = FileManager.default.contents(atPath: path), let key = PseudonymKey(bytes: Array(data)) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        return key
    }
    package static func create(_ path: String) throws -> PseudonymKey {
        try Data((0..<32).map { _ in UInt8.random(in: 0...255) }).write(to: URL(fileURLWithPath: path))
        return try load(path)
    }
}
