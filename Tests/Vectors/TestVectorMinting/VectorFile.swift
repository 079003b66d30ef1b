import Minting

/// The error codes that vectors expect.
package enum ErrorCode: String, Sendable, CaseIterable {
    case tooLarge, invalidEncoding, invalidCertificateChain, invalidSignature, missingRequiredProperties
    case wrongEnvironment, wrongBundleIdentifier, wrongAppAppleIdentifier, invalidDeviceVerification
}

/// The kinds of signed payload.
package enum PayloadKind: String, Sendable, CaseIterable {
    case transaction, renewalInfo, appTransaction, notification, realtimeRequest, receipt, unknown
}

/// One line, and its expected result.
package struct Vector: Sendable {
    package enum Expectation: Sendable {
        case verified(PayloadKind)
        case rejected(ErrorCode, at: String?)
    }

    package let name: String
    package let line: [UInt8]
    package let expectation: Expectation
    package let why: String
}

/// One file of vectors that share anchors and options.
package struct VectorFile: Sendable {
    /// The path in the folder, without the file name extension: `valid/transactions`.
    package let path: String
    /// The file name extension: `jws`, or `b64` if the lines are receipts.
    let ending: String
    /// One sentence for the README.
    let summary: String
    let roots: [String]
    let options: [String]
    /// The lines; nil is an empty line.
    package private(set) var lines: [Vector?] = []
    /// How lines end: `true` at the index of each line that ends in CRLF.
    private(set) var hasCarriageReturn: [Bool] = []
    /// Whether the last line has a line ending.
    var endsWithNewline = true

    init(
        _ path: String, _ summary: String, roots: [String] = ["pki/p256-root.pem"], options: [String] = [],
        ending: String = "jws"
    ) {
        self.path = path
        self.ending = ending
        self.summary = summary
        self.roots = roots
        self.options = options
    }

    /// The path in the folder: `valid/transactions.jws`.
    package var name: String { "\(path).\(ending)" }

    /// The last part of the path, `transactions` for `valid/transactions`. It is the namespace of the
    /// vectors' identifiers.
    package var namespace: String { String(path.split(separator: "/").last ?? "") }

    var vectorCount: Int { lines.count { $0 != nil } }

    mutating func verified(
        _ name: String, _ kind: PayloadKind, _ line: String, _ why: String, crlf: Bool = false
    ) {
        append(
            Vector(name: name, line: Array(line.utf8), expectation: .verified(kind), why: why), crlf: crlf)
    }

    mutating func rejected(
        _ name: String, _ code: ErrorCode, at member: String? = nil, _ line: String, _ why: String
    ) {
        rejected(name, code, at: member, bytes: Array(line.utf8), why)
    }

    mutating func rejected(
        _ name: String, _ code: ErrorCode, at member: String? = nil, bytes: [UInt8], _ why: String
    ) {
        append(
            Vector(name: name, line: bytes, expectation: .rejected(code, at: member), why: why), crlf: false)
    }

    mutating func emptyLine(crlf: Bool = false) {
        lines.append(nil)
        hasCarriageReturn.append(crlf)
    }

    private mutating func append(_ vector: Vector, crlf: Bool) {
        lines.append(vector)
        hasCarriageReturn.append(crlf)
    }

    /// The file's bytes.
    var contents: [UInt8] {
        var output: [UInt8] = []
        for (index, vector) in lines.enumerated() {
            output += vector?.line ?? []
            let isLast = index == lines.count - 1
            if isLast && !endsWithNewline { break }
            output += hasCarriageReturn[index] ? [0x0D, 0x0A] : [0x0A]
        }
        return output
    }
}
