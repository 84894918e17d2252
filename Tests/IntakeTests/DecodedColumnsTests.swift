import ExportBytes
import Intake
import Profiles
import TestSupport
import Testing
import Trips

/// What the fast paths make of columns of times and amounts, beside the slow readers on one value at a time.
@Suite struct DecodedColumnsTests {
    private struct Row {
        var times: [String]
        var amounts: [String]
        var isQuoted: Bool
        var isRejected: Bool
    }

    private static let events = [
        "unit_notified_at", "en_route_at", "on_scene_at", "left_scene_at", "arrived_at", "completed_at",
    ]

    /// Times of few days, so that neighbours often have the same date, with slips of every kind among them.
    private static func time(_ random: inout SplitMix64) -> String {
        let day =
            ["2024-02-28", "2024-02-29", "2023-02-29", "2026-12-31", "2027-01-01", "2026-13-01", "1900-12-31"]
            .randomElement(using: &random) ?? ""
        let clock = ["23:59:59", "00:00:00", "24:00:00", "07:60:01", "07:59:60", "12:34:56"].randomElement(
            using: &random)
        let text = day + (Bool.random(using: &random) ? " " : "T") + (clock ?? "")
        switch Int.random(in: 0...9, using: &random) {
        case 0: return ""
        case 1: return String(text.dropLast(3))
        case 2: return text + "Z"
        case 3: return text.replacing("-", with: "/")
        case 4: return " " + text.dropLast(1)
        default: return text
        }
    }

    private static func amount(_ random: inout SplitMix64) -> String {
        let whole = String(Int.random(in: 0...(1 << Int.random(in: 0...40, using: &random)), using: &random))
        let places = String(repeating: "7", count: Int.random(in: 0...4, using: &random))
        switch Int.random(in: 0...9, using: &random) {
        case 0: return ""
        case 1: return "-" + whole
        case 2: return "." + places
        case 3: return whole + "."
        case 4: return whole + "." + places + ".1"
        case 5: return whole.map { String($0) }.joined(separator: ",")
        default: return places.isEmpty ? whole : whole + "." + places
        }
    }

