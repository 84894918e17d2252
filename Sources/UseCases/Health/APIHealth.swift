import Foundation
import Operations
import Serving
import Settings
import Trips

/// What `tripkpi serve` would meet: its keys, its certificate and its address.
struct APIHealth {
    let settings: Settings
    let nowEpochSeconds: Int

    /// A certificate that ends sooner is a warning.
    private static let daysOfNotice = 21

    /// Empty where no API is set up.
    func findings() -> [HealthFinding] {
        guard settings.origins.contains(where: { $0.hasPrefix("api_") }) else { return [] }
        let metrics = ReportsHealth.metricsFinding(settings.apiMetricsFile, setting: "api_metrics_file")
        return serving() + [metrics].compactMap { $0 }
    }

    private func serving() -> [HealthFinding] {
        do {
            // Whoever names no issuer serves the release with `--without-auth`.
            let isWithoutTokens = settings.apiKeys == nil && settings.apiIssuer == nil && settings.apiCertificate == nil
            let plan = try ServePlan(settings, withoutAuth: isWithoutTokens, demo: false)
            let address = "\(plan.tls == nil ? "http" : "https")://\(plan.host):\(plan.port)"
            guard let keys = settings.apiKeys else {
                return [.ok("api", "\(address), without tokens: the release only, on this machine only")]
            }
            let end = try APIServer.check(keys: keys, tls: plan.tls)
            return [.ok("api", "\(address), tokens of \(settings.apiIssuer ?? "")")] + certificate(endsAt: end)
        } catch {
            return [.failure("api", error)]
        }
    }

    private func certificate(endsAt end: Int?) -> [HealthFinding] {
        guard let end else { return [] }
        let days = (end - nowEpochSeconds) / 86_400, day = UTCTime(secondsSince1970: end).description.prefix(10)
        if end <= nowEpochSeconds {
            return [
                .fail(
                    "certificate", "\(settings.apiCertificate ?? ""): ended on \(day)", remedy: "renew it",
                    .configuration)
            ]
        }
        let text = "\(settings.apiCertificate ?? ""): ends on \(day), in \(days) days"
        return [
            days < Self.daysOfNotice ? .warn("certificate", text, remedy: "renew it") : .ok("certificate", text)
        ]
    }
}
