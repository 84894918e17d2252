package import Foundation

/// What `tripkpi-serve --check` prints where it could serve: one line of JSON, which `tripkpi doctor` reads.
package struct ServerCheck: Codable, Sendable, Hashable {
    /// Of the program that answers.
    package var version = ToolVersion.text
    /// Where it would listen: `https://127.0.0.1:8443`.
    package var address: String
    /// When the certificate of the server ends, in seconds since 1970; nil: there is none.
    package var certificateEnd: Int?

    package init(address: String, certificateEnd: Int?) {
        self.address = address
        self.certificateEnd = certificateEnd
    }

    /// - Parameter line: as it was printed.
    /// - Throws: `DecodingError`.
    package init(line: Data) throws { self = try JSONDecoder().decode(Self.self, from: line) }

    package func line() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
