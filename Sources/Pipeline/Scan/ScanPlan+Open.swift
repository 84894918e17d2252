import Hashing
import Intake
import Trips

extension ScanPlan {
    /// Opens one of the inputs: reads its first bytes and works out what its columns mean.
    func open(
        _ index: Int, textNeeds: [(field: CanonicalField, need: TextNeed)], pseudonyms: PseudonymKey? = nil
    ) throws(ScanError) -> ExportReader {
        do throws(ExportError) {
            return try ExportReader(
                ExportReader.Request(
                    path: inputs[index], profile: profile, vocabulary: vocabulary, zone: zone, textNeeds: textNeeds,
                    fileIndex: index, checksVersions: !isUnique, blockBytes: blockBytes,
                    pseudonyms: pseudonyms))
        } catch {
            throw .export(error)
        }
    }
}
