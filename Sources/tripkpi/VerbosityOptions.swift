import ArgumentParser
import Foundation
import Reporting
import UseCases

/// Whether the table on the terminal has colors, and its characters.
struct ColorOptions: ParsableArguments {
    @Flag(help: "Use no color on the terminal. NO_COLOR has the same effect.") var noColor = false

    /// Whether this descriptor is a terminal that shows bold and the like.
    func usesColor(_ descriptor: Int32) -> Bool {
        let refuses = Self.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return !noColor && !refuses && Self.environment["TERM"] != "dumb" && isatty(descriptor) == 1
    }

    /// Whether the locale is set, and is not UTF-8.
    static var isASCIILocale: Bool {
        let set = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale = set?.lowercased() else { return false }
        return !locale.contains("utf-8") && !locale.contains("utf8")
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}

/// How much a command prints besides its data.
struct VerbosityOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print no messages except errors.") var quiet = false

    /// Prints messages unless they are not wanted.
    func tell(_ messages: [String]) {
        if !quiet { messages.forEach(Program.tell) }
    }

    func tell(_ message: String) { tell([message]) }

    /// Shows progress while the body runs.
    func showing<Result>(_ progress: ScanProgress, _ body: (ScanProgress) throws -> Result) rethrows -> Result {
        let bar = bar(progress) { tell($0) }
        defer { bar.end() }
        return try body(progress)
    }

    /// Shows progress until its end: in one line of the terminal if a person looks at it, else in a line a minute.
    ///
    /// - Parameter say: writes such a line.
    func bar(_ progress: ScanProgress, _ say: @escaping @Sendable (String) -> Void) -> ProgressBar {
        let isTerminal = ProcessInfo.processInfo.environment["TERM"] != "dumb" && isatty(STDERR_FILENO) == 1
        return ProgressBar(progress, quiet ? .none : isTerminal ? .terminal : .lines(say))
    }
}
