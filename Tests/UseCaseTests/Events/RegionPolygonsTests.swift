import KPIs
import Testing

/// Points in polygons; `Tests/Tools/check_events.py` compares many with shapely.
@Suite struct RegionPolygonsTests {
    private static func ring(_ points: [(Double, Double)]) -> [RegionPolygons.Point] {
        points.compactMap { RegionPolygons.Point(longitude: $0.0, latitude: $0.1) }
    }

    private static func region(_ longitude: Double, _ latitude: Double) -> String? {
        let square = ring([(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)])
        let hole = ring([(1, 1), (1, 3), (3, 3), (3, 1), (1, 1)])
        let beside = ring([(4, 0), (8, 0), (8, 4), (4, 4), (4, 0)])
        let polygons = [
            RegionPolygons.Polygon(region: "West", rings: [square, hole]),
            RegionPolygons.Polygon(region: "East", rings: [beside]),
        ].compactMap(\.self)
        return RegionPolygons.Point(longitude: longitude, latitude: latitude)
            .flatMap { RegionPolygons(polygons).region(of: $0) }
    }

    @Test func aPointLiesInItsPolygonAndNotInAHole() {
        #expect(Self.region(0.5, 0.5) == "West")
        #expect(Self.region(2, 2) == nil)
        #expect(Self.region(6, 2) == "East")
        #expect(Self.region(9, 2) == nil)
        #expect(Self.region(-0.0000001, 2) == nil)
    }

    @Test func edgesAndCornersBelongToThePolygonAndTheFirstOneCounts() {
        #expect(Self.region(0, 0) == "West")
        #expect(Self.region(1, 2) == "West")
        #expect(Self.region(3, 3) == "West")
        #expect(Self.region(4, 2) == "West")
        #expect(Self.region(4.0000001, 2) == "East")
        #expect(Self.region(8, 4) == "East")
    }

    @Test func aRayThroughACornerCrossesOnce() {
        let diamond = Self.ring([(0, -1), (1, 0), (0, 1), (-1, 0), (0, -1)])
        let polygon = RegionPolygons.Polygon(region: "North", rings: [diamond])
        let inside = RegionPolygons.Point(longitude: -0.5, latitude: 0)
        let outside = RegionPolygons.Point(longitude: -1.5, latitude: 0)
        #expect(inside.flatMap { polygon?.contains($0) } == true)
        #expect(outside.flatMap { polygon?.contains($0) } == false)
    }

    @Test func whatIsNoPlaceIsNone() {
        #expect(RegionPolygons.Point(longitude: 181, latitude: 0) == nil)
        #expect(RegionPolygons.Point(longitude: 0, latitude: .nan) == nil)
        #expect(RegionPolygons.Polygon(region: "North", rings: [Self.ring([(0, 0), (1, 1), (0, 0)])]) == nil)
        #expect(RegionPolygons.Polygon(region: "North", rings: []) == nil)
    }
}
