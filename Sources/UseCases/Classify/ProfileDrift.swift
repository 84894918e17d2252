import Foundation
import Settings
import Store

/// How many exports of a store were read by a profile that is not (or no longer) there. Rules that ask about a field
/// which that profile did not map found it absent, and the store cannot know better.
struct ProfileDrift: CustomStringConvertible {
    let exports: Int

    /// Nil where there is none.
    init?(_ store: TripStore, _ reading: ExportReading) throws {
        let inbox = try Inbox.ifAny(reading)
        let names = Set((inbox?.files ?? []).compactMap(\.profile) + [reading.profile].compactMap { $0 })
        let present = try reading.configuration.profileVersions(also: names.sorted()).union([reading.plainVersion])
        exports = try store.exports().filter { export in
            // A version ends with the zone of the settings, where the profile names none.
            let version = export.profileVersion.components(separatedBy: ", zone ")[0]
            return !present.contains(version) && !present.contains(export.profileVersion)
        }.count
        if exports == 0 { return nil }
    }

    var description: String {
        "note: \(exports) \(exports == 1 ? "export was" : "exports were") read by a profile that has changed since, or "
            + "that is not known here. A field that it did not map counts as absent; `tripkpi load --replay FILE` reads "
            + "an export again"
    }
}
