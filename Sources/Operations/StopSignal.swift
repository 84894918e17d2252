import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// A request to stop by SIGINT or SIGTERM. The run stops at the next safe point: `throwIfAsked()` between two steps that
/// each leave everything whole.
///
/// The signals arrive through Dispatch, on a thread of their own, never inside a signal handler. A second signal ends the
/// process at once, which loses nothing either, since every step is a transaction or a rename.
package final class StopSignal: Sendable {
    /// The number of the first signal; 0 before it.
    private let asked = Atomic<Int32>(0)
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// A request that no signal makes, for work without safe points.
    package static var none: StopSignal { StopSignal(listeningTo: []) }

    /// Listens from the moment it returns until deinit.
    ///
    /// - Parameter atOnce: what the second signal does, on Dispatch's thread.
    package init(
        listeningTo signals: [Int32] = [SIGINT, SIGTERM],
        atOnce: @escaping @Sendable (Stopped) -> Void = { $0.endProcess() }
    ) {
        let queue = DispatchQueue(label: "tripkpi.signals")
        let ready = DispatchSemaphore(value: 0)
        for number in signals {
            #if canImport(Darwin)
            signal(number, SIG_IGN)
            #endif
            sources.withLock { sources in
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setRegistrationHandler { ready.signal() }
                source.setEventHandler { [weak self] in
                    guard let self else { return }
                    let isFirst = asked.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
                    if !isFirst { atOnce(Stopped(signal: number)) }
                }
                source.resume()
                sources.append(source)
            }
            ready.wait()
        }
    }

    deinit {
        sources.withLock { sources in
            for source in sources { source.cancel() }
        }
    }

    package var isAsked: Bool { asked.load(ordering: .relaxed) != 0 }

    /// Call it wherever a stop leaves nothing half done.
    package func throwIfAsked() throws(Stopped) {
        let number = asked.load(ordering: .relaxed)
        if number != 0 { throw Stopped(signal: number) }
    }
}

/// The run ended early by a signal, at a point where everything is whole.
package struct Stopped: Error, Sendable, Hashable, CustomStringConvertible {
    /// SIGINT or SIGTERM.
    package let signal: Int32

    package init(signal: Int32) {
        self.signal = signal
    }

    package var description: String {
        "stopped by \(name) between two steps; nothing is half done, and the next run goes on from here"
    }

    package var name: String {
        switch signal {
        case SIGINT: "SIGINT"
        case SIGTERM: "SIGTERM"
        default: "signal \(signal)"
        }
    }

    /// What a shell shows for a process that a signal ended.
    package var exitStatus: Int32 { 128 + signal }

    /// Ends the process by the signal itself after all cleanup: its parent (a shell's loop, systemd) then sees the signal,
    /// which an exit code would hide.
    package func endProcess() -> Never {
        #if canImport(Glibc)
        Glibc.signal(signal, SIG_DFL)
        #else
        Darwin.signal(signal, SIG_DFL)
        #endif
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, signal)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(signal)
        exit(exitStatus)
    }
}
