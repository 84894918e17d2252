import Operations
import Synchronization

/// What the server counts, as one table, and its text in the format of Prometheus.
///
/// Labels are the names of endpoints, status codes and audiences; never an address, an id or a parameter.
package final class ServerMetrics: Sendable {
    private struct Request: Hashable {
        let endpoint: String
        let status: Int
    }

    private struct Table {
        var requests: [Request: Int] = [:]
        /// By endpoint.
        var seconds: [String: DurationHistogram] = [:]
        /// By audience.
        var setTimes: [String: Int] = [:]
        var certificateEnd: Int?
    }

    private let table = Mutex(Table())

    package init() {}

    package func count(endpoint: String, status: Int, nanoseconds: Int64) {
        table.withLock { table in
            table.requests[Request(endpoint: endpoint, status: status), default: 0] += 1
            table.seconds[endpoint, default: DurationHistogram()].add(nanoseconds)
        }
    }

    /// - Parameter epochSeconds: when the set that is served was made; nil: no set is served.
    package func setTime(of audience: ServedAudience, to epochSeconds: Int?) {
        table.withLock { $0.setTimes[audience.rawValue] = epochSeconds }
    }

    package func setCertificateEnd(_ epochSeconds: Int) {
        table.withLock { $0.certificateEnd = epochSeconds }
    }

    /// The whole file, in an order that does not depend on what came first.
    package var text: String {
        let table = table.withLock { $0 }
        let requests = table.requests
            .sorted { ($0.key.endpoint, $0.key.status) < ($1.key.endpoint, $1.key.status) }
            .map { request, count in
                MetricFamily.Sample(
                    labels: [("endpoint", request.endpoint), ("status", "\(request.status)")], "\(count)")
            }
        let families = [
            MetricFamily(
                "api_requests_total", "Requests that were answered, by endpoint and status.", .counter, requests),
            MetricFamily(
                "api_request_duration_seconds", "How long requests took until the answer was ready, by endpoint.",
                .histogram,
                table.seconds.sorted { $0.key < $1.key }.flatMap { $1.samples(labels: [("endpoint", $0)]) }),
            MetricFamily(
                "api_set_timestamp_seconds", "When the set that is served was made, by audience.", .gauge,
                table.setTimes.sorted { $0.key < $1.key }.map { .init(labels: [("audience", $0)], "\($1)") }),
            MetricFamily(
                "api_certificate_end_timestamp_seconds", "When the certificate of the server ends.", .gauge,
                table.certificateEnd.map { [.init("\($0)")] } ?? []),
        ]
        return families.map(\.text).joined()
    }
}

/// How many requests took at most so long.
private struct DurationHistogram {
    private static let limits: [(text: String, nanoseconds: Int64)] = [
        ("0.0005", 500_000), ("0.001", 1_000_000), ("0.0025", 2_500_000), ("0.005", 5_000_000), ("0.01", 10_000_000),
        ("0.025", 25_000_000), ("0.05", 50_000_000), ("0.1", 100_000_000), ("0.25", 250_000_000), ("1", 1_000_000_000),
    ]

    private var byLimit = [Int](repeating: 0, count: limits.count)
    private var all = 0
    private var nanoseconds: Int64 = 0

    mutating func add(_ duration: Int64) {
        all += 1
        nanoseconds += duration
        if let place = Self.limits.firstIndex(where: { duration <= $0.nanoseconds }) { byLimit[place] += 1 }
    }

    /// Cumulative, as the format wants it.
    func samples(labels: [(String, String)]) -> [MetricFamily.Sample] {
        var sum = 0
        let buckets = zip(Self.limits, byLimit).map { limit, count in
            sum += count
            return MetricFamily.Sample(suffix: "_bucket", labels: labels + [("le", limit.text)], "\(sum)")
        }
        let seconds = "\(Double(nanoseconds / 1_000) / 1_000_000)"
        return buckets + [
            MetricFamily.Sample(suffix: "_bucket", labels: labels + [("le", "+Inf")], "\(all)"),
            MetricFamily.Sample(suffix: "_sum", labels: labels, seconds),
            MetricFamily.Sample(suffix: "_count", labels: labels, "\(all)"),
        ]
    }
}
