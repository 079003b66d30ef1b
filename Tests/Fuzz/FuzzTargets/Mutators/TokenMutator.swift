import Minting

/// Changes tokens and signs them again with the test PKI's keys. Without a good signature, no later check
/// would run.
struct TokenMutator {
    private let minters: [(leaf: [UInt8], minter: TokenMinter)]
    private let certificates: CertificateMutator

    init() throws {
        var minters = try [TestPKI.p256(), TestPKI.standard()].flatMap { pki in
            try (0..<3).map { (try pki.leaves[$0].der(), try pki.minter(leaf: $0)) }
        }
        let xcode = try XcodeIdentity()
        minters.append((try xcode.template.der(), try xcode.minter()))
        self.minters = minters
        certificates = CertificateMutator(try TestPKI.p256())
    }

    /// The token after a change of its text. The signature is not made again.
    static func changedText(of token: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        var segments = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(
            Array.init)
        let place = tools.below(segments.count)
        switch tools.below(6) {
        case 0: return tools.havoc(token)
        case 1: segments[place] = tools.havoc(segments[place])
        case 2: segments.swapAt(place, tools.below(segments.count))
        case 3:
            // Replaces the last character, which has bits that must be zero.
            guard let last = segments[place].indices.last else { break }
            segments[place][last] = tools.pick(Array("ABCDEQgwxyz059-_=+/".utf8)) ?? 0
        default:
            segments[place] = Base64URL.encoded(tools.havoc(Base64URL.decoded(segments[place][...]) ?? []))
        }
        return Array(segments.joined(separator: [UInt8(ascii: ".")]))
    }

    /// The token after a change of any kind, usually signed again.
    func changed(_ token: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        guard let parts = Base64URL.segments(token) else { return Self.changedText(of: token, &tools) }
        switch tools.below(12) {
        case 0, 1: return Self.changedText(of: token, &tools)
        case 2...5: return signed(parts.header, JSONMutator.changed(parts.payload, &tools), &tools)
        case 6: return signed(JSONMutator.changed(parts.header, &tools), parts.payload, &tools)
        case 7, 8: return signed(changedChain(of: parts.header, &tools), parts.payload, &tools)
        case 9: return signed(tools.pick(minters)?.minter.header ?? [], parts.payload, &tools)
        case 10: return signed(parts.header, changedInside(of: parts.payload, &tools), &tools)
        default:
            let signed = token.prefix(token.lastIndex(of: UInt8(ascii: ".")) ?? 0)
            return signed + [UInt8(ascii: ".")]
                + Base64URL.encoded(changed(signature: parts.signature, &tools))
        }
    }

    /// Signs with the key of the leaf in the header, or with any key.
    func signed(_ header: [UInt8], _ payload: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        let leaf = PlainJSON(header).flatMap { HeaderTarget.certificates($0) }?.first
        let match = minters.first { $0.leaf == leaf } ?? tools.pick(minters)
        guard var minter = match?.minter else { return [] }
        minter.header = header
        guard let token = try? minter.token(payload: payload) else { return [] }
        return Array(token.utf8)
    }

    private func changedChain(of header: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        guard let chain = PlainJSON(header).flatMap({ HeaderTarget.certificates($0) }) else { return header }
        return TokenMinter.header(x5c: certificates.changed(chain, &tools))
    }

    /// The payload after a change of a token inside it, if it has one.
    private func changedInside(of payload: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        guard case .object(var members)? = PlainJSON(payload) else { return payload }
        let parts = members.indices.filter { if case .object = members[$0].value { true } else { false } }
        guard let part = tools.pick(parts), case .object(var inner) = members[part].value else {
            return JSONMutator.changed(payload, &tools)
        }
        let tokens = inner.indices.filter { inner[$0].value.stringBytes.map { $0.count > 200 } ?? false }
        guard let place = tools.pick(tokens), let token = inner[place].value.stringBytes else {
            return JSONMutator.changed(payload, &tools)
        }
        let changed = String(decoding: changed(token, &tools), as: UTF8.self)
        inner[place].value = .string(Array(changed.utf8))
        members[part].value = .object(inner)
        return PlainJSON.object(members).written
    }

    private func changed(signature: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        var signature = signature
        switch tools.below(5) {
        case 0: return tools.havoc(signature)
        case 1: signature = Array(signature.dropFirst(32) + signature.prefix(32))
        case 2: signature.replaceSubrange(..<min(32, signature.count), with: [UInt8](repeating: 0, count: 32))
        default:
            guard !signature.isEmpty else { break }
            signature[tools.below(signature.count)] ^= 1 << UInt8(tools.below(8))
        }
        return signature
    }
}
