import Foundation
import RepositoryFiles
import StoreKitTestSession
import StoreKitVerify
import Testing

/// The members of simulated notifications, compared with those that the App Store signed: by kind, and in each of the
/// nested payloads.
@Suite struct GenuineComparisonTests {
    /// Members that only genuine notifications of a kind have, or only simulated ones, with the reason.
    private static let reasons: [String: String] = [
        "+signedTransactionInfo.appTransactionId": "signed before February 2025, when the member came",
        "+signedRenewalInfo.appTransactionId": "signed before February 2025, when the member came",
        "+signedTransactionInfo.revocationType": "signed before December 2025, when the member came",
        "+signedTransactionInfo.revocationPercentage": "signed before December 2025, when the member came",
        "+data.status": "signed before June 2023, when the member came",
        "+data.appAppleId": "the Sandbox left it out of one notification of 2022",
        "+signedTransactionInfo.transactionReason": "signed before June 2023, when the member came",
        "+signedTransactionInfo.storefront": "signed before June 2023, when the member came",
        "+signedTransactionInfo.storefrontId": "signed before June 2023, when the member came",
        "+signedTransactionInfo.price": "signed before 2024, when the member came",
        "+signedTransactionInfo.currency": "signed before 2024, when the member came",
        "+signedRenewalInfo.renewalDate": "signed before June 2023, when the member came",
        "+signedRenewalInfo.renewalPrice": "signed before 2024, when the member came",
        "+signedRenewalInfo.currency": "signed before 2024, when the member came",
        "+signedRenewalInfo.eligibleWinBackOfferIds": "the genuine ones' app has no win-back offers",
        "-signedTransactionInfo.appAccountToken": "the customer of that purchase had one",
        "-signedRenewalInfo.isInBillingRetryPeriod": "written as false in 2023, and left out since",
    ]

    /// The names of members, each with the payload or object that it is in.
    private func members(ofToken token: String) throws -> Set<String> {
        let payload = try PlayedScenario.members(ofToken: token)
        var names = Set(payload.keys.map { "notification.\($0)" })
        let data = payload["data"] as? [String: Any] ?? [:]
        names.formUnion(data.keys.map { "data.\($0)" })
        for member in ["signedTransactionInfo", "signedRenewalInfo"] {
            guard let inner = data[member] as? String else { continue }
            names.formUnion(try PlayedScenario.members(ofToken: inner).keys.map { "\(member).\($0)" })
        }
        return names
    }

    private func name(ofToken token: String) throws -> String {
        let payload = try PlayedScenario.members(ofToken: token)
        let name = [payload["notificationType"], payload["subtype"]].compactMap { $0 as? String }
            .joined(separator: "/")
        let data = payload["data"] as? [String: Any] ?? [:]
        guard data["signedRenewalInfo"] != nil else { return name + " without subscription" }
        // The refund of a past period says more of the next one.
        return name == "REFUND" && data["status"] as? Int == 1 ? "REFUND of a past period" : name
    }

    /// The members of the plainest notification of each kind that scenarios produce.
    private func simulated() throws -> [String: Set<String>] {
        var members: [String: Set<String>] = [:]
        for builtIn in Scenario.builtIns where builtIn.name != "population" {
            try ScenarioRun(builtIn.scenario(), in: Garden.store(seed: 2)).run { output in
                for case .notification(let notification) in output {
                    let key = try self.name(ofToken: notification.signedPayload)
                    // The plainest one of each kind: offers and the like add members.
                    let names = try self.members(ofToken: notification.signedPayload)
                    if members[key].map({ names.count < $0.count }) ?? true { members[key] = names }
                }
            }
        }
        return members
    }

    @Test(
        .enabled(
            if: PrivateTestData.genuine.folder != nil,
            "PRIVATE_TEST_DATA names no folder with Apple's payloads"))
    func `simulated notifications have the members of genuine ones, except for listed reasons`() throws {
        let simulated = try simulated()
        let files = try PrivateTestData.genuine.files(in: "jws")
            .filter { $0.lastPathComponent.contains("notification") }
        #expect(files.count >= 16)
        var used: Set<String> = []
        for file in files {
            let token = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(
                in: .whitespacesAndNewlines)
            let genuine = try members(ofToken: token)
            let name = try name(ofToken: token)
            let ours = try #require(simulated[name], "no scenario produces \(name)")
            let differences =
                ours.subtracting(genuine).map { "+\($0)" } + genuine.subtracting(ours).map { "-\($0)" }
            for difference in differences {
                #expect(Self.reasons[difference] != nil, "\(file.lastPathComponent) \(name): \(difference)")
                used.insert(difference)
            }
        }
        #expect(used == Set(Self.reasons.keys), "each listed reason is needed")
    }
}
