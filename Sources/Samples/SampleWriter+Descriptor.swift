#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension SampleWriter {
    /// Writes to an open file descriptor, which stays open.
    package static func write(_ plan: SamplePlan, toDescriptor descriptor: Int32) throws(SampleError) {
        try write(plan) { bytes throws(SampleError) in
            var written = 0
            while written < bytes.count {
                let result = send(bytes, from: written, to: descriptor)
                if result < 0, errno == EINTR { continue }
                guard result > 0 else {
                    throw SampleError(
                        "the sample could not be written (errno \(errno))", hint: "check the disk's space and rights")
                }
                written += result
            }
        }
    }
}

/// Outside the extension, where `write` is the system's.
private func send(_ bytes: [UInt8], from start: Int, to descriptor: Int32) -> Int {
    bytes.withUnsafeBytes { all in write(descriptor, all.baseAddress.map { $0 + start }, all.count - start) }
}
