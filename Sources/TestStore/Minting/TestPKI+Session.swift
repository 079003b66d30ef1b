extension TestPKI {
    /// A PKI for a session of the test App Store: one leaf, and certificates that are valid at any time that a session
    /// may simulate. The keys are derived from the name.
    ///
    /// - Parameter name: any text. A session that keeps its name keeps its root certificate.
    package static func session(_ name: String) throws(MintingError) -> TestPKI {
        var pki = try TestPKIBuilder(
            name: "Test", keys: "session \(name)", upper: .p384, algorithm: .ecdsaWithSHA384
        ).pki()
        pki.leaves.removeSubrange(1...)
        pki.root.template.setValidity()
        pki.intermediate.template.setValidity()
        pki.leaves[0].template.setValidity()
        return pki
    }

    /// The first and the last second at which a session's certificates are valid. UTCTime, the older of a certificate's
    /// two forms of time, ends with 2049.
    package static let sessionStart = CertificateTime(2000, 1, 1)
    package static let sessionEnd = CertificateTime(2049, 12, 31, 23, 59, 59)
}

extension CertificateTemplate {
    /// Must precede the encoding of the certificate, which is made when a minter is asked for.
    fileprivate mutating func setValidity() {
        notBefore = TestPKI.sessionStart
        notAfter = TestPKI.sessionEnd
    }
}

extension ReceiptPKI {
    /// A PKI for the receipts of sessions: one leaf, valid at any time that a session may simulate.
    package static func session() throws(MintingError) -> ReceiptPKI { try cachedSession.get() }

    // A static initializer cannot throw, so the result is stored.
    private static let cachedSession = Result { () throws(MintingError) -> ReceiptPKI in
        var pki = try ReceiptPKIBuilder(
            keys: "receipt", root: .root, intermediate: .intermediate, leaves: [.leaf2021]
        ).pki()
        pki.root.template.setValidity()
        pki.intermediate.template.setValidity()
        pki.leaves[0].template.setValidity()
        return pki
    }
}
