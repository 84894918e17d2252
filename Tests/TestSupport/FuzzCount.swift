import Foundation

/// How many inputs a random test has read, and with what outcomes. A long run prints it.
package struct FuzzCount: CustomStringConvertible {
    private let form: String
    private var outcomes: [String: Int] = [:]
    private let start = ContinuousClock.now

    package init(_ form: String) { self.form = form }

    package mutating func add(_ outcome: String) { outcomes[outcome, default: 0] += 1 }

    package subscript(outcome: String) -> Int { outcomes[outcome] ?? 0 }

    package var inputs: Int { outcomes.values.reduce(0, +) }

    package var description: String {
        "\(form): \(inputs) inputs ("
            + outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + ")"
    }

    /// Prints the counts, the seconds and the most memory that the process had, if the run is a long one.
    package func report() {
        guard FuzzPlan.isLong else { return }
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = (ContinuousClock.now - start).components.seconds
        print("\(self), \(seconds) s, at most \(usage.ru_maxrss / 1024) MiB")
    }
}
