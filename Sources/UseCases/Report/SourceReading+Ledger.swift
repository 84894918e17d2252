import Reporting
import Store

extension SourceReading {
    /// As the ledger has it of an export.
    init(_ export: ExportRecord) {
        self.init(
            source: export.source, dateBasis: export.dateBasis, intervalPairs: export.intervalPairs,
            maximumIntervalSeconds: export.maximumIntervalSeconds)
    }
}
