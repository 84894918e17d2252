internal import Crypto
package import Files
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Pages of bytes that only this process can read back: the first ones in memory, all others in a file without a name,
/// sealed (AES-256-GCM) with a key that is nowhere written down.
///
/// A page is written once, whole, and can then be read by any thread. Nothing of it is left when the process ends, however
/// it ends: the file has lost its name before the first byte is in it.
package final class SealedPages: Sendable {
    package static let pageBytes = 4096
    private static let sealedBytes = pageBytes + SealingKey.tagByteCount

    private struct State {
        var reserved = 0
        var inMemory: [Int: [UInt8]] = [:]
        var file: OpenFile?
    }

    private let folder: String
    private let pagesInMemory: Int
    private let key = SealingKey(SymmetricKey(size: .bits256))
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: where the file is made, once it is needed.
    ///   - pagesInMemory: pages of lower numbers never go to the file.
    package init(folder: String, pagesInMemory: Int) {
        self.folder = folder
        self.pagesInMemory = pagesInMemory
    }

    /// The number of a page that is still to be written.
    package func reserve() -> Int {
        state.withLock { state in
            defer { state.reserved += 1 }
            return state.reserved
        }
    }

    /// - Parameters:
    ///   - page: at most `pageBytes`.
    ///   - number: from `reserve`, and not written yet.
    package func write(_ page: [UInt8], number: Int) throws(FileError) {
        guard number >= pagesInMemory else {
            state.withLock { $0.inMemory[number] = page }
            return
        }
        let whole = page + [UInt8](repeating: 0, count: Self.pageBytes - page.count)
        guard let sealed = try? key.seal(whole, number: UInt64(number), binding: []) else {
            throw FileError(folder, "hold sealed pages", code: EIO)
        }
        try openFile().write(sealed, at: (number - pagesInMemory) * Self.sealedBytes)
    }

    /// What was written, with zeros behind it where it was shorter than a page.
    package func read(_ number: Int) throws(FileError) -> [UInt8] {
        if number < pagesInMemory { return state.withLock { $0.inMemory[number] ?? [] } }
        let sealed = try openFile().read(at: (number - pagesInMemory) * Self.sealedBytes, count: Self.sealedBytes)
        guard let page = key.open(sealed, number: UInt64(number), binding: []) else {
            throw FileError(folder, "give back what was written there", code: EIO)
        }
        return page
    }

    private func openFile() throws(FileError) -> OpenFile {
        try state.withLock { state throws(FileError) in
            if let file = state.file { return file }
            let file = try OpenFile.nameless(in: folder)
            state.file = file
            return file
        }
    }
}
