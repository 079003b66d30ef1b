import AppStoreTables
import StoreKitTestSession
import TestServerAPI
import Testing

/// The test store decides codes by their names in Swift. Apple's names and messages come from the tables that the client
/// has, too.
@Suite struct ErrorTableTests {
    @Test func `every code that the test store decides is in a table`() {
        let entries = ServerAPIError.allCases.map(\.entry) + AdvancedCommerceCode.allCases.map(\.entry)
        for entry in entries {
            #expect(!entry.name.isEmpty && entry.message.hasSuffix("."), "\(entry)")
        }
        for code in ExternalPurchaseErrorCode.allCases { #expect(code.message.hasSuffix("."), "\(code)") }
    }

    @Test func `a line of a table is read as a number, a name and a message`() {
        let entry = ErrorTable.server[4_000_012]
        #expect(entry?.name == "StartDateTooFarInPast")
        #expect(
            entry?.message == "Invalid request. The start date is earlier than the allowed start date.")
        #expect(ErrorTable.server.entries.count == 93 && ErrorTable.advancedCommerce.entries.count == 130)
        #expect(ErrorTable.externalPurchase.entries.count == 35 && ErrorTable.unnumbered.entries.count == 7)
    }

    @Test func `outside of production a tenth of the limits applies, and at least one request a second`() {
        #expect(AppStoreEndpoint.transactionHistory.limit(inProduction: true) == 50)
        #expect(AppStoreEndpoint.transactionHistory.limit(inProduction: false) == 5)
        #expect(AppStoreEndpoint.imageList.limit(inProduction: false) == 1)
    }
}
