import Basics
import Files
import KPIContract
import Settings

/// The part of `NightlyHealth` about files beside the store that take room and that nothing needs.
struct LeftoverHealth {
    let health: NightlyHealth

    /// A restored store that is in use for so long is the right one.
    private static let daysOfReplacedFiles = 7

    func findings() -> [HealthFinding] {
        do { return try [drafts(), replaced()].compactMap(\.self) } catch {
            return [.failure("leftovers", error)]
        }
    }

    private func drafts() throws -> HealthFinding? {
        let left = try ScratchFolder.unused(in: FilePath.folder(of: health.settings.store))
        guard let first = left.first else { return nil }
        return .warn(
            "leftovers", "a command was killed, and left \(NumberText.counted(left.count, "draft")): \(first)",
            remedy: "the next run removes those of this user; remove others by hand")
    }

    private func replaced() throws -> HealthFinding? {
        let time = UTCTime(secondsSince1970: health.now.secondsSince1970 - Self.daysOfReplacedFiles * 86_400)
        let old = try [health.settings.store, health.settings.auditLog].flatMap {
            try ReplacedStore.names(of: $0, before: time)
        }
        guard let first = old.first else { return nil }
        return .warn(
            "leftovers",
            "a restore more than \(Self.daysOfReplacedFiles) days ago has moved "
                + "\(NumberText.counted(old.count, "file")) aside: \(first)",
            remedy: "remove what is not needed any more; keep an audit log that was not whole for whoever looks into it"
        )
    }
}
