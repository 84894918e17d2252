import Foundation
import Intake
import KPIs
import Profiles
import Reporting
import TestSupport
import Testing
import Trips
import UseCases

/// Layouts that vendors describe in public, with records of our own: charge lines, units, status changes.
@Suite struct PublicLayoutTests {
    private static func scan(_ text: String, profile yaml: String, _ folder: TemporaryFolder) throws -> TrueFigures {
        let path = try folder.write(text, to: "export.csv")
        let profile = try ProfileFile.read(
            Array(yaml.utf8), file: "layout.yaml", isKnownZone: { _ in true }, load: { _ in [] })
        return try ScanRun(
            ScanRequest(inputs: [path], profile: profile, rules: try ShippedRules.sample(), workers: 2)
        ).run()
    }

    private static func all(_ result: TrueFigures) throws -> (
        sums: (trips: Int, cents: Int, miles: Int), response: [Int]
    ) {
        let cell = try #require(
            result.table.cells.first { $0.scope.month == nil && $0.scope.region == nil && $0.scope.tripType == nil })
        let response = cell.intervals[TripInterval.response.rawValue]
        return (
            (cell.sums.trips, cell.sums.completed.costCents, cell.sums.completed.loadedHundredths),
            [response.used, response.sumSeconds]
        )
    }

    /// Service lines of claims, with the columns of Epic's table SVC_LN_INFO (open.epic.com/EHITables).
    @Test func serviceLinesOfClaims() throws {
        try TemporaryFolder.with { folder in
            let result = try Self.scan(
                """
                RECORD_ID,LINE,LN_FROM_DT,LN_PROC_CD,LN_PROC_MOD,LN_QTY,LN_AMT
                90071,1,2026-03-02 00:00:00,A0428,"RH,QM",1,612.40
                90071,2,2026-03-02 00:00:00,A0425,"RH,QM",14.3,128.70
                90072,1,2026-03-09 00:00:00,A0427,"SH,QM",1,1104.00
                90072,2,2026-03-09 00:00:00,A0425,"SH,QM",6.1,54.90
                90072,3,2026-03-09 00:00:00,A0427,"SH,QM",-1,-1104.00
                90072,4,2026-03-09 00:00:00,A0429,"SH,QM",1,780.00

                """,
                profile: """
                    source: claims
                    records: lines
                    columns: {trip_id: RECORD_ID, service_date: LN_FROM_DT, hcpcs_code: LN_PROC_CD,
                              hcpcs_modifiers: LN_PROC_MOD, units: LN_QTY, cost: LN_AMT}
                    """, folder)
            #expect(try Self.all(result).sums == (2, 157_600, 2040))
            #expect(result.counts.merged == 4)
        }
    }

    /// Units of incidents, with the columns of Intterra's unit records (intterra.helpdocs.com).
    @Test func unitsOfIncidents() throws {
        try TemporaryFolder.with { folder in
            let result = try Self.scan(
                """
                incident_number,agency_unit_id,dispatched_on,enroute_on,arrived_on,enroute_facility_on,arrived_facility_on,cleared_on
                F26-0101,M12,2026-03-02T08:00:00,2026-03-02T08:01:00,2026-03-02T08:07:00,2026-03-02T08:30:00,2026-03-02T08:50:00,2026-03-02T09:20:00
                F26-0101,E4,2026-03-02T08:00:00,2026-03-02T08:01:30,2026-03-02T08:05:00,,,2026-03-02T08:32:00
                F26-0102,M12,2026-03-02T11:00:00,2026-03-02T11:01:00,2026-03-02T11:09:00,,,2026-03-02T11:40:00

                """,
                profile: """
                    source: units
                    records: units
                    columns: {incident_id: incident_number, vehicle_id: agency_unit_id, unit_notified_at: dispatched_on,
                              en_route_at: enroute_on, on_scene_at: arrived_on, left_scene_at: enroute_facility_on,
                              arrived_at: arrived_facility_on, completed_at: cleared_on}
                    """, folder)
            let all = try Self.all(result)
            #expect(all.sums.trips == 3)
            #expect(all.response == [3, 420 + 300 + 540])
        }
    }

    /// Status changes by the codes of Crimestar's status monitor: D, EN, A, T, AV (crimestar.com/help/cadhelp).
    @Test func statusChanges() throws {
        try TemporaryFolder.with { folder in
            let result = try Self.scan(
                """
                EVENTNO,UNITID,STATUS,STAMP
                26-000311,M7,EN,03/02/2026 21:58:30
                26-000311,M7,D,03/02/2026 21:57:00
                26-000311,M7,A,03/02/2026 22:04:10
                26-000311,M7,A,03/02/2026 22:09:55
                26-000311,M7,T,03/02/2026 22:31:00
                26-000311,M7,AV,03/03/2026 00:12:00
                26-000311,M9,D,03/02/2026 21:57:00
                26-000311,M9,AV,03/02/2026 22:01:00
                26-000311,M9,OS,03/02/2026 22:01:00

                """,
                profile: """
                    source: cad-events
                    records: events
                    columns: {trip_id: EVENTNO, leg_id: UNITID, event_code: STATUS, event_at: STAMP}
                    dates: {patterns: ["MM/dd/yyyy HH:mm:ss"]}
                    values:
                      event_code:
                        map: {D: unit_notified_at, EN: en_route_at, A: on_scene_at, T: left_scene_at, AV: completed_at}
                    """, folder)
            let all = try Self.all(result)
            #expect(all.sums.trips == 2)
            #expect(all.response == [1, 430])
            #expect(result.counts.merged == 7)
            #expect(result.files[0].findings.notes.contains { $0.hasPrefix("1 record has an event code") })
        }
    }
}
