import Minting
import TestMinting

/// The folder `pki/`: anchors as PEM and DER, the other certificates, and the worthless keys.
enum PKIFiles {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [Catalogue.File] {
        let (standard, p256, xcode) = (fixtures.standard, fixtures.p256, fixtures.xcode)
        var files: [Catalogue.File] = []
        let certificates: [(String, [UInt8])] = [
            ("root", try standard.root.der()), ("intermediate", try standard.intermediate.der()),
            ("leaf-2021", try standard.leaves[0].der()), ("leaf-2023", try standard.leaves[1].der()),
            ("leaf-2025", try standard.leaves[2].der()), ("p256-root", try p256.root.der()),
            ("p256-intermediate", try p256.intermediate.der()), ("p256-leaf-2021", try p256.leaves[0].der()),
            ("p256-leaf-2023", try p256.leaves[1].der()), ("p256-leaf-2025", try p256.leaves[2].der()),
            ("xcode", try xcode.template.der()), ("forged-root", try fixtures.forged.root.der()),
            ("rsa-root", try RSAAnchor.der(standard)),
        ]
        for (name, der) in certificates { files.append(pem(name, "CERTIFICATE", der)) }
        for name in ["root", "p256-root", "xcode"] {
            for (other, der) in certificates where other == name {
                files.append(Catalogue.File(path: "pki/\(name).der", contents: der))
            }
        }
        for anchor in TrustVectors.anchorChanges + TrustVectors.goodAnchorChanges {
            var template = standard.root.template
            anchor.change(&template)
            files.append(pem("root-\(anchor.name)", "CERTIFICATE", try template.der()))
        }
        let keys: [(String, TestKey)] = [
            ("root", standard.root.key), ("intermediate", standard.intermediate.key),
            ("leaf-2021", standard.leaves[0].key), ("leaf-2023", standard.leaves[1].key),
            ("leaf-2025", standard.leaves[2].key), ("p256-root", p256.root.key),
            ("p256-intermediate", p256.intermediate.key), ("p256-leaf-2021", p256.leaves[0].key),
            ("p256-leaf-2023", p256.leaves[1].key), ("p256-leaf-2025", p256.leaves[2].key),
            ("xcode", xcode.key),
        ]
        for (name, key) in keys {
            files.append(pem("TEST-KEY-\(name)", "EC PRIVATE KEY", key.privateKeyDER))
        }
        files.append(pem("TEST-KEY-rsa", "PRIVATE KEY", try RSATestKey().privateKeyDER))
        return try files + receiptFiles(ReceiptFixtures())
    }

    /// The files for signing receipts.
    private static func receiptFiles(
        _ fixtures: ReceiptFixtures
    ) throws(MintingError) -> [Catalogue.File] {
        let (pki, xcode) = (fixtures.pki, fixtures.xcode)
        let certificates: [(String, [UInt8])] = [
            ("receipt-root", try pki.root.der()), ("receipt-intermediate", try pki.intermediate.der()),
            ("receipt-leaf-2021", try pki.leaves[0].der()), ("receipt-leaf-2023", try pki.leaves[1].der()),
            ("receipt-leaf-2025", try pki.leaves[2].der()), ("xcode-receipt", try xcode.template.der()),
            ("forged-receipt-root", try fixtures.forged.root.der()),
        ]
        var files = certificates.map { pem($0.0, "CERTIFICATE", $0.1) }
        for (name, der) in certificates where ["receipt-root", "xcode-receipt"].contains(name) {
            files.append(Catalogue.File(path: "pki/\(name).der", contents: der))
        }
        for (name, change) in ReceiptFixtures.anchorChanges {
            var template = pki.root.template
            change(&template)
            files.append(pem("receipt-root-\(name)", "CERTIFICATE", try template.der()))
        }
        let keys: [(String, RSATestKey)] = [
            ("receipt-root", pki.root.key), ("receipt-intermediate", pki.intermediate.key),
            ("receipt-leaf-2021", pki.leaves[0].key), ("receipt-leaf-2023", pki.leaves[1].key),
            ("receipt-leaf-2025", pki.leaves[2].key), ("xcode-receipt", xcode.key),
        ]
        for (name, key) in keys {
            files.append(pem("TEST-KEY-\(name)", "RSA PRIVATE KEY", key.privateKeyDER))
        }
        return files
    }

    private static func pem(_ name: String, _ label: String, _ der: [UInt8]) -> Catalogue.File {
        // Text before the first boundary is explanatory (RFC 7468, 5.2).
        let warning = "TEST ONLY, worthless: anyone can read or derive the private key.\n"
        return Catalogue.File(
            path: "pki/\(name).pem", contents: Array((warning + Base64.pem(label, der)).utf8))
    }
}
