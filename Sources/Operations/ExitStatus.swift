package import Trips

/// The exit codes of both programs (after `sysexits.h`). Only this type knows them as numbers.
package enum ExitStatus {
    private static func meaning(of kind: FailureKind) -> (code: Int32, text: String) {
        switch kind {
        case .usage: (64, "wrong usage")
        case .data: (65, "the data failed a check")
        case .inputMissing: (66, "an input is missing")
        case .internalBug: (70, "an internal error")
        case .cannotCreate: (73, "an output cannot be created")
        case .inputOutput: (74, "input or output failed")
        case .locked: (75, "another run holds the lock")
        case .permission: (77, "permission denied")
        case .configuration: (78, "profile, rules or settings are wrong")
        }
    }

    package static func code(for kind: FailureKind) -> Int32 { meaning(of: kind).code }

    /// Nil for success, a signal, or the code of another program.
    package static func kind(of code: Int32) -> FailureKind? {
        FailureKind.allCases.first { self.code(for: $0) == code }
    }

    /// For the help of the program.
    package static let explanation =
        "EXIT CODES:\n  0   ok\n"
        + FailureKind.allCases.map(meaning).map { "  \($0.code)  \($0.text)\n" }.joined()
        + "SIGINT and SIGTERM end a run by that signal: 130 or 143 in a shell."
}
