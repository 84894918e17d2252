import ExportBytes
import Intake
import Profiles
import Trips

/// The texts of a batch, by field.
struct BatchTexts {
    private let batch: TripBatch
    private let dictionaries: [TextDictionary]
    /// Place in `batch.text` of the fields that the export has.
    private let places: [CanonicalField: Int]

    init(_ batch: TripBatch, _ dictionaries: [TextDictionary], _ profile: Profile) {
        self.batch = batch
        self.dictionaries = dictionaries
        places = Dictionary(
            batch.textFields.enumerated().filter {
                profile.columns[$0.element] != nil || profile.constants[$0.element] != nil
            }.map { ($0.element, $0.offset) }, uniquingKeysWith: { _, last in last })
    }

    /// Nil: the export has no such column.
    subscript(field: CanonicalField, row: Int) -> Sensitive<String>? {
        places[field].map { dictionaries[$0][batch.text[$0][row]] }
    }
}
