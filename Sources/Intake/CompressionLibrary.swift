import CZlib

/// The library that inflates gzip.
package enum CompressionLibrary {
    package static var version: String { String(cString: zlibVersion()) }
}
