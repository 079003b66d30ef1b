package import Essentials

/// A status of a purchase that lasts to the next one's beginning.
package struct StatusStep: Sendable {
    package let start: Date
    /// `nil` in the minute before a purchase.
    package let status: PurchaseStatus?

    /// The statuses one after another, from an instant on. Two in a row may be equal.
    ///
    /// A status of a transaction in the future is left out: it belongs to the minute of tolerance before a purchase.
    ///
    /// - Parameters:
    ///   - instants: when the status may change, in their order.
    ///   - beginning: the first instant to look at.
    package static func all(
        at instants: [Date], from beginning: Date = .distantPast, _ status: (Date) -> PurchaseStatus?
    ) -> [StatusStep] {
        instants.filter { $0 >= beginning }.map { instant in
            StatusStep(
                start: instant,
                status: status(instant).flatMap { $0.transaction.purchaseDate <= instant ? $0 : nil })
        }
    }
}
