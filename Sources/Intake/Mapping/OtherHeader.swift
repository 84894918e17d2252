import ExportBytes
import Profiles

/// A row that is a header with other columns than the file's.
enum OtherHeader {
    /// - Parameters:
    ///   - slotNames: the columns that are read.
    ///   - headerKeys: of all columns of the file, as `HeaderName.key`.
    static func isOne(
        _ window: RecordWindow, _ table: SpanTable, row: Int, slotNames: [String], headerKeys: Set<String>
    ) -> Bool {
        let names = slotNames.enumerated().compactMap { slot, name -> (value: String, name: String)? in
            let value = FieldSpan(packed: table.column(slot)[row]).text(in: window.bytes)
            return value.isEmpty ? nil : (value, name)
        }
        guard names.count > 1, names.contains(where: { HeaderName($0.value).key != HeaderName($0.name).key }) else {
            return false
        }
        return names.allSatisfy {
            headerKeys.contains(HeaderName($0.value).key) || SynonymTable.standard.meaning(of: $0.value) != nil
        }
    }
}
