import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Family Sharing between two sessions.
@Suite struct FamilyTests {
    @Test func `a member who had a subscription gets the family's, which began earlier`() async throws {
        let buyer = try Garden.session()
        let member = buyer.newCustomer()
        try await buyer.bought(Garden.yearly)
        try buyer.advance(days: 10)
        try await member.bought(Garden.premium)
        try member.expireSubscription(productIdentifier: Garden.premium)
        try buyer.share(transaction: buyer.latest().identifier, with: member)
        await member.expect(entitled: [Garden.yearly])
        let shared = try member.latest()
        #expect(shared.identifier == shared.originalTransactionIdentifier)
        try member.leaveFamilySharing(ofTransaction: shared.identifier)
        await member.expect(entitled: [])
        await buyer.expect(entitled: [Garden.yearly])
    }

    @Test func `what the buyer loses, the members lose`() async throws {
        let buyer = try Garden.session()
        let member = buyer.newCustomer()
        for product in [Garden.greenhouse, Garden.monthly] {
            try await buyer.bought(product)
            try buyer.share(transaction: buyer.latest().identifier, with: member)
        }
        await member.expect(entitled: [Garden.greenhouse, Garden.monthly])
        try buyer.refundTransaction(identifier: buyer.latest().identifier)
        await member.expect(entitled: [Garden.greenhouse])
        buyer.clearTransactions()
        await buyer.expect(entitled: [])
    }

    @Test func `only what a family can share is shared, and only within an App Store`() async throws {
        let buyer = try Garden.session()
        let member = buyer.newCustomer()
        let stranger = try Garden.session()
        try await buyer.bought(Garden.seeds)
        let seeds = try buyer.latest().identifier
        refuses(.invalidAction) { try buyer.share(transaction: seeds, with: member) }
        try await buyer.bought(Garden.greenhouse)
        let greenhouse = try buyer.latest().identifier
        refuses(.invalidAction) { try buyer.share(transaction: greenhouse, with: stranger) }
        refuses(.invalidAction) { try buyer.share(transaction: greenhouse, with: buyer) }
        refuses(.noTransactionFound) { try member.share(transaction: greenhouse, with: buyer) }
    }
}
