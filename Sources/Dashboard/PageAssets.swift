import Files
import Foundation

/// Template, style and script of the page, as they were when the program was built.
struct PageAssets {
    let page = String(decoding: PackageResources.page_mustache, as: UTF8.self)
    let style = String(decoding: PackageResources.style_css, as: UTF8.self)
    /// One script, so that one hash allows it.
    let script =
        "\"use strict\";\n"
        + [
            PackageResources.figures_js, PackageResources.cards_js, PackageResources.charts_js,
            PackageResources.bars_js, PackageResources.explanation_js, PackageResources.tables_js,
            PackageResources.page_js,
        ].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")

    let tripsPage = String(decoding: PackageResources.trips_mustache, as: UTF8.self)
    var tripsStyle: String { style + String(decoding: PackageResources.trips_css, as: UTF8.self) }
    let tripsScript = "\"use strict\";\n" + String(decoding: PackageResources.trips_js, as: UTF8.self)
    var tripsPolicy: String { Self.policy(style: tripsStyle, script: tripsScript) }
    var contentSecurityPolicy: String { Self.policy(style: style, script: script) }

    /// Nothing may be loaded, sent, framed or run but the one style and the one script, which are known by their hashes.
    /// The icon is an empty `data:` address, so that no browser asks a server for one.
    private static func policy(style: String, script: String) -> String {
        "default-src 'none'; style-src '\(source(style))'; script-src '\(source(script))'; img-src data:; "
            + "base-uri 'none'; form-action 'none'"
    }

    /// `sha256-…`, as a policy names an inline element.
    static func source(_ text: String) -> String {
        var hash = ContentHash()
        hash.update(Array(text.utf8))
        return "sha256-" + Data(hash.bytes).base64EncodedString()
    }
}

/// JSON in a `<script type="application/json">`, which nothing in it can end.
enum DataBlock {
    /// The document with `<`, `>` and `&` as escapes. In JSON they occur in texts only, so it means the same, and without
    /// them it is the same bytes.
    static func text(of json: [UInt8]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count)
        for byte in json {
            switch byte {
            case UInt8(ascii: "<"): bytes.append(contentsOf: "\\u003c".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "\\u003e".utf8)
            case UInt8(ascii: "&"): bytes.append(contentsOf: "\\u0026".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
