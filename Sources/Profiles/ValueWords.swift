internal import Trips

/// Which values of a column `map suggest` may show: those made of words that regions, statuses and trip types have in common
/// everywhere. Any other value may be a name or an address, however often it occurs.
enum ValueWords {
    /// Whether a value of the field may be shown.
    ///
    /// Each of its words must be on the list of the field, or be a code: a letter, one or two digits, or both (`B01`). A
    /// region does not begin with a code that other words follow, since house numbers do.
    static func mayShow(_ text: String, of field: CanonicalField) -> Bool {
        guard (1...60).contains(text.utf8.count), text.utf8.allSatisfy(isPlain), !TextShape.isDateOrTime(text) else {
            return false
        }
        if field != .region, isNEMSISCode(text) { return true }
        let words = HeaderName(text.lowercased()).words
        guard let first = words.first, words.count == 1 || field != .region || !isCode(first) else { return false }
        let known = field == .region ? regionWords : statusAndTypeWords
        return words.allSatisfy { known.contains($0) || isCode($0) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        TextShape.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || plainMarks.contains(byte)
    }

    private static let plainMarks = Set(" -_/&().,:+#".utf8)

    private static func isCode(_ word: String) -> Bool {
        let digits = word.utf8.drop { (0x61...0x7A).contains($0) }
        let letterCount = word.utf8.count - digits.count
        return letterCount <= 1 && digits.count <= 2 && digits.allSatisfy(TextShape.isDigit)
    }

    /// A value of `eResponse.05` or `eDisposition`: seven digits.
    private static func isNEMSISCode(_ text: String) -> Bool {
        text.utf8.count == 7 && text.utf8.allSatisfy(TextShape.isDigit)
            && ["2205", "4212", "4227", "4228", "4229", "4230"].contains(text.prefix(4))
    }

    private static let regionWords = Set(
        words: """
            north south east west northeast northwest southeast southwest ne nw se sw northern southern eastern western
            central center centre middle mid upper lower inner outer uptown downtown midtown crosstown metro metropolitan
            urban suburban rural remote coast coastal island inland mainland lakeside riverside bayside seaside harbor
            waterfront valley mountain district zone region sector area division battalion beat territory precinct ward
            quadrant county borough city town township municipality community neighborhood catchment service response
            local regional out of state unassigned unknown other none and the no number
            """)

    private static let statusAndTypeWords = Set(
        words: """
            emergency emergent area nonemergency nonemergent urgent nonurgent routine scheduled unscheduled planned unplanned
            immediate delayed transfer transfers inter intra interfacility facility hospital home nursing discharge admission
            admit dialysis appointment clinic return round one two way trip trips leg wheelchair stretcher ambulatory
            bariatric basic advanced life support als bls cct sct micu paramedic specialty critical care level tier
            service request transport transports transported transportation response responses primary intercept mutual
            aid standby high medium low highest lowest priority code hot cold lights sirens normal minor major
            moderate severe potentially threatening threat alarm alarms fire medical incident traffic collision rescue
            hazmat ground air neonatal pediatric adult palliative hospice psych psychiatric behavioral

            completed complete cancelled canceled cancel cancellation no show noshow void voided closed open opened
            finished performed done pending confirmed unconfirmed assigned unassigned dispatched enroute route en
            arrived cleared clear denied declined refused refusal rejected approved billed unbilled paid unpaid
            treated released evaluated evaluation contact found merit hold held active inactive new late early
            patient passenger member rider client driver unit crew vehicle scene destination prior disp dispatch stand down
            standdown lift assist

            yes unknown other none not applicable available recorded reporting any all multiple without with non by at
            on in to from of for and or the before after call calls emerg number
            """)
}
