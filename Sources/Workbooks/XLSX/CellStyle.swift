/// How a cell looks: its role in the sheet and, for numbers, their format.
package struct CellStyle: Hashable {
    package enum Role: Hashable, Sendable {
        case title, notice, stamp, note, heading, header, numberHeader, label, body, wrapped, total
        /// Of the accessible form: no fill, no colour.
        case plainTitle, plainHeader, plainNumberHeader, plain, plainNumber
        /// A number or date among texts: at the left.
        case day
        /// Text that leads to a sheet.
        case link
        /// A signal. The text says so too.
        case better, worse
    }

    /// What replaces a number that is not shown.
    package enum Absence: Hashable {
        case hidden, notApplicable
    }

    package var role: Role
    /// As a sheet stores it (US separators). That of a text is `@` and what stands after the text, which stays as it is.
    package var format: String?
    package var absence: Absence?

    package init(_ role: Role, format: String? = nil, absence: Absence? = nil) {
        self.role = role
        self.format = format
        self.absence = absence
    }
}

/// What a cell holds.
package enum CellContent: Hashable {
    case text(String)
    case number(Double)
    /// The name of a sheet of this workbook, which it leads to.
    case sheetLink(String)
    /// A formula and the published number it reproduces, cached for readers that do not calculate.
    case formula(String, result: Double)
}

/// The properties of a cell's format, by its role.
struct CellFormat {
    enum Side {
        case left, right
    }

    var isBold = false
    /// In points.
    var size: Double?
    /// RGB.
    var color: UInt32?
    var background: UInt32?
    var wraps = false
    var side: Side?
    var isAtTop = false
    var indent: UInt8?
    var isItalic = false
    var isUnderlined = false
    var hasTopBorder = false
    var numberFormat: String?

    init(_ style: CellStyle) {
        switch style.role {
        case .title: self.init(isBold: true, size: 16, color: 0x1F3864)
        case .notice, .note: self.init(color: 0x404040)
        case .stamp: self.init(isBold: true, color: 0x9C0006)
        case .heading: self.init(isBold: true, size: 12, color: 0x1F3864)
        // Over its column's text or numbers, and clear of the filter button at the right.
        case .header:
            self.init(isBold: true, color: 0xFFFFFF, background: 0x1F3864, wraps: true, side: .left, indent: 1)
        case .numberHeader:
            self.init(isBold: true, color: 0xFFFFFF, background: 0x1F3864, wraps: true, side: .right, indent: 2)
        case .label: self.init(isBold: true)
        case .plainTitle: self.init(isBold: true, size: 16)
        // An indent keeps text off the number beside it.
        case .plainHeader: self.init(isBold: true, wraps: true, side: .left, indent: 1)
        case .plainNumberHeader: self.init(isBold: true, wraps: true, side: .right)
        case .plain, .wrapped: self.init(wraps: true, isAtTop: true, indent: 1)
        case .plainNumber: self.init(isAtTop: true)
        case .day: self.init(side: .left, indent: 1)
        case .link: self.init(color: 0x0563C1, isUnderlined: true)
        case .better: self.init(isBold: true, color: 0x0B5A0B, background: 0xE2F0D9, indent: 1)
        case .worse: self.init(isBold: true, color: 0x9C0006, background: 0xFFE5E5, indent: 1)
        case .body: self.init(indent: style.isText ? 1 : nil)
        case .total:
            self.init(isBold: true, background: 0xDDEBF7, indent: style.isText ? 1 : nil, hasTopBorder: true)
        }
        numberFormat = style.format
        guard let absence = style.absence else { return }
        side = .right
        guard style.role != .plainNumber else { return }
        isItalic = true
        color = 0x595959
        // A shade of its own: hidden is not the same as "n/a".
        if absence == .hidden { background = 0xE7E6E6 }
    }

    private init(
        isBold: Bool = false, size: Double? = nil, color: UInt32? = nil, background: UInt32? = nil, wraps: Bool = false,
        side: Side? = nil, isAtTop: Bool = false, indent: UInt8? = nil, isUnderlined: Bool = false,
        hasTopBorder: Bool = false
    ) {
        self.isBold = isBold
        self.size = size
        self.color = color
        self.background = background
        self.wraps = wraps
        self.side = side
        self.isAtTop = isAtTop
        self.indent = indent
        self.isUnderlined = isUnderlined
        self.hasTopBorder = hasTopBorder
    }
}

extension CellStyle {
    fileprivate var isText: Bool { format?.hasPrefix("@") != false && absence == nil }
}
