import Privacy
import Publishing

/// What an entry of a backup is, by its name. Other names are refused.
enum BackupPlace: Hashable {
    case store
    case auditLog
    case auditHead
    case sealedKey
    /// A file of the current set of an audience.
    case set(Audience, id: String, file: String)
    /// Since when, and which set, runs publish nothing over for an audience.
    case hold(Audience)
    /// For the record: a restore does not put it back.
    case settings(String)

    static let manifestName = "manifest.json"

    var name: String {
        switch self {
        case .store: "store.sqlite"
        case .auditLog: "audit.jsonl"
        case .auditHead: "audit.jsonl.head"
        case .sealedKey: "key.sealed"
        case .set(let audience, let id, let file): "published/\(audience.rawValue)/\(id)/\(file)"
        case .hold(let audience): "published/\(audience.rawValue)/held"
        case .settings(let name): "settings/\(name)"
        }
    }

    init?(_ name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy(Self.isSafe) else { return nil }
        let single: [BackupPlace] = [.store, .auditLog, .auditHead, .sealedKey]
        if let place = single.first(where: { $0.name == name }) {
            self = place
        } else if parts.count > 1, parts[0] == "settings" {
            self = .settings(parts.dropFirst().joined(separator: "/"))
        } else if parts.count > 2, parts[0] == "published", let audience = Audience(rawValue: parts[1]) {
            if parts.count == 4, SafeName.isSafe(parts[2]), SafeName.isSafe(parts[3]) {
                self = .set(audience, id: parts[2], file: parts[3])
            } else if parts.count == 3, parts[2] == "held" {
                self = .hold(audience)
            } else {
                return nil
            }
        } else {
            return nil
        }
    }

    /// A part of a path that leads nowhere else and is not hidden, perhaps with the `%` of `encoded`.
    private static func isSafe(_ part: String) -> Bool { SafeName.isSafe(part.replacing("%", with: "_")) }

    /// A file's name as a part of a path: other bytes than letters, digits and `._-` become `%` and two digits.
    static func encoded(_ name: String) -> String? {
        var text = ""
        for byte in name.utf8 {
            if SafeName.isPlain(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
            }
        }
        return isSafe(text) ? text : nil
    }
}
