/// For whom a set is published: its folder below the published sets, and the value of the parameter `audience`.
///
/// The server knows sets as any reader of the published folder does. What may be in them is decided where they are made.
package enum ServedAudience: String, CaseIterable, Sendable {
    case staff, release

    /// What a token must allow.
    var scope: APIScope { self == .staff ? .staffFigures : .releaseFigures }
}
