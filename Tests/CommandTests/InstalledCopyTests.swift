import Foundation
import TestSupport
import Testing

/// The files that `make install` writes are enough for every command.
@Suite struct InstalledCopyTests {
    @Test func rowsAndDoctorWorkFromAnInstalledCopy() throws {
        try TemporaryFolder.with { folder in
            let built = try CommandRunner().executable.path
            let script = try CommandRunner(
                executable: Repository.root.appendingPathComponent("scripts/install.sh"))
            let root = folder.path(of: "root")
            let installed = try script.run(
                ["install"], environment: ["TRIPKPI": built, "DESTDIR": root, "PREFIX": "/usr"])
            #expect(installed.status == 0, "\(installed.stderrText)")
            // Stripped: no symbols of functions, no debugging information.
            let bytes = try Data(contentsOf: URL(fileURLWithPath: root + "/usr/bin/tripkpi"))
            for section in [".symtab", ".debug_info"] { #expect(bytes.range(of: Data((section + "\0").utf8)) == nil) }
            let program = try CommandRunner(executable: URL(fileURLWithPath: root + "/usr/bin/tripkpi"))
            let environment = [
                "SOURCE_DATE_EPOCH": "1767225600", "XDG_CONFIG_HOME": "/nonexistent",
                "TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl"),
            ]
            let export = try folder.write(CommandFixture.trips(40), to: "export.csv")
            let rows = try program.run(["trips", export], environment: environment, in: folder.url)
            #expect(rows.status == 0, "\(rows.stderrText)")
            let doctor = try program.run(["doctor"], environment: environment, in: folder.url)
            #expect(doctor.status == 0, "\(doctor.stdoutText)")
            #expect(doctor.stdoutText.contains("ok    reference"))

            try FileManager.default.removeItem(atPath: root + "/usr/share/tripkpi/reference/states.csv")
            #expect(try program.run(["trips", export], environment: environment, in: folder.url).status == 78)
            let sick = try program.run(["doctor"], environment: environment, in: folder.url)
            #expect(sick.status == 78 && sick.stdoutText.contains("fail  reference"), "\(sick.stdoutText)")
        }
    }
}
