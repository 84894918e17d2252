import TestSupport
import Testing

/// A type that many files use is found by its name: it lies in the file of that name.
@Suite struct TypeFileTests {
    private static let widelyUsed = 5

    /// Not of this project, or made by another name: an extension of `FilePath` adds to swift-system's.
    private static let exempt: Set = ["FilePath"]

    @Test func aTypeOfManyUsersHasTheFileOfItsName() throws {
        let declaration =
            /^(?:@\w+(?:\([^)]*\))? )*(?:(?:package|public|internal|final|indirect) )*(?:struct|enum|class|actor|protocol) (\w+)/
        var places: [String: [String]] = [:]
        var uses: [String: Int] = [:]
        for file in Repository.files(under: "Sources", withExtension: "swift") {
            let code = SwiftCode(try Repository.text(file)).bare
            for line in code.split(separator: "\n") {
                guard let name = line.prefixMatch(of: declaration)?.output.1 else { continue }
                places[String(name), default: []].append(file)
            }
            for word in Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
            where word.first?.isUppercase == true {
                uses[String(word), default: 0] += 1
            }
        }
        #expect(places.count > 500)
        for (name, files) in places where files.count == 1 && uses[name, default: 0] >= Self.widelyUsed {
            guard !Self.exempt.contains(name), let file = files.first?.split(separator: "/").last else { continue }
            let stem = file.dropLast(".swift".count).split(separator: "+").first.map(String.init) ?? ""
            #expect(stem == name, "\(files[0]) has \(name), which \(uses[name, default: 0]) files use")
        }
    }
}
