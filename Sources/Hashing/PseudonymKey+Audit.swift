internal import Crypto

extension PseudonymKey {
    /// What the audit log knows an export by: 64 hexadecimal digits of an HMAC of its SHA-256. Without the key nobody
    /// can try whether an export they have a copy of, or can guess, was loaded. By the first layer, which rotation keeps.
    package func auditDigest(ofSHA256 sha256: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("audit input\n\(sha256)".utf8), using: layers[0])
        return code.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
