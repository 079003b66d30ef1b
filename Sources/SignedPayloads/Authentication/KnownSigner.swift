internal import CertificateChain
internal import Libcrypto
internal import P256Verification
internal import Revocation
internal import Synchronization
internal import WireFormats

/// A signer whose header has been proved genuine, with all that can be prepared for its next payload.
final class KnownSigner: Sendable {
    /// The judgement.
    let signer: TrustedSigner
    /// A few of the header's bytes, to tell signers apart quickly.
    let fingerprint: UInt64
    /// What every signing input of the signer begins with, the header and its dot.
    let beginning: [UInt8]
    /// The hash of the beginning, to be continued.
    let prefix: SHA256Prefix
    /// Seconds since 1970 at which there is no question that all certificates are valid.
    let validity: Range<Int64>
    /// What is known about the revocation of its certificates; `nil` where nobody is to be asked.
    let revocation: SignerRevocation?
    /// The key, as the batch takes it.
    private let key: P256PublicKey?
    private let state = Mutex(State())

    private struct State {
        var payloads = 0
        var nextAttempt = TableBudget.widths[0].payloads
        var table: P256KeyTable?
    }

    init(_ signer: TrustedSigner, revocation: SignerRevocation?, header: Span<UInt8>) {
        self.signer = signer
        self.revocation = revocation
        fingerprint = Self.fingerprint(of: header)
        var beginning: [UInt8] = []
        beginning.reserveCapacity(header.count + 1)
        for index in 0..<header.count { beginning.append(header[index]) }
        beginning.append(UInt8(ascii: "."))
        self.beginning = beginning
        prefix = SHA256Prefix(beginning.span)
        validity = signer.commonValidity
        let point = signer.publicPoint ?? []
        key = P256PublicKey(uncompressedPoint: point.span)
    }

    /// Whether this is the header that presented the signer.
    func presented(_ header: Span<UInt8>) -> Bool {
        let beginning = beginning
        guard header.count == beginning.count - 1 else { return false }
        return ByteScanning.starts(beginning.span, with: header)
    }

    /// Whether the token begins with the header that presented the signer, and a dot.
    @inline(__always)
    func begins(_ token: Span<UInt8>) -> Bool {
        let beginning = beginning
        return ByteScanning.starts(token, with: beginning.span)
    }

    /// The key's table, if it has earned one.
    var table: P256KeyTable? { state.withLock(\.table) }

    /// Counts payloads, and makes the table that so many of them pay for, if there is memory left.
    func countPayloads(_ count: Int, budget: TableBudget) {
        guard let key else { return }
        // Whoever finds an attempt due makes it; others need not wait for that. Each time the count has doubled
        // is often enough: memory may have become free.
        let widths = state.withLock { state -> [Int] in
            state.payloads += count
            guard state.payloads >= state.nextAttempt else { return [] }
            state.nextAttempt = state.payloads * 2
            let present = state.table?.windowBits ?? 0
            return TableBudget.widths.filter { $0.payloads <= state.payloads && $0.bits > present }.map(
                \.bits)
        }
        for width in widths.reversed() {
            guard let table = budget.table(for: key, windowBits: width) else { continue }
            state.withLock { state in
                if state.table.map({ $0.windowBits < width }) ?? true { state.table = table }
            }
            return
        }
    }

    /// A number that two headers are unlikely to share: certificates differ from their serial numbers on,
    /// within the first hundred bytes, and in their ends, which are signatures.
    static func fingerprint(of header: Span<UInt8>) -> UInt64 {
        var hash = UInt64(header.count)
        let step = max(1, header.count / 32)
        for index in stride(from: 0, to: header.count, by: step) {
            // FNV-1a's prime.
            hash = (hash ^ UInt64(header[index])) &* 0x100_0000_01b3
        }
        for index in min(64, header.count)..<min(96, header.count) {
            hash = (hash ^ UInt64(header[index])) &* 0x100_0000_01b3
        }
        return hash
    }
}
