#if canImport(Glibc)
package import Glibc
#else
package import Darwin
#endif

/// Who may read what is published. The process's umask (077) does not count here: each mode is set as it stands.
///
/// A published set is disclosure-controlled and meant for release, but to whom is not for this program to decide. So
/// the standard is the owner and the folder's group, which the API's server belongs to; `0o644` and `0o755` would let
/// everyone on the machine in.
package struct AccessModes: Sendable, Hashable {
    package var file: mode_t
    package var folder: mode_t

    package init(file: mode_t = 0o640, folder: mode_t = 0o750) {
        self.file = file
        self.folder = folder
    }
}
