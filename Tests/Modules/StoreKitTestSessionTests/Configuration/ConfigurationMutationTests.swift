import Foundation
import RepositoryFiles
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Files in which one member is missing or of another type open or are refused, and nothing traps afterwards.
@Suite struct ConfigurationMutationTests {
    private static let replacements: [JSONValue?] = [
        nil, .null, .number(-1), .number(1e18), .string(""), .string("ä"), .array([]), .array([.null]),
        .object([:]),
        .bool(true),
    ]

    @Test(arguments: 0..<5) func `every change of one member is opened or refused`(part: Int) async throws {
        var (opened, refused) = (0, 0)
        for text in try texts() {
            let json = try JSONValue(text)
            for number in stride(from: part, to: json.memberCount, by: 5) {
                for (place, replacement) in Self.replacements.enumerated() {
                    let changed = json.replacingMember(number, by: replacement)
                    // Using each takes the time of many signatures.
                    let uses = (place + number / 5).isMultiple(of: 4)
                    if try await isOpened(changed.text, uses: uses) { opened += 1 } else { refused += 1 }
                }
            }
        }
        #expect(opened > 50 && refused > 50, "\(opened) and \(refused)")
    }

    private func texts() throws -> [[UInt8]] {
        let example = try Garden.configuration().encoded
        guard PrivateTestData.storeKitFiles.folder != nil else { return [example] }
        let files = try GenuineFiles.urls().filter { ["038.storekit"].contains($0.lastPathComponent) }
        return try [example] + files.map { [UInt8](try Data(contentsOf: $0)) }
    }

    private func isOpened(_ text: String, uses: Bool) async throws -> Bool {
        let configuration: StoreKitConfiguration
        do throws(StoreKitConfigurationError) {
            configuration = try StoreKitConfiguration(Array(text.utf8))
        } catch {
            #expect(!error.reason.isEmpty)
            return false
        }
        if uses { try await use(configuration) }
        return true
    }

    /// Uses everything once. What is refused is refused by an error.
    private func use(_ configuration: StoreKitConfiguration) async throws {
        #expect(!configuration.encoded.isEmpty)
        guard let product = configuration.products.last else { return }
        let session = try Garden.session(configuration)
        try await session.setSimulatedError(nil, forAPI: .loadProducts)
        let sold = try await session.run { try await Product.products(for: configuration.products.map(\.id)) }
        #expect(sold.count == configuration.products.count)
        let options = product.subscription?.offers.compactMap(\.id).map {
            Product.PurchaseOption.promotionalOffer(id: $0)
        }
        _ = try? await session.buy(product.id, Set(options?.prefix(1) ?? []))
        _ = try? session.buyProduct(productIdentifier: product.id)
        try session.advance(by: .seconds(1))
        for transaction in session.allTransactions() {
            _ = try? session.disableAutoRenewForTransaction(identifier: transaction.identifier)
            _ = try? session.refundTransaction(identifier: transaction.identifier)
        }
        _ = session.takeNotifications()
    }
}
