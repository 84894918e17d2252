import Basics
import Foundation
package import KPIContract
package import Publishing

extension PublicationFolder {
    /// What readers see now; nil if nothing is published, or its summary is missing or damaged.
    package func currentSummary() throws(PublishingError) -> KPISummaryV1? {
        guard let id = try currentID() else { return nil }
        return try summary(of: id)
    }

    /// What a set says; nil if its summary is missing or damaged: then there is nothing that a month could be restated
    /// against.
    package func summary(of id: String) throws(PublishingError) -> KPISummaryV1? {
        try contentsIfAny(of: PublishedFileNames.summary, in: id)
            .flatMap { try? JSONDecoder().decode(KPISummaryV1.self, from: Data($0)) }
    }
}
