import Foundation

/// The app's own types as the app declares them: decoded with `JSONDecoder()` and no options.
struct KPISummary: Decodable {
    var totalTrips: Int
    var avgDuration: TimeInterval
    var chartData: [Double]
}

struct Dashboard: Decodable {
    var totalTrips: Int
    var inHousePercent: Int
    var cost: Double
}

struct CardWords: Decodable {
    var title: String
    var value: String
    var subtitle: String
}

struct CardsAsSummaries: Decodable { var kpiCards: [KPISummary] }

struct CardsAsWords: Decodable { var kpiCards: [CardWords] }
