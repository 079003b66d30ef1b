import Foundation
import Minting
import RepositoryFiles
import TestVectorMinting
import Testing

/// The committed folder equals what the tool mints.
struct TestVectorFolderTests {
    private static let folder = Repository.vectors

    @Test("minting anew gives the committed bytes")
    func committed() throws {
        let files = try Catalogue.files()
        for file in files {
            let committed = try? Data(contentsOf: Self.folder.appending(path: file.path))
            let isSame = committed.map { Array($0) } == file.contents
            #expect(isSame, "\(file.path) differs")
        }
        #expect(Set(try Self.committedPaths()) == Set(files.map(\.path)))
    }

    @Test("every error code that needs no network occurs, and every kind of payload")
    func coverage() throws {
        var codes: Set<ErrorCode> = []
        var kinds: Set<PayloadKind> = []
        for vector in try Catalogue.vectorFiles().flatMap(\.lines) {
            switch vector?.expectation {
            case .rejected(let code, _): codes.insert(code)
            case .verified(let kind): kinds.insert(kind)
            case nil: break
            }
        }
        #expect(codes == Set(ErrorCode.allCases))
        #expect(kinds == Set(PayloadKind.allCases))
    }

    @Test("no identifier occurs twice, and no line holds a line feed")
    func identifiers() throws {
        var seen: Set<String> = []
        for file in try Catalogue.vectorFiles() {
            for vector in file.lines.compactMap({ $0 }) {
                #expect(seen.insert("\(file.namespace)::\(vector.name)").inserted, "\(vector.name)")
                #expect(!vector.line.contains(0x0A), "\(vector.name)")
                #expect(!vector.line.isEmpty, "\(vector.name)")
            }
        }
    }

    private static func committedPaths() throws -> [String] {
        let subfolders = ["valid", "invalid", "pki"]
        let nested = try subfolders.flatMap { subfolder in
            let path = folder.appending(path: subfolder).path(percentEncoded: false)
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .map { "\(subfolder)/\($0)" }
        }
        return nested + ["manifest.json", "README.md"]
    }
}
