import Libcrypto
import Platform
import WireFormats

/// The subjects of an in-toto statement of version 1: names of files, each with its SHA-256.
///
/// Other parts of the statement, such as the source and the compiler, are for people and for policies of their own.
struct ReleaseStatement {
    /// Why a text is not such a statement.
    enum Failure: Error, Equatable {
        case notJSON(JSONError)
        case otherType
        /// The statement is inside a DSSE envelope.
        case envelope
        case noSubjects
        /// The number of the subject, from 1.
        case incompleteSubject(Int)
    }

    private struct Subject {
        let name: String
        /// In lower-case hexadecimal.
        let sha256: String
    }

    /// The longest statement that is read, in bytes: room for a hundred thousand files.
    static let maximumBytes = 16 << 20
    private static let type = "https://in-toto.io/Statement/v1"

    private let subjects: [Subject]

    /// Reads a statement. Each subject must have a name and a SHA-256: a file is never compared with a part of them.
    init(json: [UInt8]) throws(Failure) {
        let tree: JSONTree
        do throws(JSONError) { tree = try JSONTree(json.span) } catch { throw .notJSON(error) }
        guard tree["payloadType"] == nil else { throw .envelope }
        guard tree["_type"]?.stringValue == Self.type else { throw .otherType }
        guard let elements = tree["subject"]?.elements, !elements.isEmpty else { throw .noSubjects }
        var subjects: [Subject] = []
        for (index, element) in elements.enumerated() {
            guard let name = element["name"]?.stringValue, !name.isEmpty,
                let digest = element["digest"]?["sha256"]?.stringValue, digest.utf8.count == 64,
                digest.utf8.allSatisfy({ hexadecimalDigit($0) != nil })
            else { throw .incompleteSubject(index + 1) }
            subjects.append(Subject(name: name, sha256: digest.lowercased()))
        }
        self.subjects = subjects
    }

    /// Whether a file is a subject, and a sentence about it. The digest decides; names only explain.
    ///
    /// - Parameters:
    ///   - digest: the file's SHA-256, in lower-case hexadecimal.
    ///   - fileName: the last part of the file's path.
    func judge(_ digest: String, fileName: String) -> (isSubject: Bool, sentence: String) {
        let named = subjects.filter { $0.name.split(separator: "/").last.map { $0 == fileName } ?? false }
        if named.contains(where: { $0.sha256 == digest }) { return (true, "OK") }
        if let other = subjects.first(where: { $0.sha256 == digest }) {
            return (true, "OK, the statement calls it \(shown(other.name))")
        }
        guard let expected = named.first else {
            return (false, "not in the statement, which has no such name and no SHA-256 \(digest)")
        }
        let name = shown(expected.name)
        return (false, "not the statement's \(name): the SHA-256 is \(digest), not \(expected.sha256)")
    }

    private func shown(_ name: String) -> String { HiddenCharacters.escaped(in: name.abbreviated()) }
}

extension ReleaseStatement.Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .notJSON(let error): "it is not JSON: \(error)"
        case .otherType: "it is not an in-toto statement of version 1: its _type is missing or different"
        case .envelope: "it is a signed envelope: check its signature, and give the statement in its payload"
        case .noSubjects: "the statement has no subjects"
        case .incompleteSubject(let number):
            "subject \(number) lacks a name, or a sha256 of 64 hexadecimal digits"
        }
    }
}

extension FileName {
    /// The last part of the path, as text.
    var lastComponent: String { text.split(separator: "/").last.map { String($0) } ?? text }

    /// The SHA-256 of the file's content, or of standard input's for `-`, in lower-case hexadecimal. The content is read
    /// piece by piece.
    func sha256() throws(SystemError) -> String {
        let file =
            self == .standardInput
            ? FileDescriptor(borrowing: FileDescriptor.standardInput) : try FileDescriptor.open(self)
        var (hash, chunk) = (RunningSHA256(), [UInt8](repeating: 0, count: 1 << 16))
        while case let count = try file.read(into: &chunk, at: 0, atMost: chunk.count), count > 0 {
            hash.add(chunk.span.extracting(..<count))
        }
        return hexadecimal(hash.digest)
    }
}
