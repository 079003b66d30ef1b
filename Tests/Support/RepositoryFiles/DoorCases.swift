package import Foundation

/// The table of cases that every door is tried with: Tests/Support/DoorCases/cases.json.
package struct DoorCases: Decodable {
    /// A place where texts come in from outside.
    package enum Door: String, CaseIterable, Sendable {
        case library
        case command
        case bindings
        case service
        case testStore = "test store"
    }

    /// What the cases of a group ask, and of which door.
    package struct Group: Decodable {
        package let about: String
        /// How the door is asked, or why it is not, by the door's name.
        package let doors: [String: String]

        package func concerns(_ door: Door) -> Bool {
            doors[door.rawValue].map { !$0.hasPrefix("not concerned: ") } ?? false
        }
    }

    /// A text in a request's target: decoded, or `nil` if it is refused.
    package struct PercentEncoding: Decodable, Sendable {
        package let text: String
        package let query, path: String?
    }

    package struct PossibleUUID: Decodable, Sendable {
        package let text: String
        package let isUUID: Bool
    }

    /// What is signed for the App Store, with its values by Apple's names. `refused` begins the sentence of a refusal.
    package struct Signature: Decodable, Sendable {
        package let kind: String
        package let values: [String: String]
        package let refused: String?
    }

    /// An input in its parts, with `verified`, an error code or `nothing` for each way to give it.
    package struct Input: Decodable, Sendable {
        package struct Line: Decodable, Hashable, Sendable {
            package let line: Int
            package let outcome: String

            package init(line: Int, outcome: String) { (self.line, self.outcome) = (line, outcome) }
        }

        private let parts: [String]
        package let inspection, body: String
        package let lines: [Line]

        /// The parts' bytes, with payloads for their names.
        package var partBytes: [[UInt8]] {
            get throws {
                let token = try Self.first("transactions.jws")
                let names = [
                    "OBJECT": #"{"signedPayload":"\#(token)"}"#, "TOKEN": token,
                    "RECEIPT": try Self.first("receipts.b64"), "QUOTED-MAIL": Self.quoted(token),
                ]
                return parts.map { part in
                    names.reduce(part) { $0.replacing($1.key, with: $1.value) }.utf8.map(\.self)
                }
            }
        }

        package var bytes: [UInt8] { get throws { try partBytes.flatMap(\.self) } }

        /// The token as mails have it: in lines of 76 characters, each with "> " before it.
        private static func quoted(_ token: String) -> String {
            var (lines, rest) = ([String](), token[...])
            while !rest.isEmpty {
                lines.append("> " + rest.prefix(76))
                rest = rest.dropFirst(76)
            }
            return lines.joined(separator: "\n")
        }

        private static func first(_ name: String) throws -> String {
            let text = try Repository.text("TestVectors/valid/\(name)")
            return String(text.prefix { !$0.isNewline })
        }
    }

    package let groups: [String: Group]
    package let percentEncoding: [PercentEncoding]
    package let uuids: [PossibleUUID]
    package let inputs: [Input]
    package let signatures: [Signature]

    /// The roots under which the payloads are verified, as PEM.
    package static let roots = ["root.pem", "receipt-root.pem"].map {
        Repository.vectors.appending(path: "pki/\($0)")
    }

    package init() throws {
        let json = try Data(contentsOf: Repository.file("Tests/Support/DoorCases/cases.json"))
        self = try JSONDecoder().decode(Self.self, from: json)
    }
}
