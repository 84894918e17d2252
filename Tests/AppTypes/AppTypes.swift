package import Foundation

/// The app's own types as the app declares them: decoded with `JSONDecoder()` and no options.
package struct KPISummary: Decodable {
    package var totalTrips: Int
    package var avgDuration: TimeInterval
    package var chartData: [Double]
}

package struct Dashboard: Decodable {
    package var totalTrips: Int
    package var inHousePercent: Int
    package var cost: Double
}

package struct CardWords: Decodable {
    package var title: String
    package var value: String
    package var subtitle: String
}

package struct CardsAsSummaries: Decodable { package var kpiCards: [KPISummary] }

package struct CardsAsWords: Decodable { package var kpiCards: [CardWords] }

package struct ListedTrip: Decodable {
    package var id: String
    package var title: String
    package var duration: TimeInterval
    package var phiField: String
    package var date: String
    package var provider: String
    package var distance: Double
}

package struct TripWithCost: Decodable {
    package var id: String
    package var cost: Double?
    package var patientId: String
}
