import Files
import NIOCore

/// The bytes of an answer, plain and as gzip, with their tag.
package struct Representation: Sendable {
    let mediaType: String
    let plain: ByteBuffer
    /// Nil where it would save nothing.
    let gzip: ByteBuffer?
    /// The start of the SHA-256 of the plain bytes.
    package let hash: String

    private static let leastBytesForGzip = 1_024

    /// - Parameter isPacked: whether gzip is made too; no for an answer that is sent once, and plain.
    package init(_ bytes: [UInt8], _ mediaType: String, isPacked: Bool = true) {
        self.mediaType = mediaType
        plain = ByteBuffer(bytes: bytes)
        hash = String(ContentHash.of(bytes).prefix(32))
        let packed =
            isPacked && bytes.count >= Self.leastBytesForGzip
            ? try? GzipWriter().compress(bytes, endsMember: true) : nil
        gzip = packed.flatMap { $0.count < bytes.count ? ByteBuffer(bytes: $0) : nil }
    }

    package var hasGzip: Bool { gzip != nil }

    var byteCount: Int { plain.readableBytes + (gzip?.readableBytes ?? 0) }

    /// The two forms have two tags.
    package func tag(isGzip: Bool) -> String { "\"\(hash)\(isGzip ? "-gzip" : "")\"" }

    /// Whether a client has one of the forms already.
    package func matches(_ ifNoneMatch: String) -> Bool {
        ifNoneMatch.split(separator: Character(",")).contains { part -> Bool in
            let sent = part.drop { $0 == " " }
            let strong = String((sent.hasPrefix("W/") ? sent.dropFirst(2) : sent).prefix { $0 != " " })
            return strong == "*" || strong == tag(isGzip: false) || strong == tag(isGzip: true)
        }
    }
}
