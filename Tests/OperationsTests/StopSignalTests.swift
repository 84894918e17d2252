import Foundation
import Operations
import Synchronization
import Testing

/// With SIGUSR1 and SIGUSR2 in this process, and with the real ones in a process of their own.
@Suite(.serialized) struct StopSignalTests {
    /// Dispatch delivers a little later.
    private static func wait(_ condition: () -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 10)
        while !condition(), Date() < deadline { usleep(1_000) }
        return condition()
    }

    @Test func aSignalAsksAndEndsNothing() {
        let stop = StopSignal(listeningTo: [SIGUSR1])
        #expect(!stop.isAsked)
        #expect(throws: Never.self) { try stop.throwIfAsked() }
        kill(getpid(), SIGUSR1)
        #expect(Self.wait { stop.isAsked })
        #expect(throws: Stopped(signal: SIGUSR1)) { try stop.throwIfAsked() }
    }

    @Test func theSecondSignalActsAtOnce() {
        let ended = Atomic<Int32>(0)
        let stop = StopSignal(listeningTo: [SIGUSR1, SIGUSR2]) { ended.store($0.signal, ordering: .relaxed) }
        kill(getpid(), SIGUSR2)
        #expect(Self.wait { stop.isAsked })
        #expect(ended.load(ordering: .relaxed) == 0)
        kill(getpid(), SIGUSR1)
        #expect(Self.wait { ended.load(ordering: .relaxed) == SIGUSR1 })
        #expect(throws: Stopped(signal: SIGUSR2)) { try stop.throwIfAsked() }
    }

    @Test func nobodyAsksNone() {
        #expect(!StopSignal.none.isAsked)
        #expect(throws: Never.self) { try StopSignal.none.throwIfAsked() }
    }

    @Test func theShellsStatusIs128AndTheSignal() {
        #expect(Stopped(signal: SIGTERM).exitStatus == 143)
        #expect(Stopped(signal: SIGINT).description.hasPrefix("stopped by SIGINT between two steps; "))
    }

    @Test func aStoppedProcessEndsBySignal() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            let stop = StopSignal()
            kill(getpid(), SIGTERM)
            while !stop.isAsked { usleep(1_000) }
            do {
                try stop.throwIfAsked()
            } catch let stopped as Stopped {
                stopped.endProcess()
            }
        }
    }

    @Test func twoSignalsEndAProcessThatNeverLooks() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            let stop = StopSignal()
            kill(getpid(), SIGTERM)
            while !stop.isAsked { usleep(1_000) }
            kill(getpid(), SIGINT)
            while true { usleep(100_000) }
        }
    }
}
