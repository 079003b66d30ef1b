package import SignedPayloads

/// Which apps' purchases are looked at together, and in which environment.
///
/// A device runs one app in one environment. A store may hold purchases of several: of the Sandbox beside
/// those that were paid for, and of other apps under the same account token. They must not entitle one
/// another's customers, so a query is about one app in one environment, unless it asks for more.
public struct AppSelection: Hashable, Sendable {
    /// The bundle identifier of the app; `nil` for all apps together, if `isOneApp` is false.
    package let bundleID: String?
    /// Whether the purchases must be of one app.
    let isOneApp: Bool
    /// The environment; `nil` for all together.
    package let environment: AppStore.Environment?

    /// The only app that the customer has purchases of in the environment. If there are several, the
    /// query cannot tell which one to answer for, and throws `SeveralAppsError`.
    public static func onlyApp(in environment: AppStore.Environment = .production) -> AppSelection {
        AppSelection(bundleID: nil, isOneApp: true, environment: environment)
    }

    /// One app in one environment.
    public static func app(
        _ bundleID: String, in environment: AppStore.Environment = .production
    ) -> AppSelection {
        AppSelection(bundleID: bundleID, isOneApp: true, environment: environment)
    }

    /// All apps together in one environment, or in all (`nil`).
    public static func allApps(in environment: AppStore.Environment?) -> AppSelection {
        AppSelection(bundleID: nil, isOneApp: false, environment: environment)
    }

    /// Whether the selection may mean an app in an environment.
    func includes(_ bundleID: String, _ environment: AppStore.Environment) -> Bool {
        (self.environment == nil || self.environment == environment)
            && (self.bundleID == nil || self.bundleID == bundleID)
    }
}

extension PurchaseHistory {
    /// The purchases of the apps and environments that a policy accepts. The ledger says which one a purchase is of: a payload
    /// of before 2022 names no environment, and its purchase has that of its other payloads.
    package func selected(by policy: VerificationPolicy) -> PurchaseHistory {
        func accepts(_ bundleID: String, _ environment: AppStore.Environment) -> Bool {
            (policy.environments.isEmpty || policy.environments.contains(environment))
                && (policy.bundleIdentifiers.isEmpty || policy.bundleIdentifiers.contains(bundleID))
        }
        guard !policy.environments.isEmpty || !policy.bundleIdentifiers.isEmpty else { return self }
        return PurchaseHistory(
            purchases.filter { accepts($0.id.appBundleID, $0.id.environment) },
            appTransactions.filter { accepts($0.bundleID, $0.environment) },
            claimedSeats: claimedSeats.filter {
                accepts($0.purchase.id.appBundleID, $0.purchase.id.environment)
            })
    }
}

/// A customer has purchases of several apps, and the query does not say which app it means.
public struct SeveralAppsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bundle identifiers of the apps, in alphabetical order.
    public let bundleIDs: [String]

    /// The failure, in a sentence.
    public var description: String {
        "the customer has purchases of several apps (\(bundleIDs.joined(separator: ", "))): choose one with "
            + "AppSelection.app, or all of them with AppSelection.allApps"
    }
}
