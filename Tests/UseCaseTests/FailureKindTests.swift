import Foundation
import Operations
import Reporting
import Testing
import Trips
import UseCases

@Suite struct FailureKindTests {
    @Test(arguments: [
        (RunLockError.held(path: "x", owner: nil, since: nil, ageSeconds: nil), FailureKind.locked),
        (.cannotOpen(path: "x", code: EACCES), .permission), (.cannotOpen(path: "x", code: ENOENT), .cannotCreate),
        (.cannotOpen(path: "x", code: EIO), .inputOutput), (.cannotLock(path: "x", code: ENOLCK), .inputOutput),
    ])
    func aLockErrorHasItsKind(error: RunLockError, kind: FailureKind) {
        #expect(FailureKind(of: error) == kind)
    }
}
