/// Where a value came from.
public enum AnswerOrigin: Sendable, Hashable {
    /// The server sent it, or said that it is still the same.
    case server
    /// The server could not be asked: it is this many seconds old. Show `Fetched.notice` beside the figures.
    case cache(ageSeconds: Int, reason: CacheReason)
}

/// Why a value is from the cache.
public enum CacheReason: Sendable, Hashable {
    /// There is no connection.
    case offline
    /// The server or its proxy answered 502, 503 or 504.
    case serverUnavailable
}

/// A value, and how new it is.
public struct Fetched<Value: Sendable>: Sendable {
    /// What was asked for.
    public var value: Value
    /// Where it came from.
    public var origin: AnswerOrigin

    /// A value.
    public init(_ value: Value, _ origin: AnswerOrigin) {
        self.value = value
        self.origin = origin
    }

    /// `Offline: figures from 3 hours ago`; nil for what the server sent.
    public var notice: String? {
        guard case .cache(let age, let reason) = origin else { return nil }
        let what = reason == .offline ? "Offline" : "The server is not available"
        let minutes = age / 60, hours = minutes / 60
        switch (hours, minutes) {
        case (1..., _): return "\(what): figures from \(hours) \(hours == 1 ? "hour" : "hours") ago"
        case (_, 1...): return "\(what): figures from \(minutes) \(minutes == 1 ? "minute" : "minutes") ago"
        default: return "\(what): figures from less than a minute ago"
        }
    }
}
