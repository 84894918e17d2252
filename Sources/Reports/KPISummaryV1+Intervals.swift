package import KPIContract
package import Trips

extension KPISummaryV1.Cell {
    package subscript(interval: TripInterval) -> KPISummaryV1.Interval {
        switch interval {
        case .duration: duration
        case .response: response
        case .turnout: turnout
        case .scene: scene
        case .transport: transport
        case .turnaround: turnaround
        }
    }
}
