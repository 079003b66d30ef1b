/// A part of the verifier to fuzz: one call on one input, and the properties that must hold.
package protocol FuzzTarget: Sendable {
    /// The name on the command line, and of the folder of seeds.
    static var name: String { get }

    /// Makes the objects that all inputs share: keys, anchors, verifiers.
    init() throws

    /// Runs the code on an input, and compares the result with an independent one.
    ///
    /// - Throws: the property that does not hold.
    func check(_ input: [UInt8]) throws(Violation)

    /// The seeds that a line of the test vectors gives.
    func seeds(from line: [UInt8]) -> [[UInt8]]

    /// Changes an input so that it is not refused early: the format stays valid, or is repaired after the
    /// change.
    func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8]
}

extension FuzzTarget {
    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] { tools.havoc(input) }
}

/// A property that does not hold for an input: a finding.
package struct Violation: Error, CustomStringConvertible {
    /// The expected property, and the actual result.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Throws unless the condition holds.
func expect(_ condition: Bool, _ description: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(description()) }
}

/// The targets, in the order in which data passes through them.
package enum FuzzTargets {
    package static let all: [any FuzzTarget.Type] = [
        Base64Target.self, CompactJWSTarget.self, HeaderTarget.self, PayloadTarget.self, ChainTarget.self,
        P256Target.self, TokenTarget.self, LinesTarget.self, ReceiptTarget.self,
        CLibraryTarget.self,
    ]

    /// The target with this name, including the one with a planted fault.
    package static func named(_ name: String) -> (any FuzzTarget.Type)? {
        name == PlantedTarget.name ? PlantedTarget.self : all.first { $0.name == name }
    }
}
