import Dispatch
import Foundation
import Pipeline
import Synchronization

/// One line on a terminal's standard error: how much is read, how fast, and how long it will take.
final class ProgressBar: Sendable {
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

    /// Takes the line away.
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
