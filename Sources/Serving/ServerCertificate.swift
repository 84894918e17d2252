import Foundation
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The certificate of the server and its private key: two PEM files, read again when one of them changes. A connection keeps
/// the certificate that it began with.
final class ServerCertificate: Service {
    /// A chain and the key of its first certificate.
    private struct KeyPair: Sendable {
        let bytes: [Data]
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey

        /// When the first certificate of the chain ends.
        var endsAtEpochSeconds: Int { chain.first.map { Int($0.notValidAfter) } ?? 0 }

        var configuration: TLSConfiguration {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return configuration
        }

        /// What a handshake takes instead of the files that the server started with.
        var override: NIOSSLContextConfigurationOverride {
            var override = NIOSSLContextConfigurationOverride.noChanges
            override.certificateChain = chain.map { .certificate($0) }
            override.privateKey = .privateKey(key)
            return override
        }

        /// - Throws: where the bytes are no PEM, or the key is not the certificate's.
        init(certificate: Data, key keyBytes: Data) throws {
            bytes = [certificate, keyBytes]
            chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate))
            key = try NIOSSLPrivateKey(bytes: Array(keyBytes), format: .pem)
            _ = try NIOSSLContext(configuration: configuration)
        }
    }

    private let files: APIServer.TLSFiles
    private let interval: Duration
    private let metrics: ServerMetrics
    private let log: Logger
    private let current: Mutex<KeyPair>
    /// Files that cannot be used are reported once.
    private let refused = Mutex<[Data]>([])

    /// - Throws: `APIServerError.certificate`.
    init(
        _ files: APIServer.TLSFiles, interval: Duration = .seconds(1), metrics: ServerMetrics, log: Logger
    ) throws(APIServerError) {
        self.files = files
        self.interval = interval
        self.metrics = metrics
        self.log = log
        current = Mutex(try Self.keyPair(files))
        metrics.setCertificateEnd(endsAtEpochSeconds)
    }

    private static func keyPair(_ files: APIServer.TLSFiles) throws(APIServerError) -> KeyPair {
        let contents = try [files.certificate, files.key].map { path throws(APIServerError) in
            guard let bytes = FileManager.default.contents(atPath: path) else { throw .unreadable(path: path) }
            return bytes
        }
        do {
            return try KeyPair(certificate: contents[0], key: contents[1])
        } catch {
            throw .certificate(path: files.certificate, key: files.key)
        }
    }

    /// TLS 1.2 or newer. Each handshake takes the files as they are then.
    var configuration: TLSConfiguration {
        var configuration = current.withLock { $0.configuration }
        configuration.sslContextCallback = { _, promise in promise.succeed(self.current.withLock { $0.override }) }
        return configuration
    }

    /// When the first certificate of the chain ends.
    private var endsAtEpochSeconds: Int { current.withLock { $0.endsAtEpochSeconds } }

    /// When the certificate ends, in seconds since 1970.
    ///
    /// - Throws: `APIServerError`: the files cannot be used.
    static func end(of files: APIServer.TLSFiles) throws(APIServerError) -> Int {
        try keyPair(files).endsAtEpochSeconds
    }

    /// Reads the files. A renewal may replace the two files one after the other. Until they match, the server keeps its
    /// current pair.
    func refresh() {
        let bytes = [files.certificate, files.key].map { FileManager.default.contents(atPath: $0) ?? Data() }
        guard bytes != current.withLock({ $0.bytes }) else { return refused.withLock { $0 = [] } }
        do {
            let pair = try KeyPair(certificate: bytes[0], key: bytes[1])
            current.withLock { $0 = pair }
            refused.withLock { $0 = [] }
            metrics.setCertificateEnd(endsAtEpochSeconds)
            log.info("reads a new certificate", metadata: ["event": "certificate"])
        } catch {
            let isNew = refused.withLock { known in
                defer { known = bytes }
                return known != bytes
            }
            guard isNew else { return }
            log.error(
                "the certificate and its key cannot be read or do not fit; the server keeps the pair that it has",
                metadata: ["event": "certificate.refused"])
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                self.refresh()
                try? await Task.sleep(for: self.interval)
            }
        }
    }
}
