#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The machine of a measurement. Figures mean nothing without it.
package struct Machine: Sendable, Codable, Equatable {
    package let processor: String
    /// The instruction set that the vector engine uses on this processor, if any.
    package let vectorInstructions: String?
    package let cores: Int
    package let operatingSystem: String
    package let openSSL: String
    package let swift: String

    package init(
        processor: String, vectorInstructions: String?, cores: Int, operatingSystem: String, openSSL: String,
        swift: String
    ) {
        self.processor = processor
        self.vectorInstructions = vectorInstructions
        self.cores = cores
        self.operatingSystem = operatingSystem
        self.openSSL = openSSL
        self.swift = swift
    }

    /// The value in the first `name : value` line of a text, such as Linux's `/proc/cpuinfo`.
    package static func value(of name: String, in text: String) -> String? {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmed == name else { continue }
            return parts[1].trimmed
        }
        return nil
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
