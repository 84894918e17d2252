import Foundation

/// A workbook (.xlsx): which sheets it has, and each of them as CSV. ECMA-376 part 1.
package struct Workbook {
    package struct Sheet: Sendable, Hashable {
        package let name: String
        /// As a spreadsheet shows them, from 1: charts count too.
        package let number: Int
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
        ZipContent(names: directory.members.map(\.name), head: []) == .packed(.xlsx)
    }

    package init(_ file: ExportFile, _ directory: ZipDirectory) throws(ExportError) {
        self.directory = directory
        self.file = file.name
        let main = try Self.mainPart(directory, file.name)
        let folder = Self.folder(of: main)
        let links = try Self.links(directory, of: main, file.name)
        var xml = XMLTokenizer(try Self.stream(directory, main, file.name), part: "workbook.xml", file: file.name)
        var sheets: [Sheet] = [], count = 0, is1904 = false, mustBeCalculated = false
        reading: while true {
            switch try xml.next() {
            case .open, .empty:
                if xml.isNamed("workbookPr"), let value = xml.attribute("date1904") { is1904 = xml.isTrue(value) }
                if xml.isNamed("calcPr"), let value = xml.attribute("fullCalcOnLoad") {
                    mustBeCalculated = xml.isTrue(value)
                }
                guard xml.isNamed("sheet") else { continue }
                guard let name = xml.string("name"), let id = xml.string("id") else {
                    throw xml.fault("a sheet has no name")
                }
                count += 1
                guard let link = links[id] else { throw xml.fault("sheet \(count) is nowhere in the workbook") }
                // A chart is a sheet too, and has no rows.
                if Self.kindsWithoutRows.contains(link.kind) { continue }
                guard link.kind == "worksheet" else { throw xml.fault("sheet \(count) is of an unknown kind") }
                let state = xml.string("state") ?? "visible"
                sheets.append(
                    Sheet(
                        name: name, number: count, isHidden: state != "visible",
                        part: Self.path(link.target, in: folder)))
            case .close, .text: break
            case .end: break reading
            }
        }
        guard !sheets.isEmpty else { throw .workbook(file.name, "it has no sheet") }
        self.sheets = sheets
        func part(_ kind: String) -> ZipDirectory.Member? {
            links.values.first { $0.kind == kind }.flatMap { Self.member(directory, Self.path($0.target, in: folder)) }
        }
        let texts = part("sharedstrings"), styles = part("styles")
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
        formats.mustBeCalculated = mustBeCalculated
        self.formats = formats
    }

    /// Whether its days count from 1904.
    package var is1904: Bool { formats.is1904 }

    /// A sheet as CSV.
    ///
    /// - Parameters:
    ///   - columns: how many a record has; nil: as many as the widest of the first rows.
    ///   - hasDecimalComma: whether numbers are written as `12,5`.
    package func stream(
        of sheet: Sheet, columns: Int? = nil, hasDecimalComma: Bool = false
    ) throws(ExportError) -> SheetStream {
        var formats = formats
        formats.hasDecimalComma = hasDecimalComma
        return SheetStream(
            ReadAheadStream(try Self.stream(directory, sheet.part, file)), part: "sheet \(sheet.number)", file: file,
            strings: strings,
            formats: formats, columns: columns)
    }

    private static let kindsWithoutRows: Set<String> = [
        "chartsheet", "dialogsheet", "xlmacrosheet", "xlintlmacrosheet", "macrosheet",
    ]

    private struct Link {
        let target: String
        /// The last part of the relationship's type: `worksheet`, `styles`. Strict workbooks have another address before it.
        let kind: String
    }

    private static func mainPart(_ directory: ZipDirectory, _ file: String) throws(ExportError) -> String {
        let main = try links(directory, of: "", file).values.first { $0.kind == "officedocument" }
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
                links[id] = Link(target: target, kind: type.split(separator: "/").last?.lowercased() ?? "")
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

    /// Case and the kind of slash do not count where no name is the same: some programs write `Workbook.xml` or `xl\workbook.xml`.
    private static func member(_ directory: ZipDirectory, _ name: String) -> ZipDirectory.Member? {
        directory.member(named: name)
            ?? directory.members.first { ZipContent.comparable($0.name) == ZipContent.comparable(name) }
    }

    /// `xl/` of `xl/workbook.xml`.
    private static func folder(of part: String) -> String {
        part.lastIndex(of: "/").map { String(part[...$0]) } ?? ""
    }

    /// A target may begin at the root, and may go up.
    private static func path(_ target: String, in folder: String) -> String {
        let target = target.replacing("\\", with: "/").removingPercentEncoding ?? target
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
