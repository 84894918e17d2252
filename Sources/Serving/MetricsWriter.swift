import Logging
import Operations
import ServiceLifecycle

/// Writes the metrics to a file for Prometheus' textfile collector, as `tripkpi run` does.
struct MetricsWriter: Service {
    private let metrics: ServerMetrics
    private let path: String
    private let interval: Duration
    private let log: Logger

    init(_ metrics: ServerMetrics, path: String, interval: Duration = .seconds(15), log: Logger) {
        self.metrics = metrics
        self.path = path
        self.interval = interval
        self.log = log
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isFailing = false
            while !Task.isCancelled {
                do throws(MetricsFileError) {
                    try MetricsFile.write(metrics.text, to: path)
                    isFailing = false
                } catch {
                    if !isFailing { log.warning("\(error)", metadata: ["event": "metrics.failed"]) }
                    isFailing = true
                }
                try? await Task.sleep(for: interval)
            }
        }
    }
}
