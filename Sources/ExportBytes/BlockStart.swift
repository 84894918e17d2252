/// Where a block starts, and in what state.
struct BlockStart: Equatable {
    /// In the window.
    var position: Int
    /// The line that `position` is in is rejected and its end was out of reach: skip it.
    var isInsideLine = false
    /// A quote is broken before it: the next record starts at the next line that reads as one.
    var isResuming = false
}
