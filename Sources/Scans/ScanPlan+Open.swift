package import ExportBytes
package import Intake
package import Keys
import OutputScan
import Rules
package import Trips

extension ScanPlan {
    /// Opens one of the inputs: reads its first bytes and works out what its columns mean.
    package func open(
        _ index: Int, textNeeds: [(field: CanonicalField, need: TextNeed)], pseudonyms: PseudonymKey? = nil,
        collectsRecordNumbers: Bool = false, part: ExportPart? = nil
    ) throws(ExportError) -> ExportReader {
        var request = ExportReader.Request(
            path: inputs[index], profile: profile, vocabulary: vocabulary, zone: zone, textNeeds: textNeeds,
            fileIndex: index, checksVersions: !isUnique, blockBytes: blockBytes, pseudonyms: pseudonyms)
        request.temporaryFolder = temporaryFolder
        request.identifiers = identifiers
        request.limits = limits
        request.methods = methods
        request.part = part
        request.collectsRecordNumbers = collectsRecordNumbers
        return try ExportReader(request)
    }

    /// The fields that the rules need, then these with their values. The rules' own come first: where they ask for no
    /// more than presence, codes are 0 and 1.
    func textNeeds(
        _ classifier: Classifier, and values: [CanonicalField] = []
    ) -> [(field: CanonicalField, need: TextNeed)] {
        classifier.fields.map { (field: $0, need: classifier.need(of: $0)) }
            + values.map { (field: $0, need: TextNeed.value) }
    }
}
