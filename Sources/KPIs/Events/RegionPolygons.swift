/// Regions as polygons on the map: which region a point lies in.
///
/// Coordinates are whole ten-millionths of a degree (about a centimetre), so every test is exact. A point on an edge or a
/// corner, of a hole too, belongs to the polygon; of several polygons with the point the first one counts. Edges are
/// straight in longitude and latitude, and none may cross the 180th meridian.
package struct RegionPolygons: Sendable, Hashable {
    /// Ten-millionths of a degree.
    package struct Point: Sendable, Hashable {
        /// 180 degrees.
        package static let halfTurn = 1_800_000_000

        package var longitude: Int
        package var latitude: Int

        /// Nil unless these are degrees of a place: within ±180 and ±90.
        package init?(longitude: Double, latitude: Double) {
            guard abs(longitude) <= 180, abs(latitude) <= 90 else { return nil }
            self.longitude = Int((longitude * 10_000_000).rounded())
            self.latitude = Int((latitude * 10_000_000).rounded())
        }
    }

    /// An outer ring and its holes. Rings are closed: the last point is the first again.
    package struct Polygon: Sendable, Hashable {
        package let region: String
        private let rings: [[Point]]
        private let longitudes: ClosedRange<Int>
        private let latitudes: ClosedRange<Int>

        /// Nil without a ring of at least four points.
        package init?(region: String, rings: [[Point]]) {
            guard let outer = rings.first, rings.allSatisfy({ $0.count >= 4 && $0.first == $0.last }),
                let west = outer.map(\.longitude).min(), let east = outer.map(\.longitude).max(),
                let south = outer.map(\.latitude).min(), let north = outer.map(\.latitude).max()
            else { return nil }
            self.region = region
            self.rings = rings
            longitudes = west...east
            latitudes = south...north
        }

        /// Whether a ray from the point to the east crosses the rings an odd number of times.
        package func contains(_ point: Point) -> Bool {
            guard longitudes.contains(point.longitude), latitudes.contains(point.latitude) else { return false }
            var isInside = false
            for ring in rings {
                for (start, end) in zip(ring, ring.dropFirst()) {
                    let side = Self.side(of: point, start, end)
                    if side == 0, Self.isBetween(point, start, end) { return true }
                    // Of an edge that the ray meets at its corner the lower end counts, the upper one does not.
                    guard (start.latitude > point.latitude) != (end.latitude > point.latitude) else { continue }
                    if (side > 0) == (end.latitude > start.latitude) { isInside.toggle() }
                }
            }
            return isInside
        }

        /// Above 0 if the point lies to the left of the way from start to end, 0 if on its line.
        private static func side(of point: Point, _ start: Point, _ end: Point) -> Int128 {
            Int128(end.longitude - start.longitude) * Int128(point.latitude - start.latitude)
                - Int128(point.longitude - start.longitude) * Int128(end.latitude - start.latitude)
        }

        /// Of a point on the line of an edge: whether it lies on the edge.
        private static func isBetween(_ point: Point, _ start: Point, _ end: Point) -> Bool {
            min(start.longitude, end.longitude) <= point.longitude
                && point.longitude <= max(start.longitude, end.longitude)
                && min(start.latitude, end.latitude) <= point.latitude
                && point.latitude <= max(start.latitude, end.latitude)
        }
    }

    private let polygons: [Polygon]

    package init(_ polygons: [Polygon]) { self.polygons = polygons }

    /// Nil outside of all polygons.
    package func region(of point: Point) -> String? { polygons.first { $0.contains(point) }?.region }
}
