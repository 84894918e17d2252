import CByteScan

/// Which vector instructions the structural scans use. Every level gives the same answers; tests run them all.
package enum ScanLevel: Int32, CaseIterable, Sendable, Comparable {
    case portable = 0
    case avx2 = 1
    case avx512 = 2

    /// The widest level that this processor has.
    package static let best = ScanLevel(rawValue: min(csv_scan_best_level(), cjson_best_level())) ?? .portable

    /// The levels that this processor has.
    package static var available: [ScanLevel] { allCases.filter { $0 <= best } }

    package static func < (left: ScanLevel, right: ScanLevel) -> Bool { left.rawValue < right.rawValue }
}
