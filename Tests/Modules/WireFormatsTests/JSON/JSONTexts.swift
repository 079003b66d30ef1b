import Foundation
import RepositoryFiles

/// JSON texts to compare readers on: payloads and headers of the test vectors, of the genuine payloads and of the
/// fuzzers' corpora.
enum JSONTexts {
    static let all = Result { try read() }

    private static func read() throws -> [[UInt8]] {
        var texts: Set<[UInt8]> = []
        var folders = [
            Repository.vectors, Repository.file("Tests/Fuzz/Corpus"),
        ]
        if let genuine = PrivateTestData.genuine.folder { folders.append(genuine) }
        for file in try folders.flatMap(files(in:)) {
            // Foundation's Data(contentsOf:) leaks a buffer for an empty file.
            let bytes = [UInt8](try FileHandle(forReadingFrom: file).readToEnd() ?? Data())
            for line in bytes.split(separator: UInt8(ascii: "\n")) { add(Array(line), to: &texts) }
            // Among the corpora are texts of several lines.
            texts.insert(bytes.count < 1 << 20 ? bytes : [])
        }
        return texts.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Adds a line, and what is in its segments if it is a token, also the tokens inside those.
    private static func add(_ line: [UInt8], to texts: inout Set<[UInt8]>) {
        texts.insert(line)
        for segment in line.split(whereSeparator: { !isBase64URL($0) }) where segment.count >= 8 {
            guard let text = decoded(segment), text.first == UInt8(ascii: "{"), texts.insert(text).inserted
            else {
                continue
            }
            add(text, to: &texts)
        }
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func decoded(_ segment: ArraySlice<UInt8>) -> [UInt8]? {
        let standard = segment.map {
            $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? 0x2f : $0
        }
        let padded = standard + [UInt8](repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        return Data(base64Encoded: Data(padded)).map { [UInt8]($0) }
    }

    private static func files(in folder: URL) throws -> [URL] {
        let found = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        let files = found?.compactMap { $0 as? URL } ?? []
        return try files.filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile ?? false }
    }
}
