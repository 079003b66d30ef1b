import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Files of public projects, most of which Xcode wrote.
@Suite(.needsGenuineFiles) struct GenuineFileTests {
    @Test func `every file opens, and is written again without a loss`() throws {
        var exact = 0
        for url in try GenuineFiles.urls() {
            let name = Comment(rawValue: url.lastPathComponent)
            let bytes = [UInt8](try Data(contentsOf: url))
            let configuration = try StoreKitConfiguration(contentsOf: url)
            let isSame = try JSONValue(configuration.encoded) == JSONValue(bytes)
            #expect(isSame, name)
            if configuration.encoded == bytes { exact += 1 }
            let again = try StoreKitConfiguration(configuration.encoded)
            #expect(again.products == configuration.products, name)
            #expect(again.settings == configuration.settings, name)
            let isStable = again.encoded == configuration.encoded
            #expect(isStable, name)
        }
        // Two of the others were written by hand.
        #expect(exact >= 21)
    }

    @Test func `every file's products, groups and offers are counted as Foundation counts them`() throws {
        for url in try GenuineFiles.urls() {
            let configuration = try StoreKitConfiguration(contentsOf: url)
            let json = try JSONValue(Data(contentsOf: url))
            let groups = json["subscriptionGroups"].elements
            let subscriptions = groups.flatMap { $0["subscriptions"].elements }
            let bought = json["products"].elements + json["nonRenewingSubscriptions"].elements
            #expect(configuration.groups.count == groups.count)
            #expect(
                configuration.products.map(\.id) == (bought + subscriptions).map { $0["productID"].string })
            let offers = configuration.products.compactMap(\.subscription)
            let lists: [(String, Int)] = [
                ("adHocOffers", offers.reduce(0) { $0 + $1.promotionalOffers.count }),
                ("codeOffers", offers.reduce(0) { $0 + $1.codeOffers.count }),
                ("winbackOffers", offers.reduce(0) { $0 + $1.winBackOffers.count }),
            ]
            for (name, count) in lists {
                #expect(count == subscriptions.reduce(0) { $0 + $1[name].elements.count })
            }
        }
    }
}

extension JSONValue {
    subscript(name: String) -> JSONValue {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    var string: String { if case .string(let text) = self { text } else { "" } }
}
