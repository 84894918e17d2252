public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests with URLSession. It stores nothing (no URL cache, no cookies), and follows no redirection: the token is for
/// the server alone that it was asked for.
public struct URLSessionTransport: HTTPTransport {
    private let requests: SessionRequests

    /// - Parameter timeoutSeconds: of a request.
    public init(timeoutSeconds: TimeInterval = 30) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = timeoutSeconds
        requests = SessionRequests(configuration)
    }

    /// Sends it.
    public func send(_ request: HTTPRequestHead) async throws -> HTTPAnswer {
        var sent = URLRequest(url: request.url)
        for (name, value) in request.headers { sent.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await requests.send(sent)
        let headers = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { ($0.lowercased(), "\(value)") }
        }
        return HTTPAnswer(
            status: response.statusCode, headers: Dictionary(headers, uniquingKeysWith: { first, _ in first }),
            body: body)
    }
}

/// A session and its requests. On Linux, URLSession's async calls follow redirections whatever their delegate says; tasks of a
/// session's own delegate do not.
private final class SessionRequests: Sendable {
    private let session: URLSession
    private let events: AsyncStream<SessionEvent>.Continuation

    init(_ configuration: URLSessionConfiguration) {
        let (stream, events) = AsyncStream<SessionEvent>.makeStream()
        self.events = events
        session = URLSession(configuration: configuration, delegate: SessionDelegate(events), delegateQueue: nil)
        // One reader of all events, in their order, so that nothing is shared.
        Task {
            var open: [Int: (answer: SessionEvent.Answer, body: Data)] = [:]
            // A request that is cancelled at once may end before it has begun.
            var endedEarly: Set<Int> = []
            for await event in stream {
                switch event {
                case .begun(let task, let answer):
                    if endedEarly.remove(task) != nil {
                        answer.resume(throwing: URLError(.cancelled))
                    } else {
                        open[task] = (answer, Data())
                    }
                case .received(let task, let data): open[task]?.body.append(data)
                case .ended(let task, let response, let error):
                    guard let (answer, body) = open.removeValue(forKey: task) else {
                        endedEarly.insert(task)
                        continue
                    }
                    if let response, error == nil {
                        answer.resume(returning: (body, response))
                    } else {
                        answer.resume(throwing: error ?? URLError(.badServerResponse))
                    }
                }
            }
            for (answer, _) in open.values { answer.resume(throwing: URLError(.cancelled)) }
        }
    }

    /// A session keeps its delegate until it is told that no more requests come.
    deinit {
        session.finishTasksAndInvalidate()
        events.finish()
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try Task.checkCancellation()
        let task = session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer in
                events.yield(.begun(task: task.taskIdentifier, answer))
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// What happens to a request of a session.
private enum SessionEvent: Sendable {
    typealias Answer = CheckedContinuation<(Data, HTTPURLResponse), any Error>

    case begun(task: Int, Answer)
    case received(task: Int, Data)
    case ended(task: Int, HTTPURLResponse?, (any Error)?)
}

private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let events: AsyncStream<SessionEvent>.Continuation

    init(_ events: AsyncStream<SessionEvent>.Continuation) { self.events = events }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        events.yield(.received(task: dataTask.taskIdentifier, data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        events.yield(.ended(task: task.taskIdentifier, task.response as? HTTPURLResponse, error))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
