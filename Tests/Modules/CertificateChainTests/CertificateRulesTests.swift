import CertificateChain
import CompactJWS
import Minting
import TestMinting
import Testing
import WireFormats

/// Each test changes one field of a good chain and breaks one rule (RFC 5280 and Apple's markers).
@Suite struct CertificateRulesTests {
    private typealias Violation = CertificateChainError.Violation
    private typealias Identifier = CertificateExtension.Identifier

    @Test func `a chain shaped like Apple's is trusted, and so is one wholly on P-256`() throws {
        for pki in [try TestPKI.standard(), try TestPKI.p256()] {
            for index in pki.leaves.indices {
                let signer = try Chain(pki, leaf: index).judge()
                let second = Int64(pki.leaves[index].template.notBefore.secondsSince1970)
                #expect(try signer.certificates(validAt: second).count == 3)
                #expect(!signer.isPinned)
            }
        }
    }

    @Test func `a critical marker is understood`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.leaf.template.modify(Identifier.leafMarker) { $0.criticalDER = DER.boolean(true) }
        chain.intermediate.template.modify(Identifier.intermediateMarker) {
            $0.criticalDER = DER.boolean(true)
        }
        #expect(throws: Never.self) { try chain.judge() }
    }

    @Test func `a leaf without Apple's marker is refused, even with the intermediate's`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.leaf.template.remove(Identifier.leafMarker)
        chain.leaf.template.set(.marker(Identifier.intermediateMarker))
        try expect(chain, .leaf, .missingMarker("1.2.840.113635.100.6.11.1"))
    }

    @Test func `an intermediate without the WWDR marker is refused`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.intermediate.template.remove(Identifier.intermediateMarker)
        try expect(chain, .intermediate, .missingMarker("1.2.840.113635.100.6.2.1"))
    }

    @Test func `a leaf that is a certificate authority is refused`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.leaf.template.set(.basicConstraints(isCA: true))
        try expect(chain, .leaf, .certificateAuthority)
    }

    @Test func `a leaf whose key usage lacks digitalSignature is refused, and one without key usage is not`()
        throws
    {
        var chain = try Chain(TestPKI.p256())
        chain.leaf.template.set(.keyUsage(CertificateExtension.KeyUsage.keyAgreement))
        try expect(chain, .leaf, .keyUsageLacks("digitalSignature"))
        chain.leaf.template.remove(Identifier.keyUsage)
        #expect(throws: Never.self) { try chain.judge() }
    }

    @Test func `an intermediate that is no certificate authority is refused`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.intermediate.template.set(.basicConstraints(isCA: false))
        try expect(chain, .intermediate, .notCertificateAuthority)
        chain.intermediate.template.remove(Identifier.basicConstraints)
        try expect(chain, .intermediate, .notCertificateAuthority)
    }

    @Test func `an intermediate needs the key usage keyCertSign`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.intermediate.template.set(.keyUsage(CertificateExtension.KeyUsage.digitalSignature))
        try expect(chain, .intermediate, .keyUsageLacks("keyCertSign"))
        chain.intermediate.template.remove(Identifier.keyUsage)
        try expect(chain, .intermediate, .keyUsageMissing)
    }

    @Test func `an unknown critical extension is refused wherever it stands`() throws {
        let unknown = CertificateExtension(Identifier.unknown, critical: true, contents: DER.null)
        let constraints = CertificateExtension(
            Identifier.nameConstraints, critical: true, contents: DER.sequence())
        for found in [unknown, constraints] {
            var chain = try Chain(TestPKI.p256())
            chain.leaf.template.set(found)
            try expect(chain, .leaf, .unknownCriticalExtension(dotted(found.identifier)))
            chain = try Chain(TestPKI.p256())
            chain.intermediate.template.set(found)
            try expect(chain, .intermediate, .unknownCriticalExtension(dotted(found.identifier)))
            chain = try Chain(TestPKI.p256())
            chain.root.template.set(found)
            try expect(chain, .anchor, .unknownCriticalExtension(dotted(found.identifier)))
        }
    }

    @Test func `an unknown extension that is not critical is accepted`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.leaf.template.set(CertificateExtension(Identifier.unknown, contents: [1, 2, 3]))
        #expect(throws: Never.self) { try chain.judge() }
    }

    @Test func `an extension that comes twice is refused`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.leaf.template.extensions.append(.marker(Identifier.leafMarker))
        try expect(chain, .leaf, .duplicateExtension("1.2.840.113635.100.6.11.1"))
    }

    @Test func `certificates of version 1 and 2 are refused`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.leaf.template.version = 1
        try expect(chain, .leaf, .version(2))
        chain = try Chain(TestPKI.p256())
        chain.intermediate.template.version = 1
        try expect(chain, .intermediate, .version(2))
    }

    @Test func `a serial number may be zero or long, but not negative`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.leaf.template.serialNumber = [0]
        #expect(throws: Never.self) { try chain.judge() }
        chain.leaf.template.serialNumber = [UInt8](repeating: 0x7f, count: 40)
        #expect(throws: Never.self) { try chain.judge() }
        chain.leaf.template.serialNumber = [0x80]
        try expect(chain, .leaf, .negativeSerialNumber)
    }

    @Test func `the two signature algorithms of a certificate must be the same`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.leaf.template.innerAlgorithm = .ecdsaWithSHA512
        let error = try #require(chain.failure)
        guard case .signatureAlgorithmMismatch = error.violation else {
            return #expect(Bool(false), "\(error)")
        }
        #expect(error.position == .leaf)
    }

    @Test func `a leaf key on another curve is refused`() throws {
        for (curve, name) in [
            (EllipticCurve.p384, "secp384r1"), (.p521, "secp521r1"), (.secp256k1, "secp256k1"),
        ] {
            var chain = try Chain(TestPKI.p256())
            chain.leaf.template.publicKeyInfo = try TestKey("other curve", on: curve).publicKeyInfo()
            try expect(chain, .leaf, .publicKey(found: name, expected: "P-256"))
        }
    }

    @Test func `a leaf key that is compressed, or on a curve by parameters, is refused`() throws {
        var chain = try Chain(TestPKI.p256())
        let key = chain.leaf.key
        chain.leaf.template.publicKeyInfo = key.publicKeyInfo(point: key.compressedPoint)
        #expect(chain.failure?.detail == "certificatePublicKey")
        chain.leaf.template.publicKeyInfo = key.publicKeyInfoWithExplicitParameters()
        #expect(chain.failure?.detail == "certificatePublicKey")
    }

    @Test func `a leaf key that is not a point of its curve is refused`() throws {
        var chain = try Chain(TestPKI.p256())
        var point = chain.leaf.key.uncompressedPoint
        point[64] ^= 1
        chain.leaf.template.publicKeyInfo = chain.leaf.key.publicKeyInfo(point: point)
        let error = try #require(chain.failure)
        #expect(error.position == .leaf)
    }

    @Test func `an anchor's path length and purpose are honoured`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.root.template.set(.basicConstraints(isCA: true, pathLength: 1))
        #expect(throws: Never.self) { try chain.judge() }
        chain.root.template.set(.basicConstraints(isCA: true, pathLength: 0))
        try expect(chain, .anchor, .pathLength(allowed: 0, found: 1))
        chain.root.template.set(.basicConstraints(isCA: false))
        try expect(chain, .anchor, .notCertificateAuthority)
        chain = try Chain(TestPKI.p256())
        chain.root.template.set(.keyUsage(CertificateExtension.KeyUsage.cRLSign))
        try expect(chain, .anchor, .keyUsageLacks("keyCertSign"))
        chain.root.template.remove(Identifier.keyUsage)
        #expect(throws: Never.self) { try chain.judge() }
    }

    @Test func `an intermediate that names the anchor but is signed by another key is refused`() throws {
        let real = try Chain(TestPKI.p256())
        var forged = real
        forged.root.key = try TestKey("an impostor")
        forged.root.template.publicKeyInfo = forged.root.key.publicKeyInfo()
        forged.root.template.signer = .ec(forged.root.key)
        forged.intermediate.template.signer = .ec(forged.root.key)
        let anchors = try TrustAnchors([TrustAnchor(der: real.root.der())])
        let error = #expect(throws: CertificateChainError.self) { try anchors.judge(forged.presented()) }
        #expect(error?.position == .intermediate)
        #expect(error?.detail == "certificateSignature")
    }

    @Test func `x5c[2] gives no trust: a foreign hierarchy is refused, and a foreign root is ignored`()
        throws
    {
        let anchors = try TrustAnchors([TrustAnchor(der: TestPKI.p256().root.der())])
        let error = #expect(throws: CertificateChainError.self) {
            try anchors.judge(Chain(TestPKI.forged()).presented())
        }
        #expect(error?.position == .intermediate)
        var chain = try Chain(TestPKI.p256())
        chain.presentedRoot = try TestPKI.forged().root.der()
        #expect(throws: Never.self) { try chain.judge() }
        chain.presentedRoot = [0x30, 0x00]
        #expect(chain.failure?.position == .root)
    }

    @Test func `a certificate that is too long is named by its position and never read`() throws {
        let pki = try TestPKI.p256()
        let anchors = try TrustAnchors([TrustAnchor(der: pki.root.der())])
        let good = [try pki.leaves[0].der(), try pki.intermediate.der(), try pki.root.der()]
        for (place, position) in [CertificateChainError.Position.leaf, .intermediate, .root].enumerated() {
            var elements = good.map { X5C.Element($0) }
            elements[place] = X5C.Element([UInt8](repeating: 0, count: 16_385))
            let x5c = X5C.chain(leaf: elements[0], intermediate: elements[1], root: elements[2])
            let error = #expect(throws: CertificateChainError.self) { try anchors.judge(PresentedChain(x5c)) }
            #expect(error == CertificateChainError(position, nil, .tooLarge(bytes: 16_385, limit: 16_384)))
        }
    }

    @Test func `a certificate may have a thousand unknown extensions, none critical and none twice`() throws {
        typealias Extension = CertificateExtension
        let cases: [(Extension?, CertificateChainError.Violation?)] = [
            (nil, nil), (Extension([1, 2, 3, 999], contents: []), .duplicateExtension("1.2.3.999")),
            (Extension([2, 25, 7], critical: true, contents: []), .unknownCriticalExtension("2.25.7")),
            (Extension([2, 5, 29, 30], contents: []), .restrictingExtension("2.5.29.30")),
            (
                Extension([1, 3, 6, 1, 5, 5, 7, 1, 99], contents: [1]),
                .malformedExtension("1.3.6.1.5.5.7.1.99")
            ),
            // Beside RFC 5280's, not among them.
            (Extension([2, 5, 29], contents: [1]), nil), (Extension([2, 5, 30, 1], contents: [1]), nil),
        ]
        for (last, violation) in cases {
            var chain = try Chain(TestPKI.p256())
            chain.leaf.template.extensions += (0..<1_000).map { Extension([1, 2, 3, $0], contents: []) }
            if let last { chain.leaf.template.extensions.append(last) }
            #expect(chain.failure?.violation == violation)
        }
    }

    @Test func `a root that is no certificate is refused before any chain is judged`() throws {
        var chain = try Chain(TestPKI.p256())
        chain.leaf.template.remove(CertificateExtension.Identifier.leafMarker)
        #expect(chain.failure?.position == .leaf)
        for bytes: [UInt8] in [[0x30, 0x00], [0x30, 0x00, 0x00]] {
            chain.presentedRoot = bytes
            #expect(chain.failure?.position == .root)
        }
    }

    @Test func `a receipt's certificates are bounded together`() throws {
        let certificates = try (0..<4).map { serial in
            var leaf = try TestPKI.p256().leaves[0].template
            leaf.serialNumber = [UInt8(serial)]
            leaf.set(CertificateExtension([1, 2, 3], contents: [UInt8](repeating: 0, count: 7_000)))
            return try leaf.der()
        }
        #expect(throws: Never.self) { try ReceiptCertificates(Array(certificates[..<3])) }
        let error = #expect(throws: CertificateChainError.self) { try ReceiptCertificates(certificates) }
        #expect(error?.detail == "certificateTooLarge")
    }

    @Test func `a long name is cut to 400 bytes, beginning with its last attributes`() throws {
        var leaf = try TestPKI.p256().leaves[0].template
        leaf.subject.organization = String(repeating: "\u{1}é", count: 4_000)
        let shown = try Certificate(der: leaf.der(), position: .leaf).description.subject
        #expect(shown.hasPrefix(#"O=\01é\01é\01"#))
        #expect(shown.hasSuffix("…"))
        #expect((398...403).contains(shown.utf8.count))
        leaf.subject.organization = "last"
        leaf.subject.commonName = String(repeating: "x", count: 4_000)
        let cut = try Certificate(der: leaf.der(), position: .leaf).description.subject
        #expect(cut.hasPrefix("O=last,"))
        #expect(cut.hasSuffix("xxx…"))
        #expect(cut.utf8.count == 400 + "…".utf8.count)
    }

    @Test func `certificates in another order are refused`() throws {
        let pki = try TestPKI.p256()
        let anchors = try TrustAnchors([TrustAnchor(der: pki.root.der())])
        let x5c = X5C.chain(
            leaf: .der(try pki.intermediate.der()), intermediate: .der(try pki.leaves[0].der()),
            root: .der(try pki.root.der()))
        #expect(throws: CertificateChainError.self) { try anchors.judge(PresentedChain(x5c)) }
    }

    @Test func `among several anchors of one name the right one is found`() throws {
        let chain = try Chain(TestPKI.p256())
        var namesake = chain.root
        namesake.key = try TestKey("a namesake")
        namesake.template.publicKeyInfo = namesake.key.publicKeyInfo()
        namesake.template.signer = .ec(namesake.key)
        for anchors in [[namesake, chain.root], [chain.root, namesake]] {
            let trusted = try TrustAnchors(anchors.map { TrustAnchor(der: try $0.der()) })
            #expect(throws: Never.self) { try trusted.judge(chain.presented()) }
        }
    }

    private func expect(
        _ chain: Chain, _ position: CertificateChainError.Position, _ violation: Violation,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(chain.failure, sourceLocation: sourceLocation)
        #expect(error.position == position, "\(error)", sourceLocation: sourceLocation)
        #expect(error.violation == violation, sourceLocation: sourceLocation)
        #expect(error.certificate != nil, sourceLocation: sourceLocation)
        #expect(error.description.contains("serial"), sourceLocation: sourceLocation)
    }

    private func dotted(_ identifier: [UInt]) -> String { identifier.map(String.init).joined(separator: ".") }
}

/// A hierarchy whose certificates can be changed one by one before they are signed.
struct Chain {
    var root: TestPKI.Entity
    var intermediate: TestPKI.Entity
    var leaf: TestPKI.Entity
    var presentedRoot: [UInt8]?

    init(_ pki: TestPKI, leaf index: Int = 0) throws {
        root = pki.root
        intermediate = pki.intermediate
        leaf = pki.leaves[index]
    }

    func presented() throws -> PresentedChain {
        try PresentedChain(
            .chain(
                leaf: .der(leaf.der()), intermediate: .der(intermediate.der()),
                root: .der(presentedRoot ?? root.der())))
    }

    @discardableResult
    func judge() throws -> TrustedSigner {
        try TrustAnchors([TrustAnchor(der: root.der())]).judge(presented())
    }

    var failure: CertificateChainError? {
        do {
            try judge()
            return nil
        } catch {
            return error as? CertificateChainError
        }
    }
}
