import Scans
import Foundation
package import KPIContract
package import Publishing

extension PublicationFolder {
    /// What readers see now; nil if it cannot be read.
    package func currentSummary() throws -> KPISummaryV1? { try currentID().flatMap(summary) }

    /// What a set says; nil if it cannot be read: then there is nothing that a month could be restated against.
    package func summary(of id: String) -> KPISummaryV1? {
        guard let bytes = try? contents(of: PublishedFileNames.summary, in: id) else { return nil }
        return try? JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes))
    }
}
