import ExportBytes
import Foundation
import Profiles

/// The offsets of one time zone as a table, so that resolving a time is a few comparisons and no formatter.
package struct ZoneTable: Sendable {
    /// What a local time means in the zone.
    package enum Resolution: Sendable, Hashable {
        case instant(Int)
        /// The hour that comes twice: the instant before the clocks go back, and after.
        case repeated(earlier: Int, later: Int)
        /// The hour that the clocks skip.
        case skipped
    }

    package let identifier: String
    /// Instants from which `offsets[i]` holds; the first is the distant past.
    private let starts: [Int]
    private let offsets: [Int]
    /// Local times for which offset `i` is the only one: `safeFrom[i] ..< safeTo[i]`.
    private let safeFrom: [Int]
    private let safeTo: [Int]

    /// Nil if the system does not know the zone. Covers 1969 to 2100; beyond, the last offset stays.
    package init?(identifier: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        func offset(_ instant: Int) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))) }
        // Five days: the shortest daylight saving of any zone is of a week less an hour (America/Recife in 2000).
        let first = -365 * 86_400, last = 131 * 365 * 86_400, step = 5 * 86_400
        var starts = [Int.min / 4], offsets = [offset(first)]
        var at = first
        while at < last {
            let before = offsets[offsets.count - 1]
            var low = at
            at += step
            guard offset(at) != before else { continue }
            while at - low > 1 {
                let middle = (low + at) / 2
                if offset(middle) == before { low = middle } else { at = middle }
            }
            starts.append(at)
            offsets.append(offset(at))
        }
        self.init(identifier: identifier, starts: starts, offsets: offsets)
    }

    /// The first instant after another from which the zone has another offset; nil: it keeps its offset.
    package func change(after instant: Int) -> Int? { starts.first { $0 > instant } }

    /// A zone with one offset for ever.
    package init(fixedOffsetSeconds: Int) {
        self.init(identifier: "UTC", starts: [Int.min / 4], offsets: [fixedOffsetSeconds])
    }

    private init(identifier: String, starts: [Int], offsets: [Int]) {
        self.identifier = identifier
        self.starts = starts
        self.offsets = offsets
        let last = offsets.count - 1
        safeFrom = offsets.indices.map { i in
            i == 0 ? Int.min / 4 : starts[i] + max(offsets[i], offsets[i - 1])
        }
        safeTo = offsets.indices.map { i in
            i == last ? Int.max / 4 : starts[i + 1] + min(offsets[i], offsets[i + 1])
        }
    }

    /// The offset around a local time, and the local times for which it is the only one. The time itself lies outside
    /// them if its hour is repeated or skipped.
    func stretch(near local: Int) -> (offsetSeconds: Int, from: Int, to: Int) {
        let segment = segment(near: local)
        return (offsets[segment], safeFrom[segment], safeTo[segment])
    }

    /// Which segment a local time most likely lies in.
    private func segment(near local: Int) -> Int { lastSegment { starts[$0] + offsets[$0] <= local } }

    /// The last segment that has begun, by binary search; the first one always has.
    private func lastSegment(_ hasBegun: (Int) -> Bool) -> Int {
        var low = 0, high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if hasBegun(middle) { low = middle } else { high = middle }
        }
        return low
    }

    package func resolve(local: Int) -> Resolution {
        let near = segment(near: local)
        var found: [Int] = []
        for segment in max(0, near - 1)...min(starts.count - 1, near + 1) {
            let instant = local - offsets[segment]
            let end = segment + 1 < starts.count ? starts[segment + 1] : Int.max / 4
            if instant >= starts[segment] && instant < end { found.append(instant) }
        }
        switch found.count {
        case 0: return .skipped
        case 1: return .instant(found[0])
        default: return .repeated(earlier: found.min() ?? found[0], later: found.max() ?? found[0])
        }
    }

    /// Local seconds of an instant.
    package func local(instant: Int) -> Int { instant + offsets[lastSegment { starts[$0] <= instant }] }
}

/// The zones a source's times may be in: the profile's own, and those its lookup tables give by facility.
struct SourceZones: Sendable {
    /// Index 0 is the profile's zone; nil: local times count as if their clock were UTC.
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
