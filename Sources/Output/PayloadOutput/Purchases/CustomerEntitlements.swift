package import Essentials
package import StoreKitVerify
package import WireFormats

/// The entitlements of one customer in the apps and the environment that count, or why no answer can be given.
package struct CustomerEntitlements {
    private let names: [Customer.Name]
    private let result: Result<[Entitlement], SeveralAppsError>
    private let otherNames: [Customer.Name]
    /// The purchases that count; empty if there is no answer.
    package let history: PurchaseHistory

    /// - Parameters:
    ///   - names: the customer's names, as they were asked for.
    ///   - wider: the customer's purchases, and those under the names that these give.
    ///   - selection: the apps and the environment that count.
    ///   - instant: the time of the entitlements.
    package init(
        of names: [Customer.Name], in wider: PurchaseHistory, _ selection: AppSelection, at instant: Date
    ) {
        self.names = names
        let customer = Customer(names)
        do throws(SeveralAppsError) {
            history = try wider.purchases(of: customer).purchases(of: selection)
            result = .success(Entitlement.all(in: history, areOneCustomers: true, at: instant))
        } catch {
            history = PurchaseHistory()
            result = .failure(error)
        }
        otherNames = history.otherNames(of: customer, in: wider)
    }

    /// The customer as a JSON object of a list: the first name, which is the one that was asked for; further ones; and the
    /// entitlements, or `error` with a message.
    package var object: ObjectText {
        var object = ObjectText()
        object.add("name", names.first?.description)
        object.add("also", names.dropFirst().map(\.description))
        switch result {
        case .success(let entitlements): add(entitlements, to: &object)
        case .failure(let error):
            object.add("error", "severalApps")
            object.add("message", message: Self.message(error))
        }
        return object
    }

    /// Adds the entitlements and the names under which there are more purchases.
    ///
    /// - Throws: `SeveralAppsError` if the selection means the customer's only app, and there are several.
    package func add(to object: inout ObjectText) throws(SeveralAppsError) {
        add(try result.get(), to: &object)
    }

    private func add(_ entitlements: [Entitlement], to object: inout ObjectText) {
        object.add("entitlements", all: entitlements.map(\.object))
        object.add("otherNames", otherNames.map(\.description))
    }

    /// The remedy for purchases of several apps, for a caller of the service.
    package static func message(_ error: SeveralAppsError) -> String {
        "The customer has purchases of several apps; say which one with ?bundleId=. There are: \(error.bundleIDs.joined(separator: ", "))."
    }
}
