import Files
import Foundation
import Reporting
import Settings
import Trips

#if canImport(Glibc)
import Glibc
#endif

/// The part of `NightlyHealth` about room for what a run writes.
struct DiskHealth {
    let health: NightlyHealth

    /// With less than this a run is likely to fail.
    static let leastBytes = 20_000_000
    /// More than this, and a quarter of the store, is left free in good time.
    static let ampleBytes = 100_000_000

    func findings() -> [HealthFinding] {
        let store = health.settings.store
        let size = (try? FileManager.default.attributesOfItem(atPath: store))?[.size] as? Int ?? 0
        return [
            finding("store disk", FilePath.folder(of: store), ample: Self.ampleBytes + size / 4),
            finding("reports disk", health.settings.reports, ample: Self.ampleBytes),
        ].compactMap { $0 }
    }

    /// Nil where the file system does not say.
    private func finding(_ subject: String, _ folder: String, ample: Int) -> HealthFinding? {
        var system = statvfs()
        guard statvfs(ReportsHealth.existing(folder), &system) == 0 else { return nil }
        let free = Int(clamping: UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).0)
        if system.f_flag & UInt(ST_RDONLY) != 0 {
            return .fail(subject, "it is mounted read-only", remedy: "mount it for writing", .cannotCreate)
        }
        let text = "\(ByteText.of(free)) of space free"
        if free < Self.leastBytes {
            return .fail(
                subject, text, remedy: "free some space: a run needs at least \(ByteText.of(Self.leastBytes))",
                .inputOutput)
        }
        if free < ample {
            return .warn(subject, text, remedy: "free some space: \(ByteText.of(ample)) leave room for the next runs")
        }
        return .ok(subject, text)
    }
}
