import Profiles

/// The zones a source's times may be in: the profile's own, and those its lookup tables give by facility.
struct ZonePlan: Sendable {
    /// Index 0 is the profile's zone; nil: times are taken as they stand.
    private(set) var tables: [ZoneTable?]
    /// Index into `tables` by zone name.
    private(set) var indexByName: [String: UInt8] = [:]

    init(profile: Profile, file: String) throws(ExportError) {
        tables = [nil]
        if let zone = profile.zone { tables[0] = try Self.table(zone, file: file) }
        for name in Set(profile.lookups.flatMap { $0.zones.values }).sorted() {
            guard let index = UInt8(exactly: tables.count) else { break }
            indexByName[name] = index
            tables.append(try Self.table(name, file: file))
        }
    }

    var isSingle: Bool { tables.count == 1 }

    private static func table(_ name: String, file: String) throws(ExportError) -> ZoneTable {
        guard let table = ZoneTable(identifier: name) else {
            throw ExportError(
                kind: .malformed, file: file, problem: "the time zone \"\(name)\" is not known on this system",
                remedy: "use an IANA name such as America/New_York in the profile")
        }
        return table
    }
}
