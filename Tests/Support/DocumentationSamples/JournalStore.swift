import Foundation
import SignedPayloads
import StoreKitVerify

/// A store in a text file. Each line has a signed payload; a mark before it says that the transaction is finished.
/// Other lines name the notifications that were applied.
actor JournalStore: TransactionStore {
    nonisolated let listeners = StoreListeners()
    private let file: FileHandle
    private var kept = PurchaseHistory()
    /// The notifications that were applied.
    private var seen: Set<UUID> = []
    /// The purchases with a line that is no longer verified. It may be a refund, so they entitle to nothing.
    private var unverified: Set<UInt64> = []
    private static let mark = "finished "
    private static let notificationMark = "notification "

    /// Opens a file, or makes one, and reads it back through a verifier.
    init(path: String, verifier: StoreKitVerifier) throws {
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
        file = try FileHandle(forUpdating: URL(filePath: path))
        let bytes = try file.readToEnd() ?? Data()
        // The end of a line that a crash cut off was never acknowledged.
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        try file.truncate(atOffset: UInt64(whole))
        for line in String(decoding: bytes[..<whole], as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix(Self.notificationMark) {
                if let id = UUID(uuidString: String(line.dropFirst(Self.notificationMark.count))) {
                    seen.insert(id)
                }
                continue
            }
            let isFinished = line.hasPrefix(Self.mark)
            let jws = String(isFinished ? line.dropFirst(Self.mark.count) : line)
            do {
                // The file's content is a claim: another program may have changed it.
                let payload = try verifier.payloads.verify(line: jws)
                if payload.kind == .renewalInfo {
                    let info: Product.SubscriptionInfo.RenewalInfo = try verifier.value(of: payload)
                    try kept.add(.verified(info))
                } else {
                    let transaction: Transaction = try verifier.value(of: payload)
                    if isFinished { kept.finish(transaction) } else { try kept.add(.verified(transaction)) }
                }
            } catch {
                // A line that names no purchase may be any purchase's refund.
                guard let purchase = Self.claimedPurchase(in: jws) else { throw error }
                unverified.insert(purchase)
                let message = "purchase \(purchase) is left out, a payload is not verified: \(error)\n"
                try? FileHandle.standardError.write(contentsOf: Data(message.utf8))
            }
        }
    }

    /// The original transaction that a token names, whether the token is verified or not.
    private static func claimedPurchase(in jws: String) -> UInt64? {
        struct Claims: Decodable { let originalTransactionId: String }
        var payload = jws.split(separator: ".").dropFirst().first.map(String.init) ?? ""
        payload = payload.replacing("-", with: "+").replacing("_", with: "/")
        payload += String(repeating: "=", count: (4 - payload.count % 4) % 4)
        let json = Data(base64Encoded: payload) ?? Data()
        return UInt64((try? JSONDecoder().decode(Claims.self, from: json))?.originalTransactionId ?? "")
    }

    func apply(_ transaction: VerificationResult<Transaction>) async throws {
        // Throws if the value is unverified.
        let value = try transaction.payloadValue
        guard kept.purchase(of: value)?[value.id] != value else { return }
        try write(transaction.jwsRepresentation)
        guard try kept.add(transaction) else { return }
        listeners.announce(value) { kept.purchase(of: value).map { [$0] } ?? [] }
    }

    func apply(_ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) async throws {
        let value = try renewalInfo.payloadValue
        try write(renewalInfo.jwsRepresentation)
        guard try kept.add(renewalInfo) else { return }
        let purchase = Customer.originalTransactionID(value.originalTransactionID)
        listeners.announce(nil) { kept.purchases(of: purchase).purchases }
    }

    func apply(_ notification: VerificationResult<ServerNotification>) async throws -> Bool {
        let value = try notification.payloadValue
        let (transaction, renewalInfo) = try value.purchases()
        if let transaction { try await apply(.verified(transaction)) }
        if let renewalInfo { try await apply(.verified(renewalInfo)) }
        // No other call comes between these lines.
        guard !seen.contains(value.notificationUUID) else { return false }
        try write(Self.notificationMark + value.notificationUUID.uuidString)
        seen.insert(value.notificationUUID)
        return true
    }

    func finish(_ transaction: Transaction) async throws {
        try write(Self.mark + transaction.signedContent.jwsRepresentation)
        kept.finish(transaction)
    }

    func history(of customer: Customer) async throws -> PurchaseHistory {
        let purchases = kept.purchases(of: customer).purchases
        return PurchaseHistory(purchases.filter { !unverified.contains($0.id.originalTransactionID) })
    }

    /// Writes a line. When this returns, it is on the disk.
    private func write(_ line: String) throws {
        try file.write(contentsOf: Data("\(line)\n".utf8))
        try file.synchronize()
    }
}
