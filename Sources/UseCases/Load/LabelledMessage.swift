import Trips

/// What an error says of an export, with the file's label in place of its path, which may name a person.
package struct LabelledMessage: CustomStringConvertible {
    package let description: String

    package init(_ error: any Error, path: String) {
        let label = FileLabel(fileName: path).description
        let text = "\(error)"
        let name = [path, label].first { text.hasPrefix($0 + ": ") }
        let rest = name.map { String(text.dropFirst($0.count + 2)) } ?? text
        description = rest.replacing(path, with: label)
    }
}
