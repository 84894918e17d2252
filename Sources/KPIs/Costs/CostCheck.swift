/// The exceptions for finance to review. None of them proves a fault.
package enum CostCheck: Int, CaseIterable, Sendable, Hashable {
    case zeroMiles, costOutlier, noContractNumber, invoiceTwice, sharedRun, estimateBilled
    /// Whether it needs values that a store does not keep: invoice numbers, vehicles and times, estimates.
    package var needsExports: Bool {
        switch self {
        case .zeroMiles, .costOutlier, .noContractNumber: false
        case .invoiceTwice, .sharedRun, .estimateBilled: true
        }
    }

    package var title: String {
        switch self {
        case .zeroMiles: "Zero-mile trip"
        case .costOutlier: "Cost outlier"
        case .noContractNumber: "No contract number"
        case .invoiceTwice: "Invoice number twice"
        case .sharedRun: "Multi-stop run billed apart"
        case .estimateBilled: "Estimated miles billed"
        }
    }

    package var rule: String {
        switch self {
        case .zeroMiles: "A completed trip whose loaded miles are 0. Trips without a mileage are not among them."
        case .costOutlier:
            "A cost more than \(CostSpread.reach) spreads above the third quartile, or below the first, of the costs of "
                + "the same provider and trip type in the period. Quartiles are nearest rank; the spread is the "
                + "distance between them, or a tenth of the median if that is more. The lower bound is not below $0.00, unless the "
                + "first quartile is. Groups under "
                + "\(CostSpread.leastTrips) costed trips are not judged."
        case .noContractNumber: "A contracted trip without a contract number."
        case .invoiceTwice:
            "One invoice number of one provider on trips with different trip ids. Legs of one trip may share it."
        case .sharedRun:
            "Trips of one provider, each with a cost above 0, that were on board (left scene to arrived) of one vehicle "
                + "at the same time."
        case .estimateBilled:
            "A provider's month in which at least \(BillChecks.leastEstimates) trips have both figures, and the loaded "
                + "miles of \(BillChecks.leastEstimatesBilledInTwentieths * 5) % of them or more are the estimate to a tenth of "
                + "a mile; its trips that are so are counted."
        }
    }
}
