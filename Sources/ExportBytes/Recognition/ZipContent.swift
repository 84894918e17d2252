/// What a zip file holds, by the names of its members: exports, or the parts of a workbook or document.
package enum ZipContent: Sendable, Hashable {
    case members
    case packed(UnreadKind)

    /// - Parameters:
    ///   - names: of the members, as many as are known.
    ///   - head: the first bytes of the file: a document of OpenDocument begins with what it is.
    package init(names: [String], head: [UInt8]) {
        let names = names.map(Self.comparable)
        func has(_ name: String) -> Bool { names.contains(name) }
        func hasFolder(_ folder: String) -> Bool { names.contains { $0.hasPrefix(folder) } }
        let declared = Self.declaredType(head)
        if has("xl/workbook.bin") {
            self = .packed(.xlsb)
        } else if hasFolder("xl/")
            || has("[content_types].xml") && names.contains(where: { $0.hasSuffix("/workbook.xml") })
        {
            self = .packed(.xlsx)
        } else if declared?.contains("opendocument.spreadsheet") == true {
            self = .packed(.ods)
        } else if declared != nil || hasFolder("word/") || hasFolder("ppt/") || has("[content_types].xml") {
            self = .packed(.document)
        } else {
            self = .members
        }
    }

    /// A name as it is compared: programs write other cases and slashes.
    static func comparable(_ name: String) -> String { name.replacing("\\", with: "/").lowercased() }

    /// The text of a stored first member `mimetype`.
    private static func declaredType(_ head: [UInt8]) -> String? {
        let name = Array("mimetype".utf8)
        guard head.count > 38, head[30...].starts(with: name), head[8] == 0, head[9] == 0 else { return nil }
        return String(decoding: head[38...].prefix(80), as: UTF8.self)
    }
}

/// The names of members that stand before their data in the first bytes of a zip file.
package enum LocalZipNames {
    package static func all(in head: [UInt8]) -> [String] {
        var names: [String] = []
        for at in head.indices where head[at] == FileKind.zipMember[0] && head[at...].starts(with: FileKind.zipMember) {
            guard at + 30 <= head.count else { break }
            let length = Int(head[at + 26]) | Int(head[at + 27]) << 8
            names.append(String(decoding: head[(at + 30)...].prefix(length), as: UTF8.self))
        }
        return names
    }
}
