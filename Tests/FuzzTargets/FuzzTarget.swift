/// A part of the verifier under attack: one call on one input, with what must hold of it.
package protocol FuzzTarget: Sendable {
    /// The name on the command line, and of the folder of seeds.
    static var name: String { get }

    /// Makes what all inputs share: keys, anchors, verifiers.
    init() throws

    /// Runs the code on an input, and compares what came of it with a second opinion.
    ///
    /// - Throws: what does not hold.
    func check(_ input: [UInt8]) throws(Violation)

    /// The inputs that a line of the test vectors gives to begin with.
    func seeds(from line: [UInt8]) -> [[UInt8]]

    /// Changes an input so that it still gets far: the format is kept, or made good again after the change.
    func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8]
}

extension FuzzTarget {
    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] { tools.havoc(input) }
}

/// What did not hold of an input: a finding.
package struct Violation: Error, CustomStringConvertible {
    /// What should hold, and what was found.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Throws unless something holds.
func expect(_ condition: Bool, _ description: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(description()) }
}

/// The targets, in the order in which data passes them.
package enum FuzzTargets {
    package static let all: [any FuzzTarget.Type] = [
        Base64Target.self, CompactJWSTarget.self, HeaderTarget.self, PayloadTarget.self, ChainTarget.self,
        P256Target.self, TokenTarget.self, LinesTarget.self, ReceiptTarget.self,
    ]

    /// The target of a name, be it the one with a fault on purpose.
    package static func named(_ name: String) -> (any FuzzTarget.Type)? {
        name == PlantedTarget.name ? PlantedTarget.self : all.first { $0.name == name }
    }
}
