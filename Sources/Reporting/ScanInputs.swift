package import ExportBytes
package import Intake
import Profiles
package import Trips

/// The exports of a scan as they were when each was opened.
package struct ScanInputs: Sendable {
    package private(set) var readers: [ExportReader] = []

    package init() {}

    /// Throws if trips of the export would count twice beside an earlier export of its source.
    package mutating func add(_ reader: ExportReader) throws(ExportError) {
        for earlier in readers where earlier.profile.source == reader.profile.source {
            try reader.checkLegs(against: earlier.inventory.hasLegs, in: earlier.name)
        }
        readers.append(reader)
    }

    /// Each way in which they are read, once.
    package func readings(zone: String?) -> [SourceReading] {
        var readings: [SourceReading] = []
        for reader in readers {
            let reading = SourceReading(reader.profile, zone: zone)
            if !readings.contains(reading) { readings.append(reading) }
        }
        return readings
    }

    /// What must be said of the order of the exports: the later one wins, and the files' own times may disagree; nil: nothing.
    package func orderNote(_ replaced: ReplacedTrips) throws(ExportError) -> String? {
        guard replaced.unversioned > 0 else { return nil }
        var newest: (name: String, modifiedNanoseconds: Int)?
        for reader in readers where reader.fileBytes != nil {
            let modified = try reader.fileStat().modifiedNanoseconds
            if let newest, newest.modifiedNanoseconds > modified {
                return
                    "\(newest.name) is a newer file than \(reader.name), which is named after it: of a trip in both, the record of "
                    + "the export that is named last counts"
            }
            newest = (reader.name, modified)
        }
        return nil
    }

    /// Throws if one of them was changed or replaced since.
    ///
    /// Call it after the last reading of any of them and before anything is published: what was read in between is then
    /// one state of each file, however often it was read.
    package func checkUnchanged() throws(ExportError) {
        for reader in readers { try reader.checkUnchanged() }
    }
}
