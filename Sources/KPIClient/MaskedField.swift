public import Foundation
import KPIContract

/// A field that is shown masked, and for ten seconds as it is after somebody asks for it.
public struct MaskedField: Sendable {
    /// How long it is shown.
    public static let seconds: TimeInterval = 10

    private let text: String
    private var revealedAt: Date?

    /// - Parameter text: what is masked.
    public init(_ text: String) { self.text = text }

    /// Shows it from now on for ten seconds.
    public mutating func reveal(now: Date) { revealedAt = now }

    /// Masks it again at once, as when the app goes to the background.
    public mutating func hide() { revealedAt = nil }

    /// What may be on the screen now.
    public func shown(now: Date) -> String { isRevealed(now: now) ? text : Trip.mask }

    /// Whether it is shown now. A clock that went back hides it.
    public func isRevealed(now: Date) -> Bool {
        revealedAt.map { (0..<Self.seconds).contains(now.timeIntervalSince($0)) } ?? false
    }
}

extension MaskedField: CustomStringConvertible, CustomReflectable {
    /// Masked, also in logs.
    public var description: String { Trip.mask }
    /// Masked, also in a debugger's dump.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
