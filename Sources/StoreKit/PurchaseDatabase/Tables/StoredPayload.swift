#if SQLite
    internal import Foundation
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import WireFormats

    /// A signed payload about a purchase, as the file keeps it: the three parts of its token, and the columns that
    /// find it.
    ///
    /// A class, because imports move and sort many of them.
    final class StoredPayload: Sendable {
        /// The kinds of payloads, by their numbers in the file.
        enum Kind: Int64, Sendable {
            case transaction = 1
            case renewalInfo = 2
            case appTransaction = 3
            /// A notification that announced a grace period without a date.
            case announcedGrace = 4
            /// A notification with a payload that names no environment: it has the notification's.
            case envelope = 5
        }

        /// The subject of a payload.
        enum Subject: Hashable, Comparable, Sendable {
            /// The purchase of an original transaction.
            case purchase(UInt64)
            /// The download of an app.
            case download(String)
        }

        /// The columns that find a payload. The file keeps few payloads with the same key.
        struct Key: Sendable {
            let subject: Subject
            let kind: Kind
            /// The transaction's identifier; of an announcement, the end of the period before, in milliseconds
            /// since 1970; 0 for the other kinds.
            let item: UInt64
        }

        /// The facts that decide between payloads with the same key.
        struct Facts: Sendable {
            let app: App
            /// When it was signed, in milliseconds since 1970.
            let signed: Double
            /// The customer's names that it gives, besides the subject.
            ///
            /// An original transaction is the subject, so it is left out here.
            let names: [Customer.Name]
            /// Whether it says that the App Store took the purchase back.
            let isRevoked: Bool
            /// The renewal that failed, if it is renewal information that tells of one. A question about that time
            /// needs it.
            let trouble: RenewalTrouble?
        }

        /// An app in an environment.
        struct App: Hashable, Sendable {
            let bundleID: String
            let environment: String
        }

        let key: Key
        let facts: Facts
        let token: TokenParts

        /// - Parameter source: the payload that the value was read from, if the value does not keep its token.
        /// - Throws: `SQLiteStoreError` if the token is in neither.
        init(_ value: PurchaseValue, source: VerifiedPayload? = nil) throws(SQLiteStoreError) {
            key = Key(value)
            facts = Facts(value)
            if let source {
                token = try TokenParts(source.token, json: source.json)
            } else {
                let content = value.signedContent
                token = try TokenParts(content.jwsRepresentation.utf8, json: content.payloadData)
            }
        }

        /// A notification that gives a value its environment. The earliest one of a purchase stays: each says the same.
        private init(envelopeOf value: PurchaseValue, signed: Double, _ token: TokenParts) {
            key = Key(subject: value.subject, kind: .envelope, item: 0)
            facts = Facts(envelopeSigned: signed)
            self.token = token
        }

        /// The notification, if it gives one of its values an environment.
        ///
        /// - Parameter signed: when it was signed, in milliseconds since 1970.
        /// - Throws: `SQLiteStoreError` if its token is not there.
        static func envelope(
            _ content: SignedContent, of values: [PurchaseValue], signed: Double
        ) throws(SQLiteStoreError) -> [StoredPayload] {
            guard let value = values.first(where: \.hasEnvironmentOfEnvelope) else { return [] }
            let token = try TokenParts(content.jwsRepresentation.utf8, json: content.payloadData)
            return [StoredPayload(envelopeOf: value, signed: signed, token)]
        }

        /// Whether the file's index has this payload before another.
        func isBefore(_ other: StoredPayload) -> Bool {
            (key.subject, key.kind.rawValue, key.item) < (
                other.key.subject, other.key.kind.rawValue, other.key.item
            )
        }
    }

    extension StoredPayload.Key {
        fileprivate init(_ value: PurchaseValue) {
            subject = value.subject
            switch value {
            case .transaction(let value): (kind, item) = (.transaction, value.id)
            case .renewalInfo: (kind, item) = (.renewalInfo, 0)
            case .appTransaction: (kind, item) = (.appTransaction, 0)
            case .announcedGrace(let value):
                let end = Int64(exactly: value.periodEnd.milliseconds.rounded()) ?? 0
                (kind, item) = (.announcedGrace, UInt64(bitPattern: end))
            }
        }

        private static let members = MemberNames([
            "originalTransactionId", "transactionId", "appTransactionId",
        ])

        /// The key of a verified payload, without making a value of it; `nil` for other kinds.
        init?(_ payload: VerifiedPayload) {
            let kind: StoredPayload.Kind
            switch payload.kind {
            case .transaction: kind = .transaction
            case .renewalInfo: kind = .renewalInfo
            case .appTransaction: kind = .appTransaction
            case .notification, .realtimeRequest, .receipt, .unknown: return nil
            }
            guard let fields = try? PayloadFields(payload.json, names: Self.members),
                let item = kind == .transaction ? fields.identifier("transactionId") : 0
            else { return nil }
            if kind == .appTransaction {
                subject = .download(fields.string("appTransactionId") ?? "")
            } else {
                guard let original = fields.identifier("originalTransactionId") else { return nil }
                subject = .purchase(original)
            }
            (self.kind, self.item) = (kind, item)
        }
    }

    extension StoredPayload.Facts {
        init(_ value: PurchaseValue) {
            switch value {
            case .transaction(let value):
                self.init(
                    value.appBundleID, value.hasEnvironmentOfEnvelope ? "" : value.environment.rawValue,
                    value.signedDate, Array(value.customers.dropFirst()),
                    isRevoked: value.revocationDate != nil)
            case .renewalInfo(let value):
                // It names no app. The purchase is of one app anyway.
                self.init(
                    "", value.hasEnvironmentOfEnvelope ? "" : value.environment.rawValue, value.signedDate,
                    Array(value.customers.dropFirst()),
                    trouble: RenewalTrouble(value))
            case .appTransaction(let value):
                self.init(
                    value.bundleID, value.environment.rawValue, value.signedDate, [],
                    isRevoked: value.revocationDate != nil)
            // It names its app in its parts.
            case .announcedGrace(let value): self.init("", "", value.signedDate, [])
            }
        }

        /// - Parameter milliseconds: when it was signed. The earlier one counts as the later payload.
        fileprivate init(envelopeSigned milliseconds: Double) {
            self.init("", "", Date(milliseconds: -milliseconds), [])
        }

        private init(
            _ bundleID: String, _ environment: String, _ signed: Date, _ names: [Customer.Name],
            isRevoked: Bool = false, trouble: RenewalTrouble? = nil
        ) {
            app = StoredPayload.App(bundleID: bundleID, environment: environment)
            self.signed = signed.milliseconds
            self.names = names
            self.isRevoked = isRevoked
            self.trouble = trouble
        }

        private static let members = MemberNames(
            [
                "bundleId", "environment", "receiptType", "signedDate", "receiptCreationDate",
                "revocationDate",
            ] + Customer.nameMembers)

        /// The facts of a payload that the file has, without a value of it: an archive signs the same transactions again
        /// and again. `nil` for a text that is no such payload any more. Nothing is verified here.
        ///
        /// - Parameter verifier: makes the value of renewal information, whose trouble depends on many members.
        init?(_ kind: StoredPayload.Kind, json: String, by verifier: StoreKitVerifier) {
            let json = Array(json.utf8)
            if kind == .renewalInfo {
                let value = PurchaseValue(json: json, kind: .renewalInfo, by: verifier)
                guard let value else { return nil }
                self.init(value)
                return
            }
            let isApp = kind == .appTransaction
            guard let fields = try? PayloadFields(json, names: Self.members),
                let date = fields.date(isApp ? "receiptCreationDate" : "signedDate")
            else { return nil }
            switch kind {
            case .announcedGrace:
                self.init("", "", date, [])
                return
            case .envelope:
                self.init(envelopeSigned: date.milliseconds)
                return
            case .transaction, .renewalInfo, .appTransaction: break
            }
            self.init(
                fields.string("bundleId") ?? "",
                fields.string(isApp ? "receiptType" : "environment") ?? "", date,
                isApp ? [] : Customer.names(in: fields), isRevoked: fields.has("revocationDate"))
        }

        /// The kinds of the names, one bit each: 1 an account token, 2 a download.
        var nameKinds: Int64 {
            names.reduce(0) { kinds, name in
                switch name {
                case .appAccountToken: kinds | 1
                case .appTransactionID: kinds | 2
                case .originalTransactionID: kinds
                }
            }
        }
    }

    extension Customer {
        /// The names that a payload gives besides its subject, without a value of it.
        static func names(in fields: PayloadFields) -> [Name] {
            let token = fields.string("appAccountToken").flatMap(UUID.init(canonicalForm:))
            let download = fields.string("appTransactionId").flatMap { $0.isEmpty ? nil : $0 }
            let former = fields.string(formerOriginal).flatMap { text in
                text == fields.string("originalTransactionId") ? nil : UInt64(text)
            }
            return [
                token.map(Name.appAccountToken), download.map(Name.appTransactionID),
                former.map(Name.originalTransactionID),
            ].compactMap(\.self)
        }

        /// The members that `names(in:)` reads.
        static let nameMembers = [
            "appAccountToken", "appTransactionId", "originalTransactionId", formerOriginal,
        ]

        /// The member that names the original transaction from which a purchase moved.
        static let formerOriginal = "previousOriginalTransactionId"
    }

    extension PurchaseValue {
        /// The purchase or the download that the value is about.
        var subject: StoredPayload.Subject {
            switch self {
            case .transaction(let value): .purchase(value.originalID)
            case .renewalInfo(let value): .purchase(value.originalTransactionID)
            case .appTransaction(let value): .download(value.appTransactionID)
            case .announcedGrace(let value): .purchase(value.purchase.originalTransactionID)
            }
        }

        /// The payload, as it was signed.
        fileprivate var signedContent: SignedContent {
            switch self {
            case .transaction(let value): value.signedContent
            case .renewalInfo(let value): value.signedContent
            case .appTransaction(let value): value.signedContent
            case .announcedGrace(let value): value.signedContent
            }
        }
    }
#endif
