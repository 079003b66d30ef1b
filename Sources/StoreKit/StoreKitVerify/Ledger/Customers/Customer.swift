public import Essentials
internal import SignedPayloads
internal import WireFormats

/// How a server names a customer: by one name, or by several that mean the same person.
///
/// Payloads name a customer in different ways. A purchase that the family shares has no account token, and a
/// purchase of before the app used tokens has only its original transaction. So a server that knows several
/// names gives all of them:
///
/// ```swift
/// let customer = Customer([.appAccountToken(token), .appTransactionID(download)])
/// ```
public struct Customer: Hashable, Sendable {
    /// One name of a customer.
    public enum Name: Hashable, Sendable {
        /// The token that the app gave with the purchase, or that the server set later.
        case appAccountToken(UUID)
        /// The identifier of the app's download. Each Apple Account has its own for each app.
        case appTransactionID(String)
        /// The original transaction of one purchase.
        case originalTransactionID(UInt64)
    }

    /// The customer's names.
    public let names: Set<Name>
    private var isEveryone = false

    /// A customer with these names. Without any name, nothing is the customer's.
    public init(_ names: some Sequence<Name>) { self.names = Set(names) }

    /// A customer by the token that the app gave with the purchase, or that the server set later.
    public static func appAccountToken(_ token: UUID) -> Customer { Customer([.appAccountToken(token)]) }

    /// A customer by the identifier of the app's download.
    public static func appTransactionID(_ identifier: String) -> Customer {
        Customer([.appTransactionID(identifier)])
    }

    /// A customer by the original transaction of one purchase. The history is then that purchase alone, with those to which it
    /// moved.
    public static func originalTransactionID(_ identifier: UInt64) -> Customer {
        Customer([.originalTransactionID(identifier)])
    }

    /// All customers of a store. It is for listeners, which handle each transaction by itself. No person owns
    /// what everyone owns, so entitlements need a customer with a name.
    public static let everyone: Customer = {
        var customer = Customer([])
        customer.isEveryone = true
        return customer
    }()

    /// Whether a purchase with these names is the customer's.
    public func owns(_ names: Set<Name>) -> Bool { isEveryone || !self.names.isDisjoint(with: names) }
}

/// The spelling of the command's option `--customer`.
extension Customer.Name: LosslessStringConvertible {
    /// A UUID in lower case, `app-transaction:ID`, or `original-transaction:ID`.
    public var description: String {
        switch self {
        case .appAccountToken(let token): token.uuidString.lowercased()
        case .appTransactionID(let identifier): Self.appTransaction + identifier
        case .originalTransactionID(let identifier): Self.originalTransaction + "\(identifier)"
        }
    }

    /// Reads a name as `description` writes it; `nil` for any other text.
    public init?(_ description: String) {
        if let token = UUID(canonicalForm: description) {
            self = .appAccountToken(token)
        } else if description.hasPrefix(Self.appTransaction),
            description.utf8.count > Self.appTransaction.utf8.count
        {
            self = .appTransactionID(String(description.dropFirst(Self.appTransaction.count)))
        } else if description.hasPrefix(Self.originalTransaction),
            let identifier = UInt64(description.dropFirst(Self.originalTransaction.count))
        {
            self = .originalTransactionID(identifier)
        } else {
            return nil
        }
    }

    private static let appTransaction = "app-transaction:"
    private static let originalTransaction = "original-transaction:"
}

extension Customer.Name: Codable {
    /// Decodes a name as `description` writes it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let name = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a UUID, nor app-transaction:ID, nor original-transaction:ID")
        }
        self = name
    }

    /// Encodes the description.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Customer: Codable {
    /// Only names are kept: `everyone` is decoded as a customer without names, who owns nothing.
    private enum CodingKeys: CodingKey { case names }
}

extension Transaction {
    /// The customers' names that the payload gives, for a server's own records. The first names the purchase. If it moved from
    /// another original transaction, the last names that one.
    public var customers: [Customer.Name] {
        Customer.names(originalID, appAccountToken, appTransactionID)
            + (formerOriginalID.map { [.originalTransactionID($0)] } ?? [])
    }

    /// The original transaction from which the purchase moved; `nil` if there is none.
    var formerOriginalID: UInt64? { previousOriginalTransactionID.flatMap { $0 == originalID ? nil : $0 } }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The customers' names that the payload gives, for a server's own records. The first names the purchase.
    public var customers: [Customer.Name] {
        Customer.names(originalTransactionID, appAccountToken, appTransactionID)
    }
}

extension ServerNotification {
    /// The customers' names that the notification's payloads give, for a server's own records.
    public var customers: [Customer.Name] {
        let transaction = try? data?.transaction?.payloadValue
        let renewalInfo = try? data?.renewalInfo?.payloadValue
        let names = (transaction?.customers ?? []) + (renewalInfo?.customers ?? [])
        var known: Set<Customer.Name> = []
        return names.filter { known.insert($0).inserted }
    }
}

extension Collection<Customer.Name> {
    /// The name that leads to most of a customer's purchases: an account token is the app's own name for a person, a
    /// download that of an Apple Account in one app, and an original transaction stands for one purchase.
    package var widest: Customer.Name? { ordered.first }

    /// The names in an order that is always the same, widest first.
    package var ordered: [Customer.Name] {
        sorted { ($0.rank, $0.description) < ($1.rank, $1.description) }
    }
}

extension Customer.Name {
    fileprivate var rank: Int {
        switch self {
        case .appAccountToken: 0
        case .appTransactionID: 1
        case .originalTransactionID: 2
        }
    }
}

extension Customer {
    static func names(_ original: UInt64, _ token: UUID?, _ download: String?) -> [Name] {
        [.originalTransactionID(original)] + (token.map { [.appAccountToken($0)] } ?? [])
            + (download.flatMap { $0.isEmpty ? nil : [.appTransactionID($0)] } ?? [])
    }
}
