import Foundation

/// How long random tests run: their own small number, or a multiple of it by `CHECK_FUZZ_FACTOR`.
package enum FuzzPlan {
    /// `usual`, times the factor of the environment.
    package static func iterations(_ usual: Int) -> Int {
        let named = ProcessInfo.processInfo.environment["CHECK_FUZZ_FACTOR"].flatMap { Int($0) }
        return usual * max(1, named ?? 1)
    }
}
