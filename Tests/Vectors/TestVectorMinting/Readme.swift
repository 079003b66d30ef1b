/// The README of the folder, with a row for each file.
enum Readme {
    static func text(_ files: [VectorFile]) -> String {
        let total = files.reduce(0) { $0 + $1.vectorCount }
        let verified = files.reduce(0) { $0 + verifiedCount($1) }
        return """
            # Test vectors

            \(total) lines of input for `storekit-verify` and what each must give:
            \(verified) are verified, \(total - verified) are not.

            All of it is minted by the tool in `Tests/Vectors/mint` and licensed like the project
            (Apache-2.0). No byte comes from the App Store: apps, accounts, certificates and keys are
            invented. **Every private key here is a test key** that anyone can derive from a sentence in the
            source code. Trust nothing that they sign.

            Mint the folder anew with

                swift run mint vectors TestVectors

            which gives the same bytes every time: signatures are deterministic (RFC 6979; RFC 8017, 8.2),
            and no clock or random number is used. A test compares the folder with what the tool makes.

            ## The files

            - `manifest.json` says of each file which trust anchors (`--root`) and options it is meant for,
              and of each line that is not empty what it must give: `verified` with `type`, or `error` and,
              for signed payloads within notifications, `at`. `line` counts every line, empty ones too.
              `why` says in a sentence what the line shows.
            - `valid/` and `invalid/` hold the lines, a file for each subject: tokens in files that end in
              `.jws`, app receipts in files that end in `.b64`. The numbers of `invalid/` are those of the
              checks in the README; 12 is Xcode's form, 13 are lines that carry no token. As a rule a line
              has one flaw, and whatever can be signed over the flaw is.
            - `pki/` holds the certificates as PEM (the usual anchors as DER too) and the test keys.

            | File | Lines | Verified | About |
            |---|---:|---:|---|
            \(files.map(row).joined(separator: "\n"))

            """
    }

    private static func row(_ file: VectorFile) -> String {
        "| `\(file.name)` | \(file.vectorCount) | \(verifiedCount(file)) | \(file.summary) |"
    }

    private static func verifiedCount(_ file: VectorFile) -> Int {
        file.lines.count { vector in
            if case .verified = vector?.expectation { true } else { false }
        }
    }
}
