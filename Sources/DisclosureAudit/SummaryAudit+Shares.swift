import KPIContract

extension SummaryAudit {
    /// Fewer records have no shares.
    private static let fewestRecords = 1000

    /// Shares in whole per cent: of records where both sides are large, of trips from the cells that are shown.
    func checkShares(_ shares: KPISummaryV1.QualityShares?, _ findings: inout FindingList) {
        guard let records = facts.records, records.read >= Self.fewestRecords else {
            Self.require(shares == nil, "qualityShares: shares of few records, or of none that were stated", &findings)
            return
        }
        guard let shares else {
            Self.require(false, "qualityShares are missing", &findings)
            return
        }
        let isLarge = [records.rejected, records.read - records.rejected].allSatisfy { $0 >= release.minimum }
        let all = AuditedRelease.all
        let overall = expected.cell(month: all, region: all, tripType: all)
        let hasWholeCost = overall?.incompleteMeasures?.contains("cost") == false && overall?.complete == true
        let own = KPISummaryV1.QualityShares(
            rejectedRecords: isLarge ? Self.percent(records.rejected, of: records.read) : nil,
            tripsWithCost: hasWholeCost ? Self.percent(overall?.costedTrips, of: overall?.trips) : nil,
            tripsWithoutRegion: unassigned(
                expected.listedRegions.contains(AuditedRelease.unassigned),
                expected.cell(month: all, region: AuditedRelease.unassigned, tripType: all), overall),
            tripsWithoutType: unassigned(
                expected.listedTripTypes.contains(AuditedRelease.unassigned),
                expected.cell(month: all, region: all, tripType: AuditedRelease.unassigned), overall))
        Self.require(shares == own, "qualityShares are not those of the records and cells", &findings)
    }

    /// - Parameter isListed: false: the release has no such cell, as there can be no such trips.
    private func unassigned(_ isListed: Bool, _ cell: KPISummaryV1.Cell?, _ overall: KPISummaryV1.Cell?) -> Int? {
        guard overall?.complete == true else { return nil }
        guard isListed else { return Self.percent(0, of: overall?.trips) }
        return cell?.complete == true ? Self.percent(cell?.trips, of: overall?.trips) : nil
    }

    private static func percent(_ part: Int?, of whole: Int?) -> Int? {
        guard let part, let whole else { return nil }
        return RoundedQuotient.of(part, times: 100, by: whole)
    }
}
