internal import Trips

/// Finds columns that look like PHI and that a profile does not map: they are reported by position, and their content
/// is never shown.
package struct PHIColumnCheck: Sendable {
    /// What a column seems to hold.
    package enum Sign: String, CaseIterable, Sendable, Hashable {
        case socialSecurityNumber = "social security number"
        case dateOfBirth = "date of birth"
        case personName = "name of a person"
        case phone = "phone number"
        case email = "e-mail address"
        case address = "address or place"
        case recordNumber = "number of a person's record, account or licence"
        case freeText = "free text"
        case age = "age"
    }

    package struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// From 1.
        package var position: Int
        package var sign: Sign
        /// Found by the values; else by the name of the column.
        package var isByValues: Bool

        package init(position: Int, sign: Sign, isByValues: Bool) {
            self.position = position
            self.sign = sign
            self.isByValues = isByValues
        }

        /// `column 4 looks like a phone number (by its values)`.
        package var description: String {
            "column \(position) looks like PHI: \(sign.rawValue) (by its \(isByValues ? "values" : "name"));"
                + " it is not mapped and not read"
        }
    }

    /// The columns in question, by position. `mapped` are the indexes (from 0) of columns the profile uses.
    ///
    /// `rows` is a sample; a few hundred rows are enough. In a file without header no name is used. `check`: where it is known
    /// whether there is one.
    package static func findings(
        header: [String], mapped: Set<Int>, rows: [[String]], check: HeaderCheck? = nil
    ) -> [Finding] {
        let check = check ?? HeaderCheck(header: header, rows: rows)
        let sample = check.isHeader ? rows : [header] + rows
        return header.indices.filter { !mapped.contains($0) }.compactMap { index in
            let values = sample.compactMap { $0.indices.contains(index) ? $0[index] : nil }
            if let sign = sign(ofValues: values) {
                return Finding(position: index + 1, sign: sign, isByValues: true)
            }
            guard check.isHeader, let sign = sign(ofHeader: header[index]) else { return nil }
            return Finding(position: index + 1, sign: sign, isByValues: false)
        }
    }

    /// The indexes (from 0) of the columns that a profile names, for whatever purpose.
    package static func mappedColumns(of profile: Profile, in header: [String]) -> Set<Int> {
        let index = HeaderIndex(header)
        let names = profile.columns.values.joined() + profile.lookups.map(\.column) + profile.columnsBesideFields
        return Set(names.compactMap { index.column(named: $0) })
    }

    /// The sign in the name of a column.
    package static func sign(ofHeader header: String) -> Sign? {
        let name = HeaderName(header)
        if let element = name.element { return signs.first { $0.words.contains(element) }?.sign }
        let words = Set(name.words)
        if let sign = signs.first(where: { !$0.words.isDisjoint(with: words) })?.sign { return sign }
        if words.contains("social"), words.contains("security") { return .socialSecurityNumber }
        if words.contains("medical"), words.contains("record") { return .recordNumber }
        if words.contains("free"), words.contains("text") { return .freeText }
        let isOfThing = !words.isDisjoint(with: things)
        if words.contains("name") || words.contains("names"), !isOfThing { return .personName }
        if !words.isDisjoint(with: persons), words.isDisjoint(with: measures) {
            return words.isDisjoint(with: ["id", "number", "no", "code", "guid", "uuid", "identifier", "key"])
                ? .personName : .recordNumber
        }
        return nil
    }

    /// What a column of regions or trip types seems to hold of persons, by its name; nil: nothing, or it names a region or a type.
    package static func signOfPersons(ofHeader header: String) -> Sign? {
        guard let sign = sign(ofHeader: header), ![.address, .freeText, .age].contains(sign) else { return nil }
        return things.isDisjoint(with: HeaderName(header).words) ? sign : nil
    }

    /// The sign in the values: identifiers of a fixed shape, or dates that lie decades apart.
    package static func sign(ofValues values: [String]) -> Sign? {
        let filled = values.lazy.map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
        if filled.contains(where: TextShape.holdsSSN) { return .socialSecurityNumber }
        if filled.contains(where: TextShape.holdsEmail) { return .email }
        if filled.contains(where: TextShape.isPhone) { return .phone }
        let years = filled.compactMap(yearOfDate)
        if years.count >= 3, years.count * 2 >= filled.count, let first = years.min(), let last = years.max(),
            last - first >= 20
        {
            return .dateOfBirth
        }
        return nil
    }

    /// The four-digit year of a text that is a date without a time.
    private static func yearOfDate(_ text: String) -> Int? {
        guard text.utf8.count <= 10, TextShape.isDateOrTime(text), !text.contains(":") else { return nil }
        return text.split(whereSeparator: { "/-.".contains($0) }).first { $0.utf8.count == 4 }.flatMap { Int($0) }
            .flatMap { (1850...2200).contains($0) ? $0 : nil }
    }

    /// Words and NEMSIS elements by what they are a sign of; tried in order.
    private static let signs: [(sign: Sign, words: Set<String>)] = {
        let texts: [(Sign, String)] = [
            (.socialSecurityNumber, "ssn sssn socialsecuritynumber ePatient.12"),
            (.dateOfBirth, "dob birth birthdate birthday born deathdate death ePatient.17"),
            (.email, "email mail ePatient.19"),
            (.phone, "phone telephone mobile cell fax tel phonenumber ePatient.18"),
            (.freeText, "notes note comments comment narrative remarks instructions freetext eNarrative.01"),
            (.address, "address street zip zipcode postal postcode location apartment apt ePatient.05 ePatient.09"),
            (.address, "latitude longitude lat lon lng coordinates gps eScene.11 eScene.15 eScene.19"),
            (.address, "eDisposition.03 eDisposition.07"),
            (.recordNumber, "mrn passport license licence medicare medicaid insurance policy beneficiary icn edipi"),
            (.recordNumber, "account subscriber ePatient.01 ePatient.20"),
            (.age, "age ePatient.15"),
            (.personName, "firstname lastname surname maiden fullname forename initials"),
            (.personName, "ePatient.02 ePatient.03 ePatient.04"),
        ]
        return texts.map { ($0, Set(words: $1)) }
    }()

    private static let persons = Set(
        words: """
            patient paitent passenger member rider veteran client escort guardian caller contact physician driver
            crew person customer
            """)
    /// What may have a name without being a person.
    private static let things = Set(
        words: """
            provider vendor contract facility unit vehicle hospital station company agency region county city
            state district file source product service plan column carrier program clinic department division type
            zone
            """)
    /// What is recorded of a person without pointing at one (`Arrived to Patient DT`): times are found by their values.
    private static let measures = Set(
        words: "dt dttm date time datetime arrived count minutes mins flag flg type disposition")
}
