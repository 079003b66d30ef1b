package import Minting

/// Every file of the folder, in memory.
package enum Catalogue {
    /// One file: its path within the folder, and its bytes.
    package struct File: Sendable, Equatable {
        package let path: String
        package let contents: [UInt8]
    }

    /// All files, in the order in which they are made.
    package static func files() throws(MintingError) -> [File] {
        let fixtures = try Fixtures()
        let vectors = try vectorFiles(fixtures)
        var files = vectors.map { File(path: $0.name, contents: $0.contents) }
        files += try PKIFiles.files(fixtures)
        files.append(File(path: "manifest.json", contents: Array(Manifest.text(vectors).utf8)))
        files.append(File(path: "README.md", contents: Array(Readme.text(vectors).utf8)))
        return files
    }

    /// Only the files of lines, with the expected result of each line.
    package static func vectorFiles() throws(MintingError) -> [VectorFile] { try vectorFiles(Fixtures()) }

    private static func vectorFiles(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        var files: [VectorFile] = []
        files += try ValidTransactions.files(fixtures)
        files += try ValidPayloadKinds.files(fixtures)
        files += try ValidNotifications.files(fixtures)
        files += try ValidSignatures.files(fixtures)
        files += try ValidDates.files(fixtures)
        files += try ValidJSON.files(fixtures)
        files += try ValidLines.files(fixtures)
        files += try ValidIdentity.files(fixtures)
        files += try XcodeVectors.files(fixtures)
        files += try ChainVectors.files(fixtures)
        files += try ConstraintVectors.files(fixtures)
        files += try TrustVectors.files(fixtures)
        files += try InvalidEncodingVectors.files(fixtures)
        files += try InvalidHeaderVectors.files(fixtures)
        files += try BoundVectors.files(fixtures)
        files += try SignatureVectors.files(fixtures)
        files += try PayloadVectors.files(fixtures)
        files += try ValidityVectors.files(fixtures)
        files += try IdentityVectors.files(fixtures)
        files += try InnerVectors.files(fixtures)
        files += try LineVectors.files(fixtures)
        files += try ReceiptCatalogue.files()
        // Valid files come before invalid ones, both sorted by name.
        let valid = files.filter { $0.path.hasPrefix("valid/") }
        let invalid = files.filter { $0.path.hasPrefix("invalid/") }
        return valid.sorted { $0.path < $1.path } + invalid.sorted { $0.path < $1.path }
    }
}
