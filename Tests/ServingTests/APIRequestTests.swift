import Serving
import Testing

@Suite struct APIRequestTests {
    @Test("only the addresses that are described are served, written exactly so")
    func addresses() {
        let id = String(repeating: "0a", count: 16)
        for path in ["/", "/kpi", "/kpi/cells", "/trips", "/trips.html", "/v1/whoami", "/health", "/openapi.json"] {
            #expect(APIEndpoint.find(path)?.endpoint.name == path)
        }
        let trip = APIEndpoint.find("/trip/\(id)")
        #expect(trip?.endpoint.name == "/trip/{id}" && trip?.tripID == id)
        // Pages of a set name each other by their files.
        #expect(APIEndpoint.find("/dashboard.html")?.endpoint.name == "/")
        for path in [
            "", "/kpi/", "//kpi", "/KPI", "/kpi/../trips", "/%6bpi", "/trip/", "/trip/\(id)/",
            "/trip/\(id.uppercased())",
            "/trip/%2e%2e", "/trip/\(id)0", "/trip/{id}", "/staff/current/kpi-summary.json", "http://x/kpi",
        ] {
            #expect(APIEndpoint.find(path) == nil, "\(path)")
        }
    }

    @Test("a parameter that is not one of the address, or twice, or not UTF-8, is an error")
    func parameters() throws {
        let names = ["month", "region"]
        let query = try APIQuery("month=2026-03&region=North%20East", names: names)
        #expect(query["month"] == "2026-03" && query["region"] == "North East")
        for text in ["x=1", "month", "month=1&month=2", "region=%FF", "region=%2", "%6donth2=1", "month=a&x"] {
            #expect(problem { () throws(APIProblem) in try APIQuery(Substring(text), names: names) } == "bad-parameter")
        }
        #expect(try APIQuery(nil, names: [])["month"] == nil)
    }

    @Test("a plus is a blank only where it is not part of a name")
    func choices() throws {
        let offered = ["All", "A+B", "North East"]
        let choice = { (text: String) in
            try APIQuery(Substring("region=" + text), names: ["region"])
                .choice("region", of: offered, isListed: true)
        }
        #expect(try choice("A+B") == "A+B" && choice("A%2BB") == "A+B" && choice("North+East") == "North East")
        #expect(throws: APIProblem.notAFilter(detail: "region must be All or one of A+B, North East.")) {
            try choice("North")
        }
        #expect(try APIQuery("", names: ["region"]).choice("region", of: offered, isListed: true) == "All")
    }

    @Test("numbers are digits in their range")
    func numbers() throws {
        let number = { (text: String) in
            try APIQuery(Substring("limit=" + text), names: ["limit"]).number("limit", in: 1...1_000)
        }
        #expect(try number("1") == 1 && number("1000") == 1_000)
        for text in ["0", "1001", "-1", "+1", "1e2", "", "%201", "99999999999999999999"] {
            #expect(throws: APIProblem.badParameter(detail: "limit must be a whole number from 1 to 1000.")) {
                try number(text)
            }
        }
    }

    private func problem<Value>(_ body: () throws(APIProblem) -> Value) -> String? {
        do { _ = try body() } catch { return error.name }
        return nil
    }

    @Test("a problem names the parameter and what can be given, never what was given")
    func details() {
        func detail(_ text: String, of offered: [String] = ["All"], isListed: Bool = true) -> String? {
            do throws(APIProblem) {
                _ = try APIQuery(Substring(text), names: ["month", "type"])
                    .choice(text.hasPrefix("month") ? "month" : "type", of: offered, isListed: isListed)
            } catch {
                return error.detail
            }
            return nil
        }
        let months = ["All", "2025-01", "2025-02", "2025-03"]
        #expect(detail("x=CANARY") == "The parameters of this address are: month, type.")
        #expect(detail("type=CANARY&type=CANARY") == "type is given twice.")
        #expect(detail("type=%FF") == "type must be written type=value, in percent-encoded UTF-8.")
        #expect(detail("month=CANARY", of: months) == "month must be All or one of 2025-01 … 2025-03.")
        #expect(detail("type=CANARY", of: ["All", "Routine"]) == "type must be All or one of Routine.")
        // Who may not read the figures learns no names of them.
        #expect(
            detail("type=CANARY", of: ["All", "R"], isListed: false)
                == "type must be All or a value that the trips have.")
        #expect(detail("type=CANARY") == "type must be All.")
        let many = detail("type=CANARY", of: ["All"] + (1...500).map { "T\($0)" })
        #expect(many?.hasSuffix("T39, T40, ….") == true)
    }

    @Test("each problem has a name, a status and a sentence of its own that ends")
    func problems() {
        let all: [APIProblem] = [
            .badRequest, .badParameter(detail: ""), .notAFilter(detail: ""), .badCursor, .missingToken, .badToken,
            .expiredToken, .missingScope, .notFound, .withheld, .methodNotAllowed, .notAcceptable, .longAddress,
            .tooManyRequests, .nothingPublished(detail: ""), .wrongHost, .failed,
        ]
        #expect(Set(all.map(\.name)).count == all.count && Set(all.map(\.title)).count == all.count)
        #expect(all.allSatisfy { $0.statusCode >= 400 && $0.title.hasSuffix(".") })
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
