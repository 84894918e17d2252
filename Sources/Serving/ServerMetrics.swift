import CoreMetrics
import Operations
import Synchronization

/// The metrics of the server, counted through swift-metrics and written in the text format of Prometheus.
///
/// It is passed to each metric: nothing is registered for the whole process. Labels are the names of endpoints, status codes
/// and audiences; never an address, an id or a parameter.
final class ServerMetrics: MetricsFactory {
    /// The metrics that there are.
    enum Metric: String, CaseIterable {
        case requests = "api_requests_total"
        case seconds = "api_request_duration_seconds"
        case setTime = "api_set_timestamp_seconds"
        case certificateEnd = "api_certificate_end_timestamp_seconds"

        var help: String {
            switch self {
            case .requests: "Requests that were answered, by endpoint and status."
            case .seconds: "How long requests took until the answer was ready, by endpoint."
            case .setTime: "When the set that is served was made, by audience."
            case .certificateEnd: "When the certificate of the server ends."
            }
        }
    }

    private struct Key: Hashable {
        let metric: String
        let labels: [[String]]
    }

    private let counters = Mutex<[Key: CounterValue]>([:])
    private let timers = Mutex<[Key: Histogram]>([:])
    private let meters = Mutex<[Key: MeterValue]>([:])

    // MARK: What the server records

    func count(endpoint: String, status: Int, nanoseconds: Int64) {
        Counter(
            label: Metric.requests.rawValue, dimensions: [("endpoint", endpoint), ("status", "\(status)")],
            factory: self
        ).increment()
        Timer(label: Metric.seconds.rawValue, dimensions: [("endpoint", endpoint)], factory: self)
            .recordNanoseconds(nanoseconds)
    }

    func set(_ metric: Metric, _ labels: [(String, String)] = [], to seconds: Int) {
        Meter(label: metric.rawValue, dimensions: labels, factory: self).set(Int64(seconds))
    }

    /// A value that there is no longer.
    func remove(_ metric: Metric, _ labels: [(String, String)]) {
        let key = Key(metric: metric.rawValue, labels: labels.map { [$0.0, $0.1] })
        meters.withLock { $0[key] = nil }
    }

    // MARK: Text

    /// The whole file, in an order that does not depend on what came first.
    var text: String {
        Metric.allCases.map { metric in
            MetricFamily(metric.rawValue, metric.help, kind(of: metric), samples(of: metric)).text
        }.joined()
    }

    private func kind(of metric: Metric) -> MetricFamily.Kind {
        switch metric {
        case .requests: .counter
        case .seconds: .histogram
        case .setTime, .certificateEnd: .gauge
        }
    }

    private func samples(of metric: Metric) -> [MetricFamily.Sample] {
        switch metric {
        case .requests:
            Self.sorted(counters.withLock { $0 }, metric).map { MetricFamily.Sample(labels: $0, "\($1.value)") }
        case .seconds: Self.sorted(timers.withLock { $0 }, metric).flatMap { $1.samples(labels: $0) }
        case .setTime, .certificateEnd:
            Self.sorted(meters.withLock { $0 }, metric).map { MetricFamily.Sample(labels: $0, "\($1.value)") }
        }
    }

    private static func sorted<Value>(
        _ values: [Key: Value], _ metric: Metric
    ) -> [(labels: [(String, String)], value: Value)] {
        values.filter { $0.key.metric == metric.rawValue }
            .sorted { $0.key.labels.joined().lexicographicallyPrecedes($1.key.labels.joined()) }
            .map { key, value in (key.labels.map { ($0[0], $0[1]) }, value) }
    }

    // MARK: MetricsFactory

    private func value<Value: Sendable>(
        in known: borrowing Mutex<[Key: Value]>, _ label: String, _ dimensions: [(String, String)],
        or make: @Sendable () -> Value
    ) -> Value {
        let key = Key(metric: label, labels: dimensions.map { [$0.0, $0.1] })
        return known.withLock { values in
            if let value = values[key] { return value }
            let value = make()
            values[key] = value
            return value
        }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        value(in: counters, label, dimensions) { CounterValue() }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        value(in: timers, label, dimensions) { Histogram() }
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        value(in: meters, label, dimensions) { MeterValue() }
    }

    /// The server has none of these: what another library records in them is not kept.
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        NOOPMetricsHandler.instance
    }

    /// Metrics are kept until the server ends: a counter that starts again at 0 reads as a restart.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
}

private final class CounterValue: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }
}

private final class MeterValue: MeterHandler {
    private let current = Mutex<Double>(0)

    /// Whole: every meter of the server is a time in seconds.
    var value: Int64 { Int64(current.withLock { $0 }.rounded()) }

    func set(_ value: Int64) { current.withLock { $0 = Double(value) } }
    func set(_ value: Double) { current.withLock { $0 = value } }
    func increment(by amount: Double) { current.withLock { $0 += amount } }
    func decrement(by amount: Double) { current.withLock { $0 -= amount } }
}

/// How many requests took at most so long.
private final class Histogram: TimerHandler {
    private static let limits: [(text: String, nanoseconds: Int64)] = [
        ("0.0005", 500_000), ("0.001", 1_000_000), ("0.0025", 2_500_000), ("0.005", 5_000_000), ("0.01", 10_000_000),
        ("0.025", 25_000_000), ("0.05", 50_000_000), ("0.1", 100_000_000), ("0.25", 250_000_000), ("1", 1_000_000_000),
    ]

    private struct Counts {
        var byLimit = [Int](repeating: 0, count: Histogram.limits.count)
        var all = 0
        var nanoseconds: Int64 = 0
    }

    private let counts = Mutex(Counts())

    func recordNanoseconds(_ duration: Int64) {
        counts.withLock { counts in
            counts.all += 1
            counts.nanoseconds += duration
            if let place = Self.limits.firstIndex(where: { duration <= $0.nanoseconds }) { counts.byLimit[place] += 1 }
        }
    }

    /// Cumulative, as the format wants it.
    func samples(labels: [(String, String)]) -> [MetricFamily.Sample] {
        let counts = counts.withLock { $0 }
        var sum = 0
        let buckets = zip(Self.limits, counts.byLimit).map { limit, count in
            sum += count
            return MetricFamily.Sample(suffix: "_bucket", labels: labels + [("le", limit.text)], "\(sum)")
        }
        let seconds = "\(Double(counts.nanoseconds / 1_000) / 1_000_000)"
        return buckets + [
            MetricFamily.Sample(suffix: "_bucket", labels: labels + [("le", "+Inf")], "\(counts.all)"),
            MetricFamily.Sample(suffix: "_sum", labels: labels, seconds),
            MetricFamily.Sample(suffix: "_count", labels: labels, "\(counts.all)"),
        ]
    }
}
