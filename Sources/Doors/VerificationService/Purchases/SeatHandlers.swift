#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import PayloadOutput
    internal import PurchaseDatabase
    internal import StoreKitVerify
    internal import WireFormats

    /// `PUT` and `DELETE /v1/seats/{seatClaimId}`: records that the app's server gave a seat of a subscription to a member, and
    /// that the seat is the member's no longer.
    ///
    /// A claim is not signed: the holder of the service's token is believed.
    struct SeatHandlers: Sendable {
        let questions: CustomerQuestions
        let bodies: BodyReader
        let databases: DatabaseChecks

        /// The most names that a claim may give its member.
        private static let maximumNames = 16

        func claim(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app", "bundleId", "environment"])
            let (id, scope) = (try Self.claimID(request), try questions.scope(of: request))
            guard let bundleID = scope.selection.bundleID, let environment = scope.selection.environment
            else {
                throw Problem(
                    .badRequest, "Several apps are served here; say with ?bundleId= which one the seat is of."
                )
            }
            try await databases.require(questions.apps.database(for: request))
            let body = try Body(try await bodies.members(of: request))
            let claim = SeatClaim(
                id: id,
                of: PurchaseChain.ID(
                    originalTransactionID: body.originalTransactionID,
                    environment: environment,
                    appBundleID: bundleID),
                for: body.members, date: body.date ?? Date())
            return try await questions.answer {
                if let known = try await scope.store.seatClaim(id), known.purchase != claim.purchase {
                    throw Problem(
                        .conflict,
                        "This seatClaimId belongs to purchase \(known.purchase.originalTransactionID); use a new one."
                    )
                }
                try await scope.store.claim(claim)
                return .json(Self.object(id, try await scope.store.seatClaim(id)))
            }
        }

        func unclaim(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app", "bundleId", "environment"])
            let (id, scope) = (try Self.claimID(request), try questions.scope(of: request))
            try await databases.require(questions.apps.database(for: request))
            return try await questions.answer {
                try await scope.store.unclaim([id], at: Date())
                return .json(Self.object(id, try await scope.store.seatClaim(id)))
            }
        }

        private static func claimID(_ request: RouteRequest) throws(Problem) -> UUID {
            guard let id = request.parameters["seatClaimId"].flatMap({ UUID(canonicalForm: String($0)) })
            else {
                throw Problem(.badRequest, "A claim's name in the path is its seatClaimId, a UUID.")
            }
            return id
        }

        /// - Parameter claim: the claim in the file; `nil` if the file knows its end alone.
        private static func object(_ id: UUID, _ claim: SeatClaim?) -> ObjectText {
            var object = ObjectText()
            object.add("seatClaimID", id)
            object.add("originalTransactionID", id: claim?.purchase.originalTransactionID)
            object.add("appBundleID", claim?.purchase.appBundleID)
            object.add("environment", claim?.purchase.environment.rawValue)
            object.add("customers", all: (claim?.members.map(\.description) ?? []).sorted())
            object.add("claimedDate", claim?.date)
            object.add("endDate", claim?.endDate)
            return object
        }

        /// The body of a claim.
        private struct Body {
            let originalTransactionID: UInt64
            let members: [Customer.Name]
            let date: Date?

            init(_ members: [JSONTree.Member]) throws(Problem) {
                let tree = JSONTree.object(members)
                let known = ["originalTransactionId", "customers", "claimedDate"]
                if let other = members.first(where: { !known.contains($0.name) }) {
                    throw Problem(
                        .badRequest,
                        "Unknown member \"\(other.name.prefix(64))\"; known: \(known.joined(separator: ", "))."
                    )
                }
                guard let original = tree["originalTransactionId"]?.stringValue.flatMap({ UInt64($0) }) else {
                    throw Problem(
                        .badRequest,
                        "\"originalTransactionId\" is missing, or is not the identifier of the purchaser's original transaction, as a text."
                    )
                }
                originalTransactionID = original
                self.members = try Self.names(tree["customers"])
                date = try tree["claimedDate"].map { (value) throws(Problem) in
                    guard let date = value.stringValue.flatMap({ Date(iso8601: $0) }) else {
                        throw Problem(
                            .badRequest,
                            "\"claimedDate\" is not a date of ISO 8601, such as 2026-10-11T19:51:52Z.")
                    }
                    return date
                }
            }

            private static func names(_ value: JSONTree?) throws(Problem) -> [Customer.Name] {
                let texts = value?.elements ?? []
                guard (1...SeatHandlers.maximumNames).contains(texts.count) else {
                    throw Problem(
                        .badRequest,
                        "\"customers\" has the member's names, 1 to \(SeatHandlers.maximumNames) of them.")
                }
                var names: [Customer.Name] = []
                for text in texts { names.append(try CustomerQuestions.name(text.stringValue)) }
                return names
            }
        }
    }
#endif
