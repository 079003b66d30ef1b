#if SQLite
    package import Foundation
    internal import GRDB
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import WireFormats

    /// A signed payload about a purchase, as the file keeps it: the three parts of its token, and what finds it again.
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
        }

        /// What a payload is about.
        enum Subject: Hashable, Comparable, Sendable {
            /// The purchase of an original transaction.
            case purchase(UInt64)
            /// The download of an app.
            case download(String)
        }

        /// What decides between payloads about the same.
        struct Facts: Sendable {
            let app: App
            /// When it was signed, in milliseconds since 1970.
            let signed: Double
            /// The kinds of customers' names that it gives besides the subject, one bit each: 1 an account token, 2 a
            /// download.
            let nameKinds: Int64
            /// Whether it says that the App Store took the purchase back.
            let isRevoked: Bool
            /// The renewal that failed, if it is renewal information that tells of one. A question about that time needs it.
            let trouble: RenewalTrouble?
        }

        /// An app in an environment.
        struct App: Hashable, Sendable {
            let bundleID: String
            let environment: String
        }

        let kind: Kind
        let subject: Subject
        /// The transaction's identifier; of an announcement, the end of the period before, in milliseconds since 1970; 0 for
        /// the other kinds.
        let item: UInt64
        let facts: Facts
        /// The customer's names that it gives, besides the subject.
        ///
        /// An original transaction is the subject, so it is left out here.
        let names: [Customer.Name]
        let token: TokenParts

        /// - Throws: `SQLiteStoreError` if the value has no token.
        init(_ value: PurchaseValue) throws(SQLiteStoreError) {
            subject = value.subject
            let content: SignedContent
            switch value {
            case .transaction(let value):
                (kind, item, content) = (.transaction, value.id, value.signedContent)
                names = Array(value.customers.dropFirst())
            case .renewalInfo(let value):
                (kind, item, content) = (.renewalInfo, 0, value.signedContent)
                names = Array(value.customers.dropFirst())
            case .appTransaction(let value):
                (kind, item, content) = (.appTransaction, 0, value.signedContent)
                names = []
            case .announcedGrace(let value):
                let end = Int64(exactly: (value.periodEnd.timeIntervalSince1970 * 1000).rounded()) ?? 0
                (kind, item, content) = (.announcedGrace, UInt64(bitPattern: end), value.signedContent)
                names = []
            }
            token = try TokenParts(content)
            guard let facts = Facts(kind, Array(content.payloadData)) else {
                throw SQLiteStoreError(.system, "the payload is not a JSON object with a date")
            }
            self.facts = facts
        }

        var app: App { facts.app }

        /// Whether the file's index has this payload before another.
        func isBefore(_ other: StoredPayload) -> Bool {
            (subject, kind.rawValue, item) < (other.subject, other.kind.rawValue, other.item)
        }
    }

    extension StoredPayload.Facts {
        private static let names = MemberNames([
            "bundleId", "environment", "receiptType", "signedDate", "receiptCreationDate", "appAccountToken",
            "appTransactionId", "revocationDate",
        ])

        /// Reads a payload; `nil` for a text that is none.
        init?(_ kind: StoredPayload.Kind, _ json: [UInt8]) {
            let isApp = kind == .appTransaction
            // It names its app in its parts. The purchase is of one app anyway.
            let namesNoApp = kind == .renewalInfo || kind == .announcedGrace
            guard let fields = try? PayloadFields(json, names: Self.names),
                let date = fields.date(isApp ? "receiptCreationDate" : "signedDate")
            else { return nil }
            app = StoredPayload.App(
                bundleID: namesNoApp ? "" : fields.string("bundleId") ?? "",
                environment: fields.string(isApp ? "receiptType" : "environment") ?? "")
            signed = date.timeIntervalSince1970 * 1000
            nameKinds = isApp ? 0 : Self.customers(in: fields).reduce(0) { $0 | $1.kind }
            isRevoked = kind != .renewalInfo && fields.has("revocationDate")
            trouble = kind == .renewalInfo ? RenewalTrouble(json: json) : nil
        }
    }

    extension StoredPayload.Facts {
        /// The customer's names that a payload gives besides its subject: the members `appAccountToken` and
        /// `appTransactionId`.
        static func customers(in fields: PayloadFields) -> [Customer.Name] {
            let token = fields.string("appAccountToken").flatMap(UUID.init(canonicalForm:))
            let download = fields.string("appTransactionId").flatMap { $0.isEmpty ? nil : $0 }
            return [token.map(Customer.Name.appAccountToken), download.map(Customer.Name.appTransactionID)]
                .compactMap(\.self)
        }
    }

    extension Customer.Name {
        /// The bit of `StoredPayload.Facts.nameKinds`.
        fileprivate var kind: Int64 {
            switch self {
            case .appAccountToken: 1
            case .appTransactionID: 2
            case .originalTransactionID: 0
            }
        }
    }

    extension PurchaseValue {
        /// What the value is about.
        var subject: StoredPayload.Subject {
            switch self {
            case .transaction(let value): .purchase(value.originalID)
            case .renewalInfo(let value): .purchase(value.originalTransactionID)
            case .appTransaction(let value): .download(value.appTransactionID)
            case .announcedGrace(let value): .purchase(value.purchase.originalTransactionID)
            }
        }
    }

    /// A token in three parts. The header is kept as it is written, because a few headers serve all tokens of a signer.
    /// The others are decoded: every text of strict base64url has one form, so the token comes back byte for byte.
    struct TokenParts: Hashable, Sendable {
        /// The header, in base64url.
        let header: String
        /// The payload's JSON.
        let json: String
        /// The signature's bytes.
        let signature: Data

        init(header: String, json: String, signature: Data) {
            (self.header, self.json, self.signature) = (header, json, signature)
        }

        /// The parts in a row of the file: header, JSON and signature, from a column on.
        init(_ row: Row, from column: Int) throws {
            self.init(
                header: try row.decode(String.self, atIndex: column),
                json: try row.decode(String.self, atIndex: column + 1),
                signature: try row.decode(Data.self, atIndex: column + 2))
        }

        /// The parts of a verified value's token.
        ///
        /// - Throws: `SQLiteStoreError` if the value was made without its token.
        init(_ content: SignedContent) throws(SQLiteStoreError) {
            json = String(decoding: content.payloadData, as: UTF8.self)
            // The lengths of the parts behind the header are known, which is faster than to look for the dots.
            let text = content.jwsRepresentation.utf8
            let payloadCount = Base64.encodedCount(content.payloadData.count, alphabet: .url)
            let signatureCount = Base64.encodedCount(Self.signatureBytes, alphabet: .url)
            let encoded = Array(text.suffix(signatureCount))
            let headerCount = text.count - payloadCount - signatureCount - 2
            guard headerCount > 0,
                let signature = try? Base64.decode(encoded.span, in: 0..<encoded.count, alphabet: .url)
            else {
                throw SQLiteStoreError(
                    .noToken,
                    "the value has no token"
                )
            }
            header = String(Substring(text.prefix(headerCount)))
            self.signature = Data(signature)
        }

        /// The length of every signature of a verified token (RFC 7518, section 3.4).
        private static let signatureBytes = 64

        /// The compact JWS.
        var token: String {
            var bytes = Array(header.utf8)
            for part in [Array(json.utf8), Array(signature)] {
                bytes.append(UInt8(ascii: "."))
                bytes += [UInt8](capacity: Base64.encodedCount(part.count, alphabet: .url)) { output in
                    Base64.append(part.span, alphabet: .url, to: &output)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// A notification that has come.
    package struct SeenNotification: Sendable {
        /// Its `notificationUUID`, in lower case.
        let uuid: String
        /// When it was signed, in milliseconds since 1970.
        let signed: Double
        /// The claims of seats that it ends.
        let endedClaims: [UUID]

        init(_ notification: ServerNotification) {
            endedClaims = notification.unclaimInfo?.unclaimSeatIDs ?? []
            uuid = Self.key(notification.notificationUUID)
            signed = notification.signedDate.timeIntervalSince1970 * 1000
        }

        /// The notification of a verified payload; `nil` if it is none, or has no identifier.
        init?(_ payload: VerifiedPayload) {
            guard payload.kind == .notification,
                let fields = try? PayloadFields(payload.json, names: Self.names),
                let uuid = fields.string("notificationUUID").flatMap(UUID.init(canonicalForm:))
            else { return nil }
            self.uuid = Self.key(uuid)
            signed = Double(payload.effectiveDateMilliseconds)
            let unclaimed = fields.object("unclaimInfo", names: NotificationUnclaimInfo.form.names)
            endedClaims = unclaimed?.strings("unclaimSeatIds")?.compactMap { UUID(canonicalForm: $0) } ?? []
        }

        private static let names = MemberNames(["notificationUUID", "unclaimInfo"])

        /// An identifier, as the file has it.
        package static func key(_ uuid: UUID) -> String { uuid.uuidString.lowercased() }
    }
#endif
