#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOPosix
    internal import PayloadOutput
    internal import PurchaseDatabase
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import WireFormats

    /// `POST /v1/purchases`: keeps the transactions that an app has sent to its server, and answers with their customers' entitlements.
    ///
    /// The signed payload names the customer. A request can only require one.
    struct PurchaseIntake: Sendable {
        let questions: CustomerQuestions
        let bodies: BodyReader
        let threads: NIOThreadPool
        let metrics: ServiceMetrics
        let databases: DatabaseChecks

        private typealias Verdict = Result<ReadyPayload, PayloadError>

        /// The most payloads of a request: a body of the usual limit has some four hundred of the App Store's. An archive
        /// goes through the command `ingest`.
        private static let maximumPayloads = 1_000

        func keep(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(CustomerQuestions.parameters + ["customer"])
            let scope = try questions.scope(of: request)
            let customer = try request.query("customer").map { try CustomerQuestions.name($0) }
            try await databases.require(questions.apps.database(for: request))
            let object = try await bodies.withBytes(of: request) { body in
                let payloads = try Self.payloads(of: body, scope)
                let verdicts = try await verdicts(on: payloads, scope)
                try Self.check(verdicts, payloads, areOf: customer)
                return try await questions.answer {
                    try await answer(to: verdicts, payloads, scope, customer)
                }
            }
            return .json(object)
        }

        private static func payloads(
            of body: [UInt8], _ scope: CustomerQuestions.Scope
        ) throws(Problem) -> BodyPayloads {
            do throws(BodyPayloads.Failure) {
                return try BodyPayloads(
                    body, scope.store.verifier.policy.lineLimits, atMost: maximumPayloads)
            } catch {
                switch error {
                case .empty:
                    throw Problem(
                        .badRequest,
                        "The body is empty; send a signed transaction, lines of them, or an answer of the App Store Server API."
                    )
                case .tooMany:
                    throw Problem(
                        .contentTooLarge,
                        "The body has more than \(maximumPayloads) payloads; send them in several requests.")
                case .notJSON(let error): throw Problem(.badRequest, "The body is not JSON: \(error).")
                }
            }
        }

        /// On a thread that may wait for an answer about revocation.
        private func verdicts(
            on payloads: BodyPayloads, _ scope: CustomerQuestions.Scope
        ) async throws -> [Verdict] {
            let verdicts: [Verdict]
            do {
                verdicts = try await scope.app.threads(or: threads).runIfActive {
                    try scope.store.verified(payloads.lines, of: payloads.buffer)
                }
            } catch let error as SQLiteStoreError {
                throw Problem(error, questions.logger)
            }
            for verdict in verdicts { metrics.app(scope.app.name).record(verdict.failure) }
            return verdicts
        }

        /// Refuses a request as a whole: a single payload that is not verified, and one that is not the named customer's.
        private static func check(
            _ verdicts: [Verdict], _ payloads: BodyPayloads, areOf customer: Customer.Name?
        ) throws(Problem) {
            if verdicts.count == 1, let error = verdicts.first?.failure { throw Problem(error) }
            guard let customer else { return }
            for (verdict, place) in zip(verdicts, payloads.places) {
                guard case .success(let payload) = verdict,
                    !payload.values.allSatisfy({ $0.customers.contains(customer) })
                else { continue }
                var problem = Problem(
                    .conflict,
                    "The payload on line \(place.line) does not give the name of ?customer=, and may be another person's; nothing was kept."
                )
                problem.code = "wrongCustomer"
                throw problem
            }
        }

        // MARK: - The answer

        private func answer(
            to verdicts: [Verdict], _ payloads: BodyPayloads, _ scope: CustomerQuestions.Scope,
            _ customer: Customer.Name?
        ) async throws -> ObjectText {
            let verified = verdicts.compactMap { try? $0.get() }
            let outcomes = try await scope.store.keep(verified)
            var owned = OwnedByCustomers(scope, customer)
            for payload in verified { for value in payload.values { owned.note(value) } }
            let customers = try await owned.answers()
            var (rest, counts) = (Array(zip(verified, outcomes))[...], Counts())
            var objects: [ObjectText] = []
            for (verdict, place) in zip(verdicts, payloads.places) {
                let written = SubmittedVerdict(line: place.line, member: place.member)
                switch verdict {
                case .failure(let error):
                    counts.refused += 1
                    objects.append(written.object(for: error))
                case .success:
                    guard let (payload, outcome) = rest.popFirst() else { continue }
                    counts.add(outcome)
                    let standing = owned.standing(of: payload)
                    objects.append(
                        written.object(
                            for: payload.kind, .init(outcome), payload.values, counts: standing.counts,
                            note: standing.note))
                }
            }
            var object = ObjectText()
            object.add("at", scope.instant)
            counts.add(to: &object)
            object.add("payloads", all: objects)
            object.add("customers", all: customers.map(\.object))
            return object
        }

        /// How many payloads had which outcome.
        private struct Counts {
            var (new, known, noPurchase, refused) = (0, 0, 0, 0)

            mutating func add(_ outcome: ImportOutcome) {
                switch outcome {
                case .new: new += 1
                case .known: known += 1
                case .noPurchase: noPurchase += 1
                }
            }

            func add(to object: inout ObjectText) {
                object.add("new", new)
                object.add("known", known)
                object.add("noPurchase", noPurchase)
                object.add("refused", refused)
            }
        }
    }

    extension SubmittedVerdict.Outcome {
        fileprivate init(_ outcome: ImportOutcome) {
            switch outcome {
            case .new: self = .new
            case .known: self = .known
            case .noPurchase: self = .noPurchase
            }
        }
    }

    extension Result where Failure == PayloadError {
        /// The failure; `nil` after a success.
        fileprivate var failure: PayloadError? {
            if case .failure(let error) = self { error } else { nil }
        }
    }
#endif
