import StrictYAML

extension ProfileReader {
    mutating func readFilter(_ value: YAMLValue) {
    }
}
