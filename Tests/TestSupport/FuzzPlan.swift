import Foundation

/// How long random tests run: their own small number, or a multiple of it by `CHECK_FUZZ_FACTOR`.
package enum FuzzPlan {
    /// `usual`, times the factor of the environment.
    package static func iterations(_ usual: Int) -> Int { usual * max(1, number("CHECK_FUZZ_FACTOR") ?? 1) }

    /// Whether the environment asks for more than the usual number.
    package static var isLong: Bool { number("CHECK_FUZZ_FACTOR") ?? 1 > 1 }

    /// `own`, plus `CHECK_FUZZ_SEED`: another sequence for each run of a long campaign.
    package static func seed(_ own: UInt64) -> UInt64 { own &+ UInt64(max(0, number("CHECK_FUZZ_SEED") ?? 0)) }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
