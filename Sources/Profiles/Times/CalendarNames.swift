/// The names of months and days of the week in English and the languages that a profile adds.
///
/// A name counts in any case, with or without accents, whole or as its beginning (three letters or more of a month, two of a
/// day), if it begins the names of one month only.
package struct CalendarNames: Sendable, Hashable {
    private struct Entry: Hashable {
        let name: FoldedWord
        let month: Int
    }

    /// The languages beside English.
    package let languages: [String]
    private let months: [Entry]
    private let weekdays: [FoldedWord]

    package static let english = CalendarNames()
    /// Codes of the languages that a profile may add (ISO 639-1).
    package static let knownLanguages = monthNames.keys.filter { $0 != "en" }.sorted()

    /// - Parameter languages: codes of `knownLanguages`.
    package init(adding languages: [String] = []) {
        self.languages = languages
        var months: [Entry] = []
        var weekdays: [FoldedWord] = []
        for language in ["en"] + languages {
            let names = Self.monthNames[language]?.split(separator: " ") ?? []
            for (index, spellings) in names.enumerated() {
                for spelling in spellings.split(separator: "/") {
                    let entry = Entry(name: FoldedWord(String(spelling)), month: index + 1)
                    if !months.contains(entry) { months.append(entry) }
                }
            }
            for name in Self.weekdayNames[language]?.split(separator: " ") ?? [] {
                let word = FoldedWord(String(name))
                if !weekdays.contains(word) { weekdays.append(word) }
            }
        }
        self.months = months
        self.weekdays = weekdays
    }

    /// 1 to 12; nil if it is no name of one month.
    func month(_ word: FoldedWord) -> Int? {
        guard word.length >= 3 else { return nil }
        var found: Int?
        for entry in months where word.begins(entry.name) {
            if let found, found != entry.month { return nil }
            found = entry.month
        }
        return found
    }

    func isWeekday(_ word: FoldedWord) -> Bool {
        guard word.length >= 2 else { return false }
        for name in weekdays where word.begins(name) { return true }
        return false
    }

    /// January to December; a month with several spellings has them with `/` between.
    private static let monthNames = [
        "en": "january february march april may june july august september october november december",
        "de":
            "januar/jaenner/jänner februar/feber märz/maerz/mrz april mai juni juli august september oktober november dezember",
        "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "es": "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
        "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "nl": "januari februari maart/mrt april mei juni juli augustus september oktober november december",
        "da": "januar februar marts april maj juni juli august september oktober november december",
        "sv": "januari februari mars april maj juni juli augusti september oktober november december",
        "nb": "januar februar mars april mai juni juli august september oktober november desember",
        "pl":
            "styczeń/stycznia luty/lutego marzec/marca kwiecień/kwietnia maj/maja czerwiec/czerwca lipiec/lipca sierpień/sierpnia "
            + "wrzesień/września październik/października listopad/listopada grudzień/grudnia",
    ]

    private static let weekdayNames = [
        "en": "monday tuesday wednesday thursday friday saturday sunday",
        "de": "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag",
        "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "es": "lunes martes miércoles jueves viernes sábado domingo",
        "pt": "segunda terça quarta quinta sexta sábado domingo",
        "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        "da": "mandag tirsdag onsdag torsdag fredag lørdag søndag",
        "sv": "måndag tisdag onsdag torsdag fredag lördag söndag",
        "nb": "mandag tirsdag onsdag torsdag fredag lørdag søndag",
        "pl": "poniedziałek wtorek środa czwartek piątek sobota niedziela",
    ]
}
