/// Which of several implementations reads the bytes of an export. All give the same records and refuse the same files: a
/// caller chooses only to compare them.
package struct ByteMethods: Sendable, Hashable {
    /// The instructions of the structural scans.
    package var scan: ScanLevel
    /// The library that inflates gzip; nil: ISA-L where it is installed, else zlib.
    package var inflate: InflateLibrary?

    package init(scan: ScanLevel = .best, inflate: InflateLibrary? = nil) {
        self.scan = min(scan, .best)
        self.inflate = inflate
    }

    /// The fastest that this machine has.
    package static let best = ByteMethods()
    /// What every machine has.
    package static let plain = ByteMethods(scan: .portable, inflate: .zlib)
}
