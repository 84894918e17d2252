package import Files
import Foundation

/// The folder of the files that come with tripkpi: profiles, rules, reference tables, contract, samples.
///
/// A folder that is named is used or is an error. Only without a name is the folder looked for beside the program.
package struct DataFolder: Sendable, Hashable {
    /// How the folder was found; `doctor` prints it.
    package enum Origin: String, Sendable, Hashable {
        case flag = "--data-dir"
        case environment = "TRIPKPI_DATA"
        case installed = "beside the installed program"
        case checkout = "in the source checkout"
    }

    package let path: String
    package let origin: Origin

    /// A folder that holds the files; `find` looks for one.
    package init(path: String, origin: Origin) {
        self.path = path
        self.origin = origin
    }

    /// - Parameters:
    ///   - flag: the value of `--data-dir`.
    ///   - environment: the process's environment.
    ///   - executable: the program's path with symbolic links resolved.
    package static func find(
        flag: String?, environment: [String: String], executable: String
    ) throws(SettingError) -> DataFolder {
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
        throw SettingError(
            origin: "data folder", problem: "it is neither at \(installed.path) nor in a source checkout",
            remedy: "name it with --data-dir or TRIPKPI_DATA")
    }

    /// The path of a file or folder in it, such as `contract/kpi-summary.schema.json`.
    package func path(of name: String) -> String { path + "/" + name }

    /// The sorted names of the files in a folder that have one of these endings; none if there is no such folder.
    package func files(in folder: String, endingIn endings: [String]) throws(FileError) -> [String] {
        try FolderNames.texts(path(of: folder)).filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
    }

    /// The bytes of one of its files.
    package func read(_ name: String) throws(SettingError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path(of: name)) else {
            throw SettingError(
                origin: path(of: name), problem: "it cannot be read", remedy: "check that it exists and who may read it"
            )
        }
        return Array(data)
    }

    private static func named(_ path: String, by origin: Origin) throws(SettingError) -> DataFolder {
        guard isDataFolder(path) else {
            throw SettingError(
                origin: origin.rawValue, problem: "\(path) holds no profiles/",
                remedy: "name the folder that holds tripkpi's data")
        }
        return DataFolder(path: path, origin: origin)
    }

    private static func isDataFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path + "/profiles", isDirectory: &isFolder) && isFolder.boolValue
    }
}
