/// The version of tripkpi: of both programs, which are built and installed together.
package enum ToolVersion {
    package static let text = "0.1.0"
}
