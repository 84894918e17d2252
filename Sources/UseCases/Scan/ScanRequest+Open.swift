package import ExportBytes
package import Intake
package import Keys
import OutputScan
import Profiles
package import Rules
package import Trips

extension ScanRequest {
    /// Opens one of the inputs: reads its first bytes and works out what its columns mean.
    ///
    /// - Parameter mayBeParts: whether its records may be parts of trips that another export has.
    package func open(
        _ index: Int, textNeeds: [(field: CanonicalField, need: TextNeed)], pseudonyms: PseudonymKey? = nil,
        collectsRecordNumbers: Bool = false, part: ExportPart? = nil, mayBeParts: Bool = false
    ) throws(ExportError) -> ExportReader {
        var request = ExportReader.Request(
            path: inputs[index], profile: profile, vocabulary: vocabulary, zone: zone, textNeeds: textNeeds,
            fileIndex: index, checksVersions: !isUnique, blockBytes: blockBytes, pseudonyms: pseudonyms)
        request.temporaryFolder = temporaryFolder
        request.identifiers = identifiers
        request.limits = limits
        request.methods = methods
        request.part = part
        request.mayLackIDs = true
        request.collectsRecordNumbers = collectsRecordNumbers
        let reader = try ExportReader(request)
        if !mayBeParts, let source = reader.profile.supplement {
            throw ExportError(
                kind: .unclearRecords, file: reader.name,
                problem: "its profile says that it supplements \(source): by itself it has no trips",
                remedy: "load it and the exports of \(source) into a store (`tripkpi load`), and report from the store")
        }
        return reader
    }

    /// The fields that the rules need, then these with their values. The rules' own come first: where they ask for no
    /// more than presence, codes are 0 and 1.
    package func textNeeds(
        _ classifier: Classifier, and values: [CanonicalField] = []
    ) -> [(field: CanonicalField, need: TextNeed)] {
        classifier.fields.map { (field: $0, need: classifier.need(of: $0)) }
            + values.map { (field: $0, need: TextNeed.value) }
    }
}
