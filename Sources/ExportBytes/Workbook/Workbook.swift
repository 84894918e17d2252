/// A workbook (.xlsx): which sheets it has, and each of them as CSV. ECMA-376 part 1.
package struct Workbook {
    package struct Sheet: Sendable, Hashable {
        package let name: String
        package let isHidden: Bool
        fileprivate let part: String
    }

    package let sheets: [Sheet]
    private let directory: ZipDirectory
    private let file: String
    private let strings: SharedStrings
    private let formats: NumberFormats

    /// Whether a zip file is one.
    package static func isWorkbook(_ directory: ZipDirectory) -> Bool {
        directory.members.contains { $0.name.lowercased() == "xl/workbook.xml" }
    }

    package init(_ file: ExportFile, _ directory: ZipDirectory) throws(ExportError) {
        self.directory = directory
        self.file = file.name
        let main = try Self.mainPart(directory, file.name)
        let folder = Self.folder(of: main)
        let links = try Self.links(directory, of: main, file.name)
        var xml = XMLTokenizer(try Self.stream(directory, main, file.name), part: "workbook.xml", file: file.name)
        var sheets: [Sheet] = [], is1904 = false
        reading: while true {
            switch try xml.next() {
            case .open, .empty:
                if xml.isNamed("workbookPr"), let value = xml.attribute("date1904") { is1904 = xml.isTrue(value) }
                guard xml.isNamed("sheet") else { continue }
                guard let name = xml.string("name"), let id = xml.string("id") else {
                    throw xml.fault("a sheet has no name")
                }
                // A chart is a sheet too, and has no rows.
                guard let link = links[id], link.kind == "worksheet" else { continue }
                let state = xml.string("state") ?? "visible"
                sheets.append(
                    Sheet(name: name, isHidden: state != "visible", part: Self.path(link.target, in: folder)))
            case .close, .text: break
            case .end: break reading
            }
        }
        guard !sheets.isEmpty else { throw .workbook(file.name, "it has no sheet") }
        self.sheets = sheets
        func part(_ kind: String) -> ZipDirectory.Member? {
            links.values.first { $0.kind == kind }.flatMap { Self.member(directory, Self.path($0.target, in: folder)) }
        }
        let texts = part("sharedStrings"), styles = part("styles")
        // Without its styles every date would be read as a number.
        guard styles != nil || !links.values.contains(where: { $0.kind == "styles" }) else {
            throw .workbook(file.name, "a part of it is missing")
        }
        strings =
            try texts.map { member throws(ExportError) in
                try SharedStrings(directory.open(member), file: file.name)
            } ?? SharedStrings()
        var formats =
            try styles.map { member throws(ExportError) in
                try NumberFormats(directory.open(member), file: file.name)
            } ?? NumberFormats()
        formats.is1904 = is1904
        self.formats = formats
    }

    /// A sheet as CSV.
    package func stream(of sheet: Sheet) throws(ExportError) -> SheetStream {
        SheetStream(
            try Self.stream(directory, sheet.part, file), part: "sheet \((sheets.firstIndex(of: sheet) ?? 0) + 1)",
            file: file, strings: strings,
            formats: formats)
    }

    private struct Link {
        let target: String
        /// The last part of the relationship's type: `worksheet`, `styles`. Strict workbooks have another address before it.
        let kind: String
    }

    private static func mainPart(_ directory: ZipDirectory, _ file: String) throws(ExportError) -> String {
        let main = try links(directory, of: "", file).values.first { $0.kind == "officeDocument" }
        return main.map { path($0.target, in: "") } ?? "xl/workbook.xml"
    }

    /// The relationships of a part, by their ids; none where it has none.
    private static func links(
        _ directory: ZipDirectory, of part: String, _ file: String
    ) throws(ExportError) -> [String: Link] {
        let folder = folder(of: part), name = part.dropFirst(folder.count)
        guard let member = member(directory, "\(folder)_rels/\(name).rels") else { return [:] }
        var xml = XMLTokenizer(try directory.open(member), part: "\(name).rels", file: file)
        var links: [String: Link] = [:]
        while true {
            switch try xml.next() {
            case .open, .empty:
                guard xml.isNamed("Relationship"), let id = xml.string("Id"), let target = xml.string("Target"),
                    let type = xml.string("Type")
                else { continue }
                links[id] = Link(target: target, kind: type.split(separator: "/").last.map(String.init) ?? "")
            case .close, .text: break
            case .end: return links
            }
        }
    }

    private static func stream(
        _ directory: ZipDirectory, _ part: String, _ file: String
    ) throws(ExportError) -> any ByteStream {
        guard let member = member(directory, part) else { throw .workbook(file, "a part of it is missing") }
        return try directory.open(member)
    }

    /// Case does not count where no name is the same: some programs write `Workbook.xml`.
    private static func member(_ directory: ZipDirectory, _ name: String) -> ZipDirectory.Member? {
        directory.member(named: name) ?? directory.members.first { $0.name.lowercased() == name.lowercased() }
    }

    /// `xl/` of `xl/workbook.xml`.
    private static func folder(of part: String) -> String {
        part.lastIndex(of: "/").map { String(part[...$0]) } ?? ""
    }

    /// A target may begin at the root, and may go up.
    private static func path(_ target: String, in folder: String) -> String {
        guard !target.hasPrefix("/") else { return String(target.dropFirst()) }
        var parts: [Substring] = []
        for part in (folder + target).split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}

extension XMLTokenizer {
    /// `1` or `true`.
    func isTrue(_ value: Range<Int>) -> Bool {
        value.count == 1 ? bytes[value.lowerBound] == UInt8(ascii: "1") : value.count == 4
    }
}

extension ExportError {
    static func workbook(_ file: String, _ problem: String) -> ExportError {
        ExportError(
            kind: .damaged, file: file, problem: problem,
            remedy: "open it in a spreadsheet program and save it again, or save the sheet as CSV")
    }
}
