/// The order of elements, as their places.
package enum StableOrder {
    /// The places of a number of elements in order; those that are alike stay as they are.
    ///
    /// A sort of large values is several kilobytes of machine code for each type and comparison. This is one for all.
    package static func places(_ count: Int, _ precedes: (Int, Int) -> Bool) -> [Int] {
        (0..<count).sorted(by: precedes)
    }
}