    @Test func columnsAreThoseOfTheSlowReaders() throws {
        var random = SplitMix64(seed: 0xC01)
        let rows = (0..<FuzzPlan.iterations(6000)).map { number in
            // Quotes come in crowds, and so do rejected rows.
            Row(
                times: Self.events.map { _ in Self.time(&random) }, amounts: (0..<3).map { _ in Self.amount(&random) },
                isQuoted: number % 300 < 40 && Bool.random(using: &random),
                isRejected: number % 500 < 20 && Bool.random(using: &random))
        }
        let header = ["trip_id", "service_date"] + Self.events + ["cost", "loaded_miles", "unloaded_miles"]
        let lines = rows.map { row in
            let fields = [row.isRejected ? "" : "T", "2026-01-01"] + row.times + row.amounts
            return fields.map { row.isQuoted ? "\"\($0)\"" : $0.contains(",") ? "\"\($0)\"" : $0 }.joined(
                separator: ",")
        }
        try TemporaryFolder.with { folder in
            let text = ([header.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
            let path = try folder.write(text, to: "trips.csv")
            for blockBytes in [64, 4096, 1 << 18] {
                var request = ExportReader.Request(path: path, profile: nil, textNeeds: [], blockBytes: blockBytes)
                request.limits = ValueLimits(maximumUnreadablePerMillion: 1_000_000, maximumMiles: 1_000_000_000)
                let reader = try ExportReader(request)
                try check(reader, rows.filter { !$0.isRejected })
            }
        }
    }

    private func check(_ reader: ExportReader, _ rows: [Row]) throws {
        let times = TimeReader(patterns: [])
        let worker = reader.makeWorker()
        var batch = worker.makeBatch(hasVersions: false)
        var next = 0
        while try worker.next(into: &batch) {
            for row in 0..<batch.count {
                let wanted = rows[next]
                next += 1
                let readings = Self.withMidnightsThatFit(
                    wanted.times.map { times.read(Array($0.utf8).trimmingBlanks()) })
                let instants = readings.map { reading -> Int? in
                    guard let reading, reading.hasTime else { return nil }
                    return reading.localSeconds - (reading.offsetSeconds ?? 0)
                }
                for interval in TripInterval.allCases {
                    let pair = interval.standardPair
                    guard let start = Self.place(of: pair.start), let end = Self.place(of: pair.end) else { continue }
                    // Without a zone, times with an offset have no distance to others.
                    let isMixed = wanted.times[start].hasSuffix("Z") != wanted.times[end].hasSuffix("Z")
                    guard !isMixed else { continue }
                    let seconds = instants[start].flatMap { from in instants[end].map { $0 - from } }
                    let found = batch.intervals[interval.rawValue][row]
                    let expected = Self.state(of: seconds)
                    if found != expected { Issue.record("row \(next): \(interval) is \(found), not \(expected)") }
                }
                let amounts = [batch.costCents[row], batch.loadedHundredths[row], batch.unloadedHundredths[row]]
                let expected = zip(wanted.amounts, [true, false, false]).map { text, isCost in
                    let reading =
                        isCost ? AmountReader.cents(Array(text.utf8)) : AmountReader.hundredths(Array(text.utf8))
                    guard case .value(let value) = reading, isCost || value >= 0 else { return AmountState.absent }
                    return value
                }
                if amounts != expected {
                    Issue.record("row \(next): \(wanted.amounts) are \(amounts), not \(expected)")
                }
            }
        }
        #expect(next == rows.count)
    }

    /// 24:00 is the midnight that begins the day where only that fits the times before and after it.
    private static func withMidnightsThatFit(_ readings: [TimeReader.Reading?]) -> [TimeReader.Reading?] {
        var readings = readings
        for (place, reading) in readings.enumerated() {
            guard let next = reading?.localSeconds, reading?.isEndOfDay == true else { continue }
            let before = readings[..<place].compactMap { $0?.localSeconds }.last
            let after = readings[(place + 1)...].compactMap { $0?.localSeconds }.first
            let fits = { (time: Int) in
                (before == nil || 0...86_400 ~= time - (before ?? 0))
                    && (after == nil || 0...86_400 ~= (after ?? 0) - time)
            }
            if before != nil || after != nil, !fits(next), fits(next - 86_400) {
                readings[place]?.localSeconds = next - 86_400
            }
        }
        return readings
    }

    private static func place(of event: TripEvent) -> Int? { events.firstIndex(of: event.field.rawValue) }

    private static func state(of seconds: Int?) -> Int32 {
        guard let seconds else { return IntervalState.missing }
        if seconds < 0 { return IntervalState.negative }
        return seconds <= 86_400 ? Int32(seconds) : IntervalState.tooLong
    }

    /// Where the fast form gives an amount, the slow readers give the same; it gives every plain one.
    @Test func plainAmountsAgreeWithTheSlowReaders() {
        var random = SplitMix64(seed: 0xA03), read = 0
        for round in 0..<FuzzPlan.iterations(60_000) {
            let alphabet = Array((round % 3 == 0 ? "0123456789.,- $e\"/:" : "0123456789.").utf8)
            let count = Int.random(in: 0...13, using: &random)
            let text = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            let fast = (text + Array(repeating: 0x39, count: 32)).withUnsafeBufferPointer { buffer in
                buffer.baseAddress.flatMap { AmountReader.plainHundredths($0, 0, count) }
            }
            let parts = text.split(separator: 0x2E, omittingEmptySubsequences: false)
            let isPlain =
                (1...2).contains(parts.count) && !parts[0].isEmpty
                && text.allSatisfy { $0 != 0x2E } == (parts.count == 1)
                && parts.joined().allSatisfy { (0x30...0x39).contains($0) }
                && (parts.count == 1 || (1...2).contains(parts[1].count)) && count <= 8
            if isPlain { #expect(fast != nil, "\(String(decoding: text, as: UTF8.self))") }
            guard let fast else { continue }
            read += 1
            if AmountReader.cents(text) != .value(fast) || AmountReader.hundredths(text) != .value(fast) {
                Issue.record("\(String(decoding: text, as: UTF8.self)) is \(fast)")
            }
        }
        #expect(read > 10_000)
    }
}
