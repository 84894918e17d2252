package import ExportBytes
import Intake
import Profiles

/// The exports of a scan as they were when each was opened.
package struct ScanInputs: Sendable {
    private(set) var readers: [ExportReader] = []

    package init() {}

    /// Throws if trips of the export would count twice beside an earlier export of its source.
    mutating func add(_ reader: ExportReader) throws(ExportError) {
        for earlier in readers where earlier.profile.source == reader.profile.source {
            try reader.checkLegs(against: earlier.inventory.hasLegs, in: earlier.name)
        }
        readers.append(reader)
    }

    /// Each way in which they are read, once.
    func readings(zone: String?) -> [SourceReading] {
        var readings: [SourceReading] = []
        for reader in readers {
            let reading = SourceReading(reader.profile, zone: zone)
            if !readings.contains(reading) { readings.append(reading) }
        }
        return readings
    }

    /// Throws if one of them was changed or replaced since.
    ///
    /// Call it after the last reading of any of them and before anything is published: what was read in between is then
    /// one state of each file, however often it was read.
    package func checkUnchanged() throws(ExportError) {
        for reader in readers { try reader.checkUnchanged() }
    }
}
