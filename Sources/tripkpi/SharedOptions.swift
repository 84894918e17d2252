import ArgumentParser
import Foundation
import Pipeline

/// What every command that uses the files coming with tripkpi understands.
struct DataOptions: ParsableArguments {
    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            "The folder of profiles, rules, contract and samples.",
            discussion:
                "Else TRIPKPI_DATA, else ../share/tripkpi beside the program, else the source checkout's data/.",
            valueName: "folder"))
    var dataDirectory: String?

    func folder() throws -> DataFolder {
        try DataFolder.find(
            flag: dataDirectory, environment: ProcessInfo.processInfo.environment, executable: Program.path)
    }
}

/// The running program.
enum Program {
    /// Its path, with symbolic links resolved: an installed program may be reached by a link.
    static var path: String {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let named = own ?? CommandLine.arguments.first ?? ""
        return URL(fileURLWithPath: named).resolvingSymlinksInPath().path
    }

    /// Writes a line for a person: messages go to standard error, data to standard output. Control characters in it are
    /// written out.
    static func tell(_ message: String) {
        let message = TerminalText.escaped(message, arguments: CommandLine.arguments)
        // There is nowhere left to say that nobody listens.
        try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    }

    /// Writes lines of data to standard output.
    static func say(_ lines: [String]) throws {
        try StandardOutput.write(Array((lines.joined(separator: "\n") + "\n").utf8))
    }
}
