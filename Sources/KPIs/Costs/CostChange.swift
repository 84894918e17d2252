import Basics

/// Splits the change of a cost into volume (more or fewer trips) and price (another cost per trip).
///
/// - volume = (trips after − trips before) × cost per trip before, rounded to the cent, halves away from zero;
/// - price = the rest, which is (cost per trip after − before) × trips after, to within half a cent.
///
/// So both add up to the change to the cent. Trips are costed trips: one without a cost has no price. Where there was no
/// costed trip before, there was no price either, and the whole change is volume.
package struct CostChange: Sendable, Hashable {
    package let tripsBefore: Int
    package let costCentsBefore: Int
    package let tripsAfter: Int
    package let costCentsAfter: Int
    package let volumeCents: Int

    package var changeCents: Int { costCentsAfter - costCentsBefore }
    package var priceCents: Int { changeCents - volumeCents }

    /// Nil on numbers too large for whole cents.
    package init?(tripsBefore: Int, costCentsBefore: Int, tripsAfter: Int, costCentsAfter: Int) {
        self.tripsBefore = tripsBefore
        self.costCentsBefore = costCentsBefore
        self.tripsAfter = tripsAfter
        self.costCentsAfter = costCentsAfter
        guard tripsBefore != 0 else {
            volumeCents = costCentsAfter - costCentsBefore
            return
        }
        guard let volume = HalfUp.quotient(tripsAfter - tripsBefore, times: costCentsBefore, by: tripsBefore) else {
            return nil
        }
        volumeCents = volume
    }

    package init?(from before: CostSums?, to after: CostSums?) {
        self.init(
            tripsBefore: before?.costedTrips ?? 0, costCentsBefore: before?.costCents ?? 0,
            tripsAfter: after?.costedTrips ?? 0, costCentsAfter: after?.costCents ?? 0)
    }
}
