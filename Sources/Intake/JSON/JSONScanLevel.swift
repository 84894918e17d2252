import CByteScan

/// How wide the structural scan works. Every level gives the same answers; tests run them all.
package enum JSONScanLevel: Int32, CaseIterable, Sendable, Comparable {
    case portable = 0
    case avx2 = 1
    case avx512 = 2

    /// The widest level that this processor has.
    package static var best: JSONScanLevel { JSONScanLevel(rawValue: cjson_best_level()) ?? .portable }

    /// The levels that this processor has.
    package static var available: [JSONScanLevel] { allCases.filter { $0 <= best } }

    package static func < (left: JSONScanLevel, right: JSONScanLevel) -> Bool { left.rawValue < right.rawValue }
}
