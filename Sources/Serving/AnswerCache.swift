import Basics
import KPIContract
import NIOPosix
import Synchronization

/// Answers that are computed from a set, such as filtered summaries. The least recently used make room for others.
///
/// Answers that are not cached are computed on one thread, so each is computed once. Cached answers do not wait for it.
final class AnswerCache: Sendable {
    /// What an answer is of.
    struct Key: Sendable, Hashable {
        /// The set's id with its audience.
        var set: String
        var choice: CellKey
        var form: Form
    }

    /// The document that an answer is.
    enum Form: Sendable, Hashable {
        case summary, headlines, cells, cellsAsCSV
    }

    private struct Held {
        var answer: Representation
        var lastUse: Int
    }

    private struct State {
        var answers: [Key: Held] = [:]
        var bytes = 0
        var uses = 0
    }

    private let state = Mutex(State())
    private let mostBytes: Int
    private let thread: NIOThreadPool

    /// - Parameters:
    ///   - mostBytes: of all answers together.
    ///   - thread: a pool of one thread.
    init(mostBytes: Int, thread: NIOThreadPool) {
        self.mostBytes = mostBytes
        self.thread = thread
    }

    /// - Throws: what `compute` throws.
    func answer(
        _ key: Key, _ compute: @escaping @Sendable () throws(APIProblem) -> Representation
    ) async throws(APIProblem) -> Representation {
        if let answer = held(key) { return answer }
        let result: Result<Representation, APIProblem>?
        result = try? await thread.runIfActive {
            if let answer = self.held(key) { return .success(answer) }
            do throws(APIProblem) {
                let answer = try compute()
                self.hold(answer, key)
                return .success(answer)
            } catch {
                return .failure(error)
            }
        }
        guard let result else { throw .failed }
        return try result.get()
    }

    private func held(_ key: Key) -> Representation? {
        state.withLock { state in
            state.uses += 1
            state.answers[key]?.lastUse = state.uses
            return state.answers[key]?.answer
        }
    }

    private func hold(_ answer: Representation, _ key: Key) {
        state.withLock { state in
            state.uses += 1
            state.bytes += answer.byteCount - (state.answers[key]?.answer.byteCount ?? 0)
            state.answers[key] = Held(answer: answer, lastUse: state.uses)
            while state.bytes > mostBytes, let oldest = state.answers.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                state.bytes -= oldest.value.answer.byteCount
                state.answers[oldest.key] = nil
            }
        }
    }
}
