import KPIs
import Reports
package import Trips

/// The words of finance's figures, by number and code.
package struct CostWords: Sendable {
    package var texts: [Int32: String]
    package var regions: NamedList
    package var tripTypes: NamedList

    package init(texts: [Int32: String], regions: NamedList, tripTypes: NamedList) {
        self.texts = texts
        self.regions = regions
        self.tripTypes = tripTypes
    }

    func text(_ number: Int32) -> String {
        let text = texts[number] ?? ""
        return text.isEmpty ? "(none)" : text
    }

    /// Provider's id, provider, contract, region, trip type, sourcing.
    func line(_ key: CostKey, withRegion: Bool = true, withType: Bool = true) -> [String] {
        [text(key.providerID), text(key.providerName), text(key.contract)]
            + (withRegion ? [regions.name(of: key.region)] : [])
            + (withType ? [tripTypes.name(of: key.tripType)] : []) + [Self.word(key.sourcing)]
    }

    static func word(_ sourcing: Sourcing) -> String {
        switch sourcing {
        case .inHouse: "In-house"
        case .contracted: "Contracted"
        case .unclassified: "Unclassified"
        }
    }
}
