import Dispatch
import Foundation
import Reporting
import Synchronization
import UseCases

/// How much is read, how fast, and how long it will take: one line on the terminal, or a line a minute in a log.
final class ProgressBar: Sendable {
    enum Form: Sendable {
        case none, terminal
        case lines(@Sendable (String) -> Void)
    }

    let progress: ScanProgress
    private let started = DispatchTime.now()
    private let form: Form
    private let isOver = Mutex(false)

    init(_ progress: ScanProgress, _ form: Form) {
        self.progress = progress
        self.form = form
        // Short runs show nothing.
        let (first, pause) = form.isTerminal ? (0.5, 0.2) : (60, 60)
        if case .none = form { return }
        Thread.detachNewThread { [self] in
            Thread.sleep(forTimeInterval: first)
            while show() { Thread.sleep(forTimeInterval: pause) }
        }
    }

    /// Removes the line.
    func end() {
        isOver.withLock { isOver in
            isOver = true
            clear()
        }
    }

    /// Runs a body that writes lines, which the progress does not run into.
    func around(_ body: () -> Void) {
        isOver.withLock { _ in
            clear()
            body()
        }
    }

    private func clear() {
        if form.isTerminal { Self.put("\r\u{1B}[K") }
    }

    /// False once it is over.
    private func show() -> Bool {
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - started.uptimeNanoseconds) / 1e9
        return isOver.withLock { isOver in
            if isOver { return false }
            switch form {
            case .none: break
            case .terminal: Self.put("\r" + line(seconds: seconds) + "\u{1B}[K")
            case .lines(let say): say(line(seconds: seconds))
            }
            return true
        }
    }

    private func line(seconds: Double) -> String {
        let taken = progress.taken
        guard let unit = progress.unit else {
            return "\(progress.currentPart), \(ByteText.clock(seconds: Int(seconds)))"
        }
        func amount(_ count: Int) -> String {
            switch unit {
            case .bytes: ByteText.of(count)
            case .trips: "\(count) trips"
            }
        }
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

    private static func put(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

extension ProgressBar.Form {
    fileprivate var isTerminal: Bool {
        if case .terminal = self { true } else { false }
    }
}
