import Minting

/// Changes certificates and signs them again with the test PKI's keys, so that the verifier reads the changed
/// parts.
struct CertificateMutator {
    private let issued: [CertificateTemplate]

    /// - Parameter pki: the PKI whose authorities sign.
    init(_ pki: TestPKI) {
        issued = [pki.leaves[pki.leaves.count - 1].template, pki.intermediate.template, pki.root.template]
    }

    /// Leaf, intermediate and root, with one of them changed.
    func changed(_ certificates: [[UInt8]], _ tools: inout MutationTools) -> [[UInt8]] {
        var certificates = certificates
        // Most rules concern the leaf, and none the root.
        let place = min(tools.below(certificates.count + 1) / 2 + tools.below(2), certificates.count - 1)
        guard certificates.indices.contains(place) else { return certificates }
        if tools.oneIn(16) {
            certificates.swapAt(place, tools.below(certificates.count))
        } else {
            certificates[place] = changed(certificates[place], place, &tools)
        }
        return certificates
    }

    private func changed(_ der: [UInt8], _ place: Int, _ tools: inout MutationTools) -> [UInt8] {
        guard !tools.oneIn(4), let whole = DERTree.elements(der[...], opensStrings: true)?.first,
            var signedPart = whole.children.first
        else { return DERMutator.changed(der, &tools) }
        DERMutator.change(&signedPart, &tools)
        let template = issued[min(place, issued.count - 1)]
        return (try? template.der(signing: signedPart.encoded)) ?? der
    }
}
