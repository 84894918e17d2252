import Foundation
import KPIContract
import Publishing

extension PublicationFolder {
    /// What readers see now, and what they saw before, as far as it can be read.
    func recentSummaries() throws -> (current: KPISummaryV1?, before: KPISummaryV1?) {
        (try currentID().flatMap(summary), try previousID().flatMap(summary))
    }

    /// What a set says; nil if it cannot be read: then there is nothing that a month could be restated against.
    func summary(of id: String) -> KPISummaryV1? {
        guard let bytes = try? contents(of: PublishedSetCheck.summaryName, in: id) else { return nil }
        return try? JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes))
    }
}
