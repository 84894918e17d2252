import Serving
import Testing

@Suite struct APIRequestTests {
    @Test("only the addresses that are described are served, written exactly so")
    func addresses() {
        let id = String(repeating: "0a", count: 16)
        #expect(APIEndpoint(path: "/trip/\(id)") == .trip(id: id))
        #expect(APIEndpoint(path: "/kpi") == .summary && APIEndpoint(path: "/") == .page)
        // Pages of a set name each other by their files.
        #expect(APIEndpoint(path: "/dashboard.html") == .page && APIEndpoint(path: "/trips.html") == .tripsPage)
        for path in [
            "", "/kpi/", "//kpi", "/KPI", "/kpi/../trips", "/%6bpi", "/trip/", "/trip/\(id)/",
            "/trip/\(id.uppercased())",
            "/trip/%2e%2e", "/trip/\(id)0", "/staff/current/kpi-summary.json", "http://x/kpi",
        ] {
            #expect(APIEndpoint(path: path) == nil, "\(path)")
        }
    }

    @Test("a parameter that is not one of the address, or twice, or not UTF-8, is an error")
    func parameters() throws {
        let names: Set = ["month", "region"]
        let query = try APIQuery("month=2026-03&region=North%20East", names: names)
        #expect(query["month"] == "2026-03" && query["region"] == "North East")
        for text in ["x=1", "month", "month=1&month=2", "region=%FF", "region=%2", "%6donth2=1", "month=a&x"] {
            #expect(throws: APIProblem.badParameter) { try APIQuery(Substring(text), names: names) }
        }
        #expect(try APIQuery(nil, names: [])["month"] == nil)
    }

    @Test("a plus is a blank only where it is not part of a name")
    func choices() throws {
        let offered = ["All", "A+B", "North East"]
        let choice = { (text: String) in
            try APIQuery(Substring("region=" + text), names: ["region"]).choice("region", of: offered)
        }
        #expect(try choice("A+B") == "A+B" && choice("A%2BB") == "A+B" && choice("North+East") == "North East")
        #expect(throws: APIProblem.notAFilter) { try choice("North") }
        #expect(try APIQuery("", names: ["region"]).choice("region", of: offered) == "All")
    }

    @Test("numbers are digits in their range")
    func numbers() throws {
        let number = { (text: String) in
            try APIQuery(Substring("limit=" + text), names: ["limit"]).number("limit", in: 1...1_000)
        }
        #expect(try number("1") == 1 && number("1000") == 1_000)
        for text in ["0", "1001", "-1", "+1", "1e2", "", "%201", "99999999999999999999"] {
            #expect(throws: APIProblem.badParameter) { try number(text) }
        }
    }

    @Test("each problem has a name, a status and a sentence of its own that ends")
    func problems() {
        #expect(Set(APIProblem.allCases.map(\.name)).count == APIProblem.allCases.count)
        #expect(Set(APIProblem.allCases.map(\.title)).count == APIProblem.allCases.count)
        #expect(APIProblem.allCases.allSatisfy { $0.statusCode >= 400 && $0.title.hasSuffix(".") })
    }

    @Test("a tag is known in any form that clients send it in")
    func tags() {
        let large = Representation(Array(repeating: UInt8(ascii: "a"), count: 5_000), "text/plain")
        #expect(large.hasGzip && large.tag(isGzip: true) != large.tag(isGzip: false))
        for tags in [
            "*", large.tag(isGzip: true), "W/" + large.tag(isGzip: false), "\"x\", " + large.tag(isGzip: false),
        ] {
            #expect(large.matches(tags), "\(tags)")
        }
        for tags in ["", "\"x\"", large.hash] { #expect(!large.matches(tags)) }
        #expect(!Representation(Array("short".utf8), "text/plain").hasGzip)
    }
}
