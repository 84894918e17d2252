import OutputScan
import Intake
import Trips

extension ScanPlan {
    /// Opens one of the inputs: reads its first bytes and works out what its columns mean.
    func open(
        _ index: Int, textNeeds: [(field: CanonicalField, need: TextNeed)]
    ) throws(ScanError) -> ExportReader {
        do throws(ExportError) {
            var request = ExportReader.Request(
                path: inputs[index], profile: profile, vocabulary: vocabulary, zone: zone, textNeeds: textNeeds,
                fileIndex: index, checksVersions: !isUnique, blockBytes: blockBytes)
            request.gatherer = identifiers?.gatherer()
            return try ExportReader(request)
        } catch {
            throw .export(error)
        }
    }
}
