/// How many trips in a thousand have each trip type and region, and how many have none that is known.
struct SampleShares: Sendable {
    /// The ends of Emergency, Routine and unmapped types; the rest is blank.
    let types: [Int]
    /// The ends of North, South, East, West and blank regions; the rest is unmapped.
    let regions: [Int]

    /// 1.5 % without a known type, 2.5 % without a known region.
    static let messy = SampleShares(types: [385, 985, 993], regions: [340, 590, 800, 975, 995])
    /// 0.2 % without a known type, 0.3 % without a known region.
    static let maintained = SampleShares(types: [385, 998, 999], regions: [345, 602, 817, 997, 999])

    /// - Parameter permille: 0 to 999.
    func tripType(_ permille: Int) -> SampleRecord.TripType {
        permille < types[0]
            ? .emergency : permille < types[1] ? .routine : permille < types[2] ? .unmapped : .blank
    }

    /// 1 to 4: North, South, East, West; 0: blank; 5: unmapped.
    func region(_ permille: Int) -> Int {
        let place = regions.firstIndex { permille < $0 } ?? 5
        return place < 4 ? place + 1 : place == 4 ? 0 : 5
    }
}
