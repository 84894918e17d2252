import Basics
import Operations
import Settings
import Trips

/// What `tripkpi serve` would meet: its keys, its certificate and its address.
struct APIHealth {
    let settings: Settings
    /// The path of this program.
    let executable: String
    let environment: [String: String]
    let now: UTCTime

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
            let check = try ServerProgram(beside: executable).check(
                ServerProgram.arguments(settings, withoutAuth: isWithoutTokens, demo: false), environment: environment)
            guard settings.apiKeys != nil else {
                return [.ok("api", "\(check.address), without tokens: the release only, on this machine only")]
            }
            return [.ok("api", "\(check.address), tokens of \(settings.apiIssuer ?? "")")]
                + certificate(endsAt: check.certificateEnd)
        } catch ServerProgramError.missing(let path) {
            return [
                .warn(
                    "api", "\(path) is missing: `tripkpi serve` cannot start",
                    remedy: "install tripkpi again: both programs belong in one folder")
            ]
        } catch {
            return [.failure("api", error)]
        }
    }

    private func certificate(endsAt end: Int?) -> [HealthFinding] {
        guard let end else { return [] }
        let days = now.days(until: UTCTime(secondsSince1970: end)), day = UTCTime(secondsSince1970: end).day
        if end <= now.secondsSince1970 {
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
