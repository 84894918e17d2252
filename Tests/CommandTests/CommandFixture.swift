import Foundation
import TestSupport

/// The built program with the data folder of the checkout, and exports without real patients.
struct CommandFixture {
    let tripkpi: CommandRunner
    static let sample = Repository.root.appendingPathComponent("data/samples/sample.csv").path

    init() throws {
        tripkpi = try CommandRunner()
    }

    /// The audit log of tests that name none, so that none is written to the checkout.
    private static let auditLog = FileManager.default.temporaryDirectory
        .appendingPathComponent("tripkpi-test-audit-\(getpid()).jsonl").path

    func run(
        _ arguments: [String], stdin: [UInt8] = [], environment: [String: String] = [:], in folder: URL? = nil
    ) throws -> CommandResult {
        try tripkpi.run(
            arguments, stdin: stdin, environment: Self.environment.merging(environment) { _, given in given },
            in: folder)
    }

    static var environment: [String: String] {
        [
            "TRIPKPI_DATA": Repository.root.appendingPathComponent("data").path, "SOURCE_DATE_EPOCH": "1767225600",
            "XDG_CONFIG_HOME": "/nonexistent", "TRIPKPI_AUDIT_LOG": Self.auditLog, "TRIPKPI_RELEASE_APPROVAL": "never",
        ]
    }

    /// Texts that occur only in identifying columns; none may ever be printed.
    static let canaries = ["CANARYTRIP", "CANARYLEG", "Canary Person", "555-0142", "CANARYNOTE", "CANARYSTATUS"]

    /// Two good records of one trip, one without a date, one with an unknown status; all of them with canaries.
    static let canaryExport = """
        trip_id,leg_id,updated_at,status,service_date,unit_notified_at,hcpcs_modifiers,patient_name,patient_phone,notes
        CANARYTRIP1,CANARYLEG1,2024-01-02 08:00:00,completed,2024-01-02,2024-01-02 07:00:00,QN,Canary Person,555-0142,CANARYNOTE
        CANARYTRIP1,CANARYLEG1,2024-01-03 08:00:00,completed,2024-01-02,2024-01-02 07:00:00,QM,Canary Person,555-0142,CANARYNOTE
        CANARYTRIP2,CANARYLEG1,2024-01-02 08:00:00,completed,CANARYNOTE,CANARYNOTE,QN,Canary Person,555-0142,CANARYNOTE
        CANARYTRIP3,CANARYLEG1,2024-01-02 08:00:00,CANARYSTATUS,2024-01-02,,QN,Canary Person,555-0142,CANARYNOTE

        """
}

extension CommandResult {
    /// The canaries in the output.
    var leaks: [String] {
        CommandFixture.canaries.filter { stdoutText.contains($0) || stderrText.contains($0) }
    }
}

extension CommandFixture {
    /// Completed trips of January 2024, every second one with modifier QN; each has a vehicle and costs 100 dollars.
    static func trips(_ count: Int, beginningAt first: Int = 0) -> String {
        let rows = (first..<first + count).map { number in
            "SYN-\(number),2024-01-\(number % 20 + 10),\(number.isMultiple(of: 2) ? "QN" : ""),MED\(number % 7),100.00"
        }
        return "trip_id,service_date,hcpcs_modifiers,vehicle_id,cost\n" + rows.joined(separator: "\n") + "\n"
    }
}
