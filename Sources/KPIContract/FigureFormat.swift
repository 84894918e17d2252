/// How a figure is held, as a whole count of its smallest unit, and written.
package enum FigureFormat: String, Sendable, CaseIterable {
    case count, percent, share, tenthsOfPercent, dollars, miles, seconds, tenthsOfSeconds
}

extension FigureFormat {
    /// How many smallest units make one of what is written.
    package var unitsPerOne: Int {
        switch self {
        case .count, .percent, .seconds: 1
        case .miles, .tenthsOfSeconds: Tenths.unitsPerOne
        case .dollars: Cents.unitsPerOne
        case .share: Share.unitsPerOne
        case .tenthsOfPercent: 1000
        }
    }

    /// As the contract and CSV write it.
    package func canonical(_ figure: Int) -> String {
        switch self {
        case .count, .percent, .tenthsOfPercent, .seconds: String(figure)
        case .miles, .tenthsOfSeconds: Tenths(tenths: figure).description
        case .dollars: Cents(cents: figure).description
        case .share: Share(tenThousandths: figure).description
        }
    }

    /// As people read it: `2,612`, `61%`, `61.4%`, `$1,234.50`, `1,234.5`, `1:02:10`. A share has its four decimals: it was
    /// rounded to these.
    package func shown(_ figure: Int) -> String {
        switch self {
        case .count: NumberText.grouped(figure)
        case .percent: "\(figure)%"
        case .share: (figure % 10 == 0 ? NumberText.decimals(figure / 10, 1) : NumberText.decimals(figure, 2)) + "%"
        case .tenthsOfPercent: NumberText.decimals(figure, 1) + "%"
        case .dollars: NumberText.dollars(cents: figure)
        case .miles: NumberText.decimals(figure, 1)
        case .seconds: NumberText.clock(seconds: figure)
        case .tenthsOfSeconds: NumberText.clock(seconds: NumberText.seconds(tenths: figure))
        }
    }

    /// Reads a JSON number as a count of smallest units; nil where it is null.
    func decode<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws -> Int? {
        switch self {
        case .count, .percent, .tenthsOfPercent, .seconds: try container.decodeIfPresent(Int.self, forKey: key)
        case .miles, .tenthsOfSeconds: try container.decodeIfPresent(Tenths.self, forKey: key)?.units
        case .dollars: try container.decodeIfPresent(Cents.self, forKey: key)?.units
        case .share: try container.decodeIfPresent(Share.self, forKey: key)?.units
        }
    }
}
