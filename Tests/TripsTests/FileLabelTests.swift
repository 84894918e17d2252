import Testing
import Trips

@Suite struct FileLabelTests {
    @Test(arguments: [
        ("/data/inbox/trips-2026-11-20.csv.gz", "trips-2026-11-20.csv.gz"),
        ("export_smith_20261120_900123456.csv", "export_xxxxx_20261120_#########.csv"),
        ("Jane Doe (2).json", "xxxx xxx (2).json"), ("20261399.csv", "########.csv"),
        ("Trips_FY26.TSV", "Trips_FY26.TSV"),
        ("Müller\n.csv", "xxxxxxx.csv"), ("", ""), ("a/", "x"),
    ])
    func keepsWordsOfTheTradeAndMasksTheRest(name: String, label: String) {
        #expect(FileLabel(fileName: name).description == label)
    }
}
