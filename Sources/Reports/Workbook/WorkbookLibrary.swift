internal import CXLSXWriter

/// The library that writes workbooks.
package enum WorkbookLibrary {
    package static var version: String { String(cString: lxw_version()) }
}
