import ArgumentParser

/// The command that a mistyped one probably means. It repeats nothing of the command line.
struct CommandSuggestion: CustomStringConvertible {
    /// The words of the command, the program's name first.
    private let path: [String]

    var description: String { "Did you mean `\(path.joined(separator: " "))`?" }

    /// Nil if the first words are a command, or resemble none.
    init?(for arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
        var command = root
        var path = [root._commandName]
        for word in arguments {
            if word == "help", path.count == 1 { continue }
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty { return nil }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                guard let near = Self.nearest(to: word, below: command, path) ?? Self.nearest(to: word, below: root)
                else { return nil }
                self.path = near
                return
            }
            command = next
            path.append(word)
        }
        return nil
    }

    private static func nearest(
        to word: String, below command: any ParsableCommand.Type, _ path: [String]? = nil
    ) -> [String]? {
        if word.hasPrefix("-") { return nil }
        let most = word.count <= 4 ? 1 : 2
        return paths(below: command, path ?? [command._commandName])
            .map { (path: $0, edits: edits(from: word, to: $0.last ?? "")) }
            .filter { $0.edits <= most }
            .min { $0.edits < $1.edits }?.path
    }

    private static func paths(below command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
        command.configuration.subcommands.flatMap { command in
            let own = path + [command._commandName]
            return [own] + paths(below: command, own)
        }
    }

    /// How many letters must be typed, deleted, replaced or exchanged with the next one.
    private static func edits(from word: String, to name: String) -> Int {
        let word = Array(word.lowercased()), name = Array(name)
        var rows = [Array(0...name.count)]
        for (i, letter) in word.enumerated() {
            var row = [i + 1]
            for (j, other) in name.enumerated() {
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == name[j - 1], word[i - 1] == other {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[word.count][name.count]
    }
}
