import ArgumentParser
import Pipeline

/// The only place that knows exit codes as numbers (SPEC §6, after sysexits).
enum ExitStatus {
    static func code(for kind: FailureKind) -> Int32 {
        switch kind {
        case .usage: 64
        case .data: 65
        case .inputMissing: 66
        case .internalBug: 70
        case .cannotCreate: 73
        case .inputOutput: 74
        case .locked: 75
        case .permission: 77
        case .configuration: 78
        }
    }

    /// Ends a command whose answer is already printed and is a failure.
    static func end(_ kind: FailureKind) -> ExitCode { ExitCode(code(for: kind)) }

    /// What the help of the program says about them.
    static let explanation = """
        EXIT CODES:
          0   ok
          64  wrong usage
          65  the data failed a check
          66  an input is missing
          70  a bug of tripkpi
          73  an output cannot be created
          74  input or output failed
          75  another run holds the lock
          77  permission
          78  profile, rules or settings are wrong
        A run that SIGINT or SIGTERM stopped ends by that signal: 130 or 143 in a shell.
        """
}
