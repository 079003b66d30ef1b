#if SQLite && ServerAPI
    package import StoreKitVerify
    package import WireFormats
    package import Essentials

    /// The App Store's answer about a subscription: the state, and the payloads behind it.
    struct AppStoreWord {
        /// `status` of the answer. It is not signed: it is compared, and never kept.
        let state: Product.SubscriptionInfo.RenewalState
        let transaction: Transaction
        let renewalInfo: Product.SubscriptionInfo.RenewalInfo
    }

    /// A purchase that is another one for the App Store than in a file.
    package struct ReconciliationFinding: Hashable, Sendable {
        /// A member that differs.
        package struct Difference: Hashable, Sendable {
            /// As payloads name it; `status` as the App Store's answer does.
            package let member: String
            /// The file's value; `nil` if it has none.
            package let stored: String?
            /// The App Store's value.
            package let appStore: String?
        }

        /// Why the file says something else.
        package enum Reason: Hashable, Sendable {
            /// The file has nothing of the purchase.
            case unknownPurchase
            /// A transaction never came, of this date.
            case missedPurchase(UInt64, Date)
            /// A refund or a revocation of a transaction never came, of this date.
            case missedRevocation(UInt64, Date)
            /// The end of a refund or a revocation of a transaction never came. The date is that of the refund.
            case missedReversal(UInt64, Date)
            /// A later payload of a transaction never came, of this date.
            case missedChange(UInt64, Date)
            /// Later renewal information never came.
            case missedRenewalInfo(Date)
            /// The App Store ended claims of seats, and the notification never came.
            case missedUnclaim
            /// Claims of seats stand at the App Store, and not in the file.
            case unknownClaims
            /// The same payloads give another state by the file's rules.
            case rules(Product.SubscriptionInfo.RenewalState?)
        }

        /// The first transaction of the purchase.
        package let originalTransactionID: UInt64
        /// The product of the last transaction.
        package let productID: String
        /// The customer's names, in a fixed order.
        package let customers: [Customer.Name]
        /// The members that differ; at least one.
        package let differences: [Difference]
        /// The cause of the differences.
        package let reason: Reason
        /// Whether the file keeps the App Store's payloads now.
        package let isApplied: Bool

        /// - Parameters:
        ///   - found: the App Store's answer.
        ///   - known: the file's purchase; `nil` if it does not have it.
        ///   - now: the instant of the file's state. The App Store's word is of the time of its answer.
        ///   - isApplied: whether the file will keep the App Store's payloads.
        /// - Returns: `nil` if nothing differs.
        init?(_ found: AppStoreWord, _ known: PurchaseChain?, at now: Date, isApplied: Bool) {
            let (transaction, renewalInfo) = (found.transaction, found.renewalInfo)
            let status = known?.status(at: now)
            let stored = known?.transactions.last { $0.id == transaction.id }
            let latest = status?.transaction
            let info = known?.renewalInfo
            var differences: [Difference] = []
            func compare(_ member: String, _ stored: String?, _ appStore: String?) {
                if stored != appStore {
                    differences.append(Difference(member: member, stored: stored, appStore: appStore))
                }
            }
            compare("status", status?.state?.word, found.state.word)
            compare("transactionId", latest.map { String($0.id) }, String(transaction.id))
            compare("productId", latest?.productID, transaction.productID)
            compare("expiresDate", latest?.expirationDate?.text, transaction.expirationDate?.text)
            compare("revocationDate", stored?.revocationDate?.text, transaction.revocationDate?.text)
            compare(
                "revokedSeatQuantity", stored.flatMap(Self.revokedSeats), Self.revokedSeats(of: transaction))
            compare("autoRenewStatus", info.map { "\($0.willAutoRenew)" }, "\(renewalInfo.willAutoRenew)")
            compare("autoRenewProductId", info?.autoRenewPreference, renewalInfo.autoRenewPreference)
            compare(
                "renewalQuantity", info?.renewalQuantity.map { "\($0)" },
                renewalInfo.renewalQuantity.map { "\($0)" })
            guard !differences.isEmpty else { return nil }

            // A missing payload explains a difference before the rules do: with it, both may agree.
            reason =
                if known == nil {
                    .unknownPurchase
                } else if stored == nil {
                    .missedPurchase(transaction.id, transaction.purchaseDate)
                } else if let date = transaction.revocationDate, stored?.revocationDate == nil {
                    .missedRevocation(transaction.id, date)
                } else if let date = stored?.revocationDate, transaction.revocationDate == nil,
                    transaction.signedDate > stored?.signedDate ?? .distantFuture
                {
                    .missedReversal(transaction.id, date)
                } else if renewalInfo.signedDate > info?.signedDate ?? .distantPast, info != renewalInfo,
                    differences.contains(where: { $0.member.hasPrefix("autoRenew") }) || info == nil
                {
                    .missedRenewalInfo(renewalInfo.signedDate)
                } else {
                    .rules(
                        Product.SubscriptionInfo.RenewalState(
                            of: transaction, renewalInfo: renewalInfo, at: now))
                }
            (originalTransactionID, productID) = (transaction.originalID, transaction.productID)
            customers = (known?.customers ?? transaction.customers).ordered
            (self.differences, self.isApplied) = (differences, isApplied)
        }
    }

    extension ReconciliationFinding {
        /// The members of a transaction that decide what the customer owns and has paid.
        private static let members: [(name: String, text: @Sendable (Transaction) -> String?)] = [
            ("transactionId", { String($0.id) }),
            ("productId", { $0.productID }),
            ("quantity", { String($0.purchasedQuantity) }),
            ("expiresDate", { $0.expirationDate?.text }),
            ("isUpgraded", { String($0.isUpgraded) }),
            ("revocationDate", { $0.revocationDate?.text }),
            ("revocationPercentage", { $0.revocationPercentage.map { "\($0)" } }),
            ("revokedSeatQuantity", revokedSeats),
            ("refunds", { $0.advancedCommerceInfo.map { "\($0.items.flatMap(\.refunds).count)" } }),
        ]

        /// - Parameters:
        ///   - found: a transaction, as the ledger has it after the App Store's answer.
        ///   - chain: its purchase then.
        ///   - known: the purchase before; `nil` if the file does not have it.
        ///   - isApplied: whether the file will keep the App Store's payload.
        /// - Returns: `nil` if nothing differs.
        init?(_ found: Transaction, in chain: PurchaseChain, _ known: PurchaseChain?, isApplied: Bool) {
            let stored = known?[found.id]
            differences = Self.members.compactMap { name, text in
                let (old, new) = (stored.flatMap(text), text(found))
                return old == new ? nil : Difference(member: name, stored: old, appStore: new)
            }
            guard !differences.isEmpty else { return nil }
            reason =
                if known == nil {
                    .unknownPurchase
                } else if stored == nil {
                    .missedPurchase(found.id, found.purchaseDate)
                } else if let date = found.revocationDate, stored?.revocationDate == nil {
                    .missedRevocation(found.id, date)
                } else if let date = stored?.revocationDate, found.revocationDate == nil {
                    .missedReversal(found.id, date)
                } else {
                    .missedChange(found.id, found.signedDate)
                }
            (originalTransactionID, productID) = (found.originalID, found.productID)
            customers = (known ?? chain).customers.ordered
            self.isApplied = isApplied
        }

        private static func revokedSeats(of transaction: Transaction) -> String? {
            transaction.multiSeatInfo?.revokedSeatQuantity.map { "\($0)" }
        }

        /// Claims of seats that stand in the file alone, or at the App Store alone.
        ///
        /// - Returns: `nil` if the file and the App Store have the same claims.
        init?(_ chain: PurchaseChain, ended: [UUID], unknown: [UUID], isApplied: Bool) {
            guard !ended.isEmpty || !unknown.isEmpty else { return nil }
            originalTransactionID = chain.id.originalTransactionID
            productID = chain.transactions.last?.productID ?? ""
            customers = chain.customers.ordered
            differences =
                ended.map { Difference(member: "seatClaimId", stored: $0.text, appStore: nil) }
                + unknown.map { Difference(member: "seatClaimId", stored: nil, appStore: $0.text) }
            reason = ended.isEmpty ? .unknownClaims : .missedUnclaim
            // A claim that this server did not record has no member's name, so it cannot be kept.
            self.isApplied = isApplied && !ended.isEmpty
        }

        /// The finding as a JSON object.
        package var object: ObjectText {
            var object = ObjectText()
            object.add("originalTransactionId", String(originalTransactionID))
            object.add("productId", productID)
            object.add("customers", all: customers.map(\.description))
            object.add(
                "differences",
                all: differences.map { difference in
                    var object = ObjectText()
                    object.add("member", difference.member)
                    object.add("stored", difference.stored)
                    object.add("appStore", difference.appStore)
                    return object
                })
            object.add("because", reason.sentence)
            object.add("isApplied", isApplied)
            return object
        }
    }

    extension ReconciliationFinding.Reason {
        /// The reason, without a full stop.
        package var sentence: String {
            switch self {
            case .unknownPurchase: "the file has nothing of this purchase"
            case .missedPurchase(let id, let date): "transaction \(id) of \(date.text) never came"
            case .missedRevocation(let id, let date):
                "the refund or revocation of transaction \(id), at \(date.text), never came"
            case .missedReversal(let id, let date):
                "the reversal of transaction \(id)'s refund or revocation, of \(date.text), never came"
            case .missedChange(let id, let date):
                "a payload of transaction \(id), signed at \(date.text), never came"
            case .missedRenewalInfo(let date): "renewal information of \(date.text) never came"
            case .missedUnclaim: "UNCLAIM_SEATS never came for claims that the App Store has ended"
            case .unknownClaims:
                "the App Store has these claims of seats, and this server did not record them or has ended them"
            case .rules(let state):
                "the App Store's payloads give the state \(state?.word ?? "none") by the rules of 'When is a customer entitled?'"
            }
        }
    }

    extension UUID {
        fileprivate var text: String { uuidString.lowercased() }
    }

    extension Date {
        /// To the second. A signed payload can have any number for a date, and not all of them are integers.
        fileprivate var text: String {
            let second = timeIntervalSince1970.rounded(.down)
            return Int64(exactly: second).map { CalendarTime.iso8601($0) } ?? "\(second) s since 1970"
        }
    }

    extension Product.SubscriptionInfo.RenewalState {
        fileprivate var word: String { Self.name(of: rawValue) ?? "\(rawValue)" }
    }
#endif
