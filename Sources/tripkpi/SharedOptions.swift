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

    /// Seconds since 1970: `SOURCE_DATE_EPOCH` where it is set, so that outputs can be made again to the byte.
    static var now: Int {
        ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) }
            ?? Int(Date().timeIntervalSince1970)
    }

    /// Writes a line for a person: messages go to standard error, data to standard output.
    static func tell(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
