/// A whole run, as it is written to the results.
package struct Report: Sendable {
    package let machine: Machine
    /// The day, in the form of ISO 8601.
    package let date: String
    package let groups: [GroupResult]

    package init(machine: Machine, date: String, groups: [GroupResult]) {
        self.machine = machine
        self.date = date
        self.groups = groups
    }
}
