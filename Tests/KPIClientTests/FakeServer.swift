import Foundation
import KPIClient
import Synchronization

/// Answers from a list, and notes what was asked.
final class FakeServer: HTTPTransport {
    struct Offline: Error {}

    private let answers: Mutex<[HTTPAnswer?]>
    /// The token that has expired: requests with it are refused.
    private let expired: String?
    private let asked = Mutex<[HTTPRequestHead]>([])

    /// - Parameters:
    ///   - answers: in turn; nil: no connection. The last one stays.
    ///   - expired: a token; nil: none is looked at.
    init(_ answers: [HTTPAnswer?], expired: String? = nil) {
        self.answers = Mutex(answers)
        self.expired = expired
    }

    var requests: [HTTPRequestHead] { asked.withLock { $0 } }

    func then(_ more: [HTTPAnswer?]) { answers.withLock { $0 = more } }

    func send(_ request: HTTPRequestHead) async throws -> HTTPAnswer {
        asked.withLock { $0.append(request) }
        if let expired, request.headers.values.contains("Bearer \(expired)") {
            return Self.problem(401, "expired-token")
        }
        let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? nil }
        guard let answer else { throw Offline() }
        return answer
    }

    static func ok(_ body: String, tag: String? = nil, link: String? = nil) -> HTTPAnswer {
        var headers: [String: String] = [:]
        headers["etag"] = tag
        headers["link"] = link
        return HTTPAnswer(status: 200, headers: headers, body: Data(body.utf8))
    }

    static let unchanged = HTTPAnswer(status: 304, headers: [:], body: Data())

    static func problem(_ status: Int, _ name: String) -> HTTPAnswer {
        let body = #"{"type":"https://tripkpi.example/problems/\#(name)","title":"T.","status":\#(status)}"#
        return HTTPAnswer(status: status, headers: [:], body: Data(body.utf8))
    }
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_775_000_000))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// A sign-in that hands out tokens.
final class TestTokens: TokenProvider {
    private let refreshes = Mutex(0)
    /// What the sign-in throws instead of a token.
    let failure: (any Error)?

    init(failure: (any Error)? = nil) { self.failure = failure }

    var refreshCount: Int { refreshes.withLock { $0 } }

    func token(isRefresh: Bool) async throws -> String {
        if let failure { throw failure }
        if isRefresh { try await Task.sleep(for: .milliseconds(20)) }
        return refreshes.withLock { count in
            if isRefresh { count += 1 }
            return "token\(count)"
        }
    }
}
