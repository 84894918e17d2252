import Foundation
import Keys
import Synchronization
import TestSupport
import Trips

/// A crosswalk in folders of its own, and what is in it. Of nobody.
struct CrosswalkFixture {
    let folder: TemporaryFolder
    let place: CrosswalkPaths

    init(_ folder: TemporaryFolder, name: String = "") throws {
        self.folder = folder
        for part in ["walk", "keys", "store"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(of: name + part), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        place = CrosswalkPaths(
            file: folder.path(of: name + "walk/trips.crosswalk"), keyFile: folder.path(of: name + "keys/walk.key"),
            store: folder.path(of: name + "store/tripkpi.sqlite"))
    }

    typealias Trip = (source: String, trip: String, leg: String, patient: String)

    static func trips(_ range: Range<Int>, source: String = "cad") -> [Trip] {
        range.map { (source, "CANARYTRIP\($0)", $0.isMultiple(of: 2) ? "CANARYLEG\($0)" : "", "CANARYPATIENT\($0)") }
    }

    static func block(_ trips: [Trip]) -> Sensitive<IdentifierBlock> {
        var block = IdentifierBlock()
        for trip in trips {
            block.append(
                tripID: Array(trip.trip.utf8), legID: Array(trip.leg.utf8), patientID: Array(trip.patient.utf8))
        }
        return Sensitive(block)
    }

    /// An export of these trips, in batches of three.
    @discardableResult
    func write(_ trips: [Trip], mark: CrosswalkMark?) throws -> CrosswalkMark {
        let writer = try CrosswalkWriter(place)
        try writer.begin(mark: mark)
        try append(trips, to: writer)
        return try writer.seal()
    }

    func append(_ trips: [Trip], to writer: CrosswalkWriter) throws {
        for start in stride(from: 0, to: trips.count, by: 3) {
            let some = Array(trips[start..<min(start + 3, trips.count)])
            try writer.append(Self.block(some), source: some[0].source)
        }
    }

    /// What is in it, as lines.
    func read(mark: CrosswalkMark?) throws -> [String] {
        var lines: [String] = []
        try CrosswalkReader(place).read(mark: mark) { source, block in
            block.revealed(for: .reidentifying).forEach { trip, leg, patient in
                lines.append(
                    ([Array(source.utf8)[...], trip, leg, patient].map { String(decoding: $0, as: UTF8.self) })
                        .joined(separator: "|"))
            }
        }
        return lines
    }

    func failure(mark: CrosswalkMark?) -> CrosswalkError? {
        do {
            _ = try read(mark: mark)
            return nil
        } catch {
            return error as? CrosswalkError
        }
    }

    static func lines(_ trips: [Trip]) -> [String] {
        trips.map { "\($0.source)|\($0.trip)|\($0.leg)|\($0.patient)" }
    }

    var bytes: [UInt8] {
        get throws { Array(try Data(contentsOf: URL(fileURLWithPath: place.file))) }
    }

    /// Puts other bytes into the file, whose mode stays.
    func put(_ bytes: some Collection<UInt8>) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: place.file))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    /// The header and the records of a file, in pieces.
    static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        var pieces = [Array(bytes[..<72])], at = 72
        while at < bytes.count {
            let length = bytes[(at + 1)..<(at + 5)].reduce(0) { $0 << 8 | Int($1) } + 13 + 16
            pieces.append(Array(bytes[at..<at + length]))
            at += length
        }
        return pieces
    }
}
