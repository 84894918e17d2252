import Foundation

/// The folder of the files that come with tripkpi: profiles, rules, reference tables, contract, samples.
///
/// Whoever names a folder gets that one or an error; only if nobody does is it looked for beside the program.
package struct DataFolder: Sendable, Hashable {
    /// How the folder was found; `doctor` says it.
    package enum Origin: String, Sendable, Hashable {
        case flag = "--data-dir"
        case environment = "TRIPKPI_DATA"
        case installed = "beside the installed program"
        case checkout = "in the source checkout"
    }

    package let path: String
    package let origin: Origin

    /// A folder that is known to hold the files; `find` looks for one.
    package init(path: String, origin: Origin) {
        self.path = path
        self.origin = origin
    }

    /// - Parameters:
    ///   - flag: what `--data-dir` says, if it is given.
    ///   - environment: the process's environment.
    ///   - executable: the program's path with symbolic links resolved.
    package static func find(
        flag: String?, environment: [String: String], executable: String
    ) throws(DataFolderError) -> DataFolder {
        if let flag { return try named(flag, by: .flag) }
        if let value = environment["TRIPKPI_DATA"], !value.isEmpty { return try named(value, by: .environment) }
        var folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
        let installed = folder.deletingLastPathComponent().appendingPathComponent("share/tripkpi")
        if isDataFolder(installed.path) { return DataFolder(path: installed.path, origin: .installed) }
        // A build lies a few folders below its checkout: .build/<triple>/release/tripkpi.
        while folder.path != "/" {
            let data = folder.appendingPathComponent("data")
            let manifest = folder.appendingPathComponent("Package.swift").path
            if FileManager.default.fileExists(atPath: manifest), isDataFolder(data.path) {
                return DataFolder(path: data.path, origin: .checkout)
            }
            folder.deleteLastPathComponent()
        }
        throw .notFound(lookedIn: installed.path)
    }

    /// The path of a file or folder in it, such as `contract/kpi-summary.schema.json`.
    package func path(of name: String) -> String { path + "/" + name }

    /// The names of the files of one of its folders that end in one of these, sorted; none if there is no such folder.
    package func files(in folder: String, endingIn endings: [String]) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path(of: folder))) ?? []
        return names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
    }

    /// The bytes of one of its files.
    package func read(_ name: String) throws(DataFolderError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path(of: name)) else {
            throw .unreadable(path: path(of: name))
        }
        return Array(data)
    }

    private static func named(_ path: String, by origin: Origin) throws(DataFolderError) -> DataFolder {
        guard isDataFolder(path) else { throw .notADataFolder(path: path, namedBy: origin) }
        return DataFolder(path: path, origin: origin)
    }

    private static func isDataFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path + "/profiles", isDirectory: &isFolder) && isFolder.boolValue
    }
}

/// Why the files that come with tripkpi cannot be used.
package enum DataFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    case notFound(lookedIn: String)
    case notADataFolder(path: String, namedBy: DataFolder.Origin)
    case unreadable(path: String)

    package var description: String {
        switch self {
        case .notFound(let place):
            "the data folder is neither at \(place) nor in a source checkout; name it with --data-dir or TRIPKPI_DATA"
        case .notADataFolder(let path, let origin):
            "\(path), named by \(origin.rawValue), holds no profiles/; name the folder that holds tripkpi's data"
        case .unreadable(let path):
            "\(path) cannot be read; check that it is there and who may read it"
        }
    }
}
