internal import WireFormats

extension Sequence {
    /// The elements in order; those that are alike stay as they are.
    package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        guard elements.count > 1 else { return elements }
        return StableOrder.places(elements.count) { precedes(elements[$0], elements[$1]) }.map {
            elements[$0]
        }
    }
}
