package import StrictYAML
import Trips

/// Reads `regions` and `trip_types` outside of a profile, with the same checks.
package enum VocabularyYAML {
    /// The lists that `root` states; `standard` where it states none.
    package static func read(
        _ root: YAMLValue, standard: Vocabulary
    ) throws(ConfigurationErrors) -> Vocabulary {
        var reader = ProfileReader(
            root: root,
            surroundings: ProfileFile.Surroundings(
                vocabulary: standard, isKnownZone: { _ in true }, load: { _ in [] }))
        var keys: [String: YAMLValue] = [:]
        for entry in reader.entries(root) { keys[entry.key] = entry.value }
        reader.readLists(keys)
        guard reader.errors.isEmpty else { throw ConfigurationErrors(reader.errorsInFileOrder) }
        return reader.profile.vocabulary
    }
}
