import Conditions
import StrictYAML

extension ProfileReader {
    /// A condition on columns by their names in the file.
    mutating func readFilter(_ value: YAMLValue) {
        do throws(ConfigurationErrors) {
            profile.filter = try ConditionYAML.condition(from: value, fields: nil, load: surroundings.load)
        } catch {
            errors += error.errors
        }
    }

    /// The path of a file that the profile names, as the loader takes it.
    func path(of name: String) -> String {
        guard !name.hasPrefix("/"), let slash = root.place.file.lastIndex(of: "/") else { return name }
        return String(root.place.file[...slash]) + name
    }
}
