package import ExportBytes
package import Intake
package import Keys
import OutputScan
package import Trips

extension ScanPlan {
    /// Opens one of the inputs: reads its first bytes and works out what its columns mean.
    package func open(
        _ index: Int, textNeeds: [(field: CanonicalField, need: TextNeed)], pseudonyms: PseudonymKey? = nil
    ) throws(ExportError) -> ExportReader {
        var request = ExportReader.Request(
            path: inputs[index], profile: profile, vocabulary: vocabulary, zone: zone, textNeeds: textNeeds,
            fileIndex: index, checksVersions: !isUnique, blockBytes: blockBytes, pseudonyms: pseudonyms)
        request.identifiers = identifiers
        return try ExportReader(request)
    }
}
