import ArgumentParser
import Dispatch
import Foundation
import Scans
import Synchronization

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

    /// Shows a progress bar while the body runs, if a person looks at the terminal.
    func showing<Result>(_ progress: ScanProgress, _ body: (ScanProgress) throws -> Result) rethrows -> Result {
        let isShown = !quiet && ProcessInfo.processInfo.environment["TERM"] != "dumb" && isatty(STDERR_FILENO) == 1
        let bar = ProgressBar(progress, isShown: isShown)
        defer { bar.end() }
        return try body(progress)
    }
}

/// One line on the terminal: how much is read, how fast, and how long it will take.
private final class ProgressBar: Sendable {
    private let progress: ScanProgress
    private let started = DispatchTime.now()
    private let isShown: Bool
    private let isOver = Mutex(false)

    init(_ progress: ScanProgress, isShown: Bool) {
        self.progress = progress
        self.isShown = isShown
        guard isShown else { return }
        Thread.detachNewThread { [self] in
            // Short runs show nothing.
            Thread.sleep(forTimeInterval: 0.5)
            while draw() { Thread.sleep(forTimeInterval: 0.2) }
        }
    }

    /// Removes the line.
    func end() {
        isOver.withLock { isOver in
            isOver = true
            if isShown { Self.put("\r\u{1B}[K") }
        }
    }

    /// False once it is over.
    private func draw() -> Bool {
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - started.uptimeNanoseconds) / 1e9
        return isOver.withLock { isOver in
            if !isOver { Self.put("\r" + line(seconds: seconds) + "\u{1B}[K") }
            return !isOver
        }
    }

    private func line(seconds: Double) -> String {
        let taken = progress.taken
        let rate = Int(Double(taken) / max(seconds, 0.001))
        let speed = "\(amount(rate))/s"
        guard let total = progress.total, total > 0 else { return "\(amount(taken)) read, \(speed)" }
        let share = min(1, Double(taken) / Double(total))
        let filled = Int(share * 30)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        var text = "[\(bar)] \(Int(share * 100)) % of \(amount(total)), \(speed)"
        if rate > 0, taken < total { text += ", \(ByteText.clock(seconds: (total - taken) / rate + 1)) left" }
        return text
    }

    private func amount(_ count: Int) -> String {
        switch progress.unit {
        case .bytes: ByteText.of(count)
        case .trips: "\(count) trips"
        }
    }

    private static func put(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
