public import Crypto
public import Foundation

/// Answers that may be shown for 24 hours without a connection: one encrypted file each (AES-GCM). Without the key nothing in
/// the folder can be read, and its names say nothing. Older files are removed whenever the cache is used.
public actor ResponseCache {
    /// An answer as it came.
    struct Entry: Codable, Sendable, Hashable {
        var fetchedAt: Date
        var tag: String
        var link: String?
        var body: Data
    }

    /// Older answers are neither shown nor kept.
    public static let seconds: TimeInterval = 24 * 3_600
    /// Of all files; the oldest make room.
    static let mostBytes = 64 << 20

    private let folder: URL
    private let key: SymmetricKey
    private let user: String

    /// - Parameters:
    ///   - folder: a folder of the cache's own; is made when it is needed.
    ///   - key: 32 bytes of the app's keychain.
    ///   - user: whose answers these are, such as the subject of the sign-in: one user's answers are not shown to another.
    public init(folder: URL, key: SymmetricKey, user: String) {
        self.folder = folder
        self.key = key
        self.user = user
    }

    /// - Returns: nil where there is none, it is too old, or it cannot be decrypted.
    func entry(for url: URL, now: Date) -> Entry? {
        sweep(now: now)
        guard let sealed = try? Data(contentsOf: file(for: url)), let box = try? AES.GCM.SealedBox(combined: sealed),
            let plain = try? AES.GCM.open(box, using: key, authenticating: name(of: url)),
            let entry = try? PropertyListDecoder().decode(Entry.self, from: plain)
        else { return nil }
        let age = now.timeIntervalSince(entry.fetchedAt)
        guard age >= 0, age <= Self.seconds else {
            remove(url)
            return nil
        }
        return entry
    }

    /// A cache that cannot be written is no error: the next answer comes from the server.
    func store(_ entry: Entry, for url: URL) {
        guard let plain = try? PropertyListEncoder().encode(entry),
            let box = try? AES.GCM.seal(plain, using: key, authenticating: name(of: url)), let sealed = box.combined
        else { return }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #if os(iOS)
        let options: Data.WritingOptions = [.atomic, .completeFileProtection]
        #else
        let options: Data.WritingOptions = .atomic
        #endif
        let file = file(for: url)
        guard (try? sealed.write(to: file, options: options)) != nil else { return }
        // The time of the answer: the clock that entries are compared with is the app's.
        try? FileManager.default.setAttributes([.modificationDate: entry.fetchedAt], ofItemAtPath: file.path)
        sweep(now: entry.fetchedAt)
    }

    /// As when the server says that it may no longer be read.
    func remove(_ url: URL) {
        try? FileManager.default.removeItem(at: file(for: url))
    }

    /// Forgets everything, as at sign-out.
    public func removeAll() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func sweep(now: Date) {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
        let files =
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))) ?? []
        var bytes = 0
        // Only files with the names that this cache gives.
        let known = files.filter { $0.lastPathComponent.utf8.count == 64 }.map { file in
            (file: file, values: try? file.resourceValues(forKeys: keys))
        }
        for (file, values) in known.sorted(by: {
            ($0.values?.contentModificationDate ?? .distantPast) > ($1.values?.contentModificationDate ?? .distantPast)
        }) {
            let age = values?.contentModificationDate.map { now.timeIntervalSince($0) } ?? .infinity
            bytes += values?.fileSize ?? 0
            if age > Self.seconds || bytes > Self.mostBytes { try? FileManager.default.removeItem(at: file) }
        }
    }

    /// What an answer is known by: the user, and the address with its filters.
    private func name(of url: URL) -> Data { Data((user + "\n" + url.absoluteString).utf8) }

    /// Neither the user nor the filters are part of the name.
    private func file(for url: URL) -> URL {
        let code = HMAC<SHA256>.authenticationCode(for: name(of: url), using: key)
        let name = code.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return folder.appendingPathComponent(name)
    }
}
