import ExportBytes
import Profiles
import Trips

/// A key of JSON records that no field is read from, in the first record that has it.
struct UnreadKey: Sendable {
    /// From 1.
    var recordNumber: Int
    var byteOffset: Int
    /// The names that are read and have no value there.
    var absent: Set<String>
}

extension ReadFindings {
    mutating func note(_ keys: [SpanFinder.NewKey], _ window: RecordWindow) {
        for key in keys {
            let offset = window.baseOffset + window.recordStart(key.record)
            note(
                BlockRecord(
                    block: window.ordinal, recordInBlock: Int(window.recordNumbers[key.record]), byteOffset: offset,
                    remark: UnreadKey(recordNumber: 0, byteOffset: offset, absent: key.absent)), named: key.name)
        }
    }

    /// Of several records the first by place counts.
    mutating func note(_ key: BlockRecord<UnreadKey>, named name: String) {
        if let known = unreadKeys[name], known.byteOffset <= key.byteOffset { return }
        unreadKeys[name] = key
    }

    /// By place.
    var keysByPlace: [(name: String, key: UnreadKey)] {
        let sorted = unreadKeys.sorted { ($0.value.byteOffset, $0.key) < ($1.value.byteOffset, $1.key) }
        return Array(zip(sorted.map(\.key), numbered(sorted.map(\.value), \.recordNumber)))
    }
}

/// Keys that the first records of a JSON export do not have and later ones do: JSON has no header, and what such a key holds
/// would be missing from the figures in silence.
struct LaterKeys {
    let profile: Profile
    /// Whether the export is read without a profile.
    let isPlain: Bool
    /// Keys of the first records.
    let head: Set<String>
    /// Names that are read, whether the first records have them or not.
    let readNames: [String]
    /// Fields that at least half of the first records have a key for.
    let usualFields: Set<CanonicalField>
    /// Fields that any of the first records has a key for.
    let fieldsOfHead: Set<CanonicalField>
    /// Fields that figures or rules look at.
    let neededFields: Set<CanonicalField>

    /// What a key means for the export.
    private enum Judgement {
        /// The figures would lack what it holds.
        case lost(CanonicalField?, instead: String?)
        case remark(CanonicalField)
    }

    private static let figureFields: Set<CanonicalField> = [
        .tripID, .legID, .updatedAt, .sequence, .status, .tripType, .region, .serviceDate, .requestedAt,
        .unitNotifiedAt,
        .enRouteAt, .onSceneAt, .leftSceneAt, .arrivedAt, .completedAt, .loadedMiles, .unloadedMiles, .cost, .patientID,
    ]

    init(_ reader: ExportReader) {
        profile = reader.profile
        isPlain = reader.request.profile == nil
        head = reader.keysOfHead
        readNames = reader.plan.slotNames
        usualFields = Set(reader.inventory.remembered.map(\.field))
        fieldsOfHead = Set(CanonicalField.allCases.filter(reader.inventory.has))
        neededFields = Self.figureFields.union(reader.request.textNeeds.map(\.field))
    }

    /// - Throws: if a key of later records holds what a field would be read from.
    func check(_ findings: ReadFindings, file: String) throws(ExportError) {
        for (name, key) in findings.keysByPlace {
            guard case .lost(let field, let other) = judge(name, key) else { continue }
            let what = field.map { " for \($0.rawValue)" } ?? ""
            let instead = other.map { ", and not “\($0)”, which is read" } ?? ""
            throw ExportError(
                kind: .missingColumns, file: file, offset: key.byteOffset,
                problem: "record \(key.recordNumber) is the first with \(shown(name))\(what)\(instead): what it holds "
                    + "would be missing from the figures",
                remedy: Self.remedy(field, isPlain: isPlain))
        }
    }

    /// Keys that may mean a field and are not read, a sentence each.
    func remarks(_ findings: ReadFindings) -> [String] {
        findings.keysByPlace.compactMap { name, key in
            guard case .remark(let field) = judge(name, key) else { return nil }
            return
                "record \(key.recordNumber) is the first with \(shown(name)), which may be \(field.rawValue); it is not read"
        }
    }

    /// A key may be a value: only a name that is known, or one of the profile in another spelling, is shown.
    private func shown(_ name: String) -> String {
        let own = HeaderName(name).key
        let isOfProfile = profile.columns.values.contains { $0.contains { HeaderName($0).key == own } }
        return isOfProfile || LooseName.isKnown(name) ? "a key “\(name)”" : "another key"
    }

    private static func remedy(_ field: CanonicalField?, isPlain: Bool) -> String {
        let same =
            "have it exported with the same keys in every record, or divide it there and load each part by itself"
        guard let field else { return same }
        return isPlain
            ? "\(same); a profile (--profile) says which key is \(field.rawValue)"
            : "\(same); if nothing is lost, write “accept_unreadable: [\(field.rawValue)]” into the profile"
    }

    /// Nil: nothing is to be said of it.
    private func judge(_ name: String, _ key: UnreadKey) -> Judgement? {
        let own = HeaderName(name).key
        if let other = readNames.first(where: { $0 != name && HeaderName($0).key == own }) {
            // Where both are in one record of the first ones, the choice was made by name.
            guard !head.contains(name) || key.absent.contains(other) else { return nil }
            return lost(field(readAs: other), instead: other)
        }
        guard !head.contains(name) else { return nil }
        if let field = field(readAs: name) {
            guard neededFields.contains(field) else { return nil }
            return lost(field, instead: readNames.first { self.field(readAs: $0) == field })
        }
        guard let meaning = SynonymTable.standard.meaning(of: name) else {
            // A looser name has a meaning where a record lacks what all others have.
            for loose in LooseName.fields(of: name) where neededFields.contains(loose) {
                if let other = lacking(loose, key) { return lost(loose, instead: other) }
            }
            let words = Set(HeaderName(name).words)
            let part = readNames.first { read in
                key.absent.contains(read) && usualFields.contains { self.field(readAs: read) == $0 }
                    && words.isSuperset(of: HeaderName(read).words)
            }
            return part.map { lost(self.field(readAs: $0), instead: $0) }
        }
        let field = meaning.field
        guard neededFields.contains(field) else { return nil }
        if let other = lacking(field, key) { return lost(field, instead: other) }
        // A profile says what is read; without one the names do.
        return isPlain && !fieldsOfHead.contains(field) ? .lost(field, instead: nil) : .remark(field)
    }

    /// The name under which a field is usually read, if the record lacks it.
    private func lacking(_ field: CanonicalField, _ key: UnreadKey) -> String? {
        guard usualFields.contains(field) else { return nil }
        return readNames.first { key.absent.contains($0) && self.field(readAs: $0) == field }
    }

    private func lost(_ field: CanonicalField?, instead: String?) -> Judgement {
        if let field, profile.acceptedUnreadable.contains(field) { return .remark(field) }
        return .lost(field, instead: instead)
    }

    private func field(readAs name: String) -> CanonicalField? {
        CanonicalField.allCases.first { profile.columns[$0]?.contains(name) == true }
    }
}
