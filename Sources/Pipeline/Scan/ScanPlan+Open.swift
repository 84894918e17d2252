import Hashing
import Intake
import OutputScan
import Trips

extension ScanPlan {
    /// Opens one of the inputs: reads its first bytes and works out what its columns mean.
    func open(
        _ index: Int, textNeeds: [(field: CanonicalField, need: TextNeed)], pseudonyms: PseudonymKey? = nil
    ) throws(ScanError) -> ExportReader {
        do throws(ExportError) {
            var request = ExportReader.Request(
                path: inputs[index], profile: profile, vocabulary: vocabulary, zone: zone, textNeeds: textNeeds,
                fileIndex: index, checksVersions: !isUnique, blockBytes: blockBytes, pseudonyms: pseudonyms)
            request.gatherer = identifiers?.gatherer()
            return try ExportReader(request)
        } catch {
            throw .export(error)
        }
    }
}
