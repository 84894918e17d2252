import CZlib

/// What decompresses here, for `doctor`.
package enum CompressionLibrary {
    package static var version: String {
        let zlib = "zlib \(String(cString: zlibVersion()))"
        let gzip = FastInflater() == nil ? "\(zlib) inflates gzip" : "ISA-L inflates gzip, \(zlib)"
        return gzip + (ZstdStream.isInstalled ? ", libzstd reads zstd" : "; without libzstd no zstd is read")
    }
}
