import Essentials

/// The sources of seeds.
package enum Seeds {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    /// The folder of a target's committed inputs.
    private static func corpus(of target: any FuzzTarget.Type) -> URL {
        folder.appending(path: "../Corpus").appending(path: target.name)
    }

    /// A target's committed inputs, by their file names.
    package static func committed(_ target: any FuzzTarget.Type) throws -> [(name: String, input: [UInt8])] {
        try files(in: corpus(of: target)).map { ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0))) }
    }

    /// The inputs that the test vectors give a target, each once, with the line from which it comes.
    package static func vectors(for target: any FuzzTarget) throws -> [(name: String, input: [UInt8])] {
        var seen: Set<[UInt8]> = []
        return try vectorLines().flatMap { place, line in
            target.seeds(from: line).filter { seen.insert($0).inserted }.map { (place, $0) }
        }
    }

    /// Every line of the test vectors.
    package static func vectorLines() throws -> [(name: String, input: [UInt8])] {
        let vectors = folder.appending(path: "../../..").appending(path: "TestVectors")
        return try ["valid", "invalid"].flatMap { part in
            try files(in: vectors.appending(path: part)).flatMap { file in
                let lines = [UInt8](try Data(contentsOf: file)).split(separator: UInt8(ascii: "\n"))
                return lines.enumerated().map { ("\(part)/\(file.lastPathComponent):\($0 + 1)", Array($1)) }
            }
        }
    }

    private static func files(in folder: URL) throws -> [URL] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names.sorted().map { folder.appending(path: $0) }
    }
}
