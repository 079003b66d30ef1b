#if Service
    internal import HTTPTypes
    internal import Hummingbird
    internal import PayloadOutput
    internal import PurchaseDatabase
    internal import StoreKitVerify

    /// `GET /v1/search?q=`: the customers to whom an identifier leads, for a person who has one from somewhere.
    struct CustomerSearch: Sendable {
        let questions: CustomerQuestions

        func search(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app", "q"])
            let store = try questions.apps.database(for: request).store
            guard let text = request.query("q"), let term = SearchTerm(text) else {
                throw Problem(
                    .badRequest,
                    "?q= is what to look for: an account token, a transaction, an original transaction, a web order line item, a download or a product."
                )
            }
            var answer = SearchAnswer(text)
            switch term {
            case .name(let name): try await add(name, store, to: &answer)
            case .identifier(let digits): try await add(digits, store, to: &answer)
            case .order(let text):
                answer.addOrder()
                answer.add(product: text)
            case .product(let text): answer.add(product: text)
            }
            return .json(answer.object)
        }

        private func add(
            _ name: Customer.Name, _ store: SQLiteTransactionStore, to answer: inout SearchAnswer
        ) async throws {
            let history = try await questions.answer { try await store.history(of: Customer([name])) }
            answer.add(name, history)
            guard case .appAccountToken(let uuid) = name else { return }
            if try await questions.answer({ try await store.hasApplied(uuid) }) {
                answer.add(notification: uuid)
            }
        }

        private func add(
            _ digits: String, _ store: SQLiteTransactionStore, to answer: inout SearchAnswer
        ) async throws {
            let found = try await questions.answer { try await store.search(digits) }
            for match in found.matches {
                answer.add(match.members.map(\.rawValue), match.purchase, match.transaction)
            }
            if found.isDownload { answer.add(download: .appTransactionID(digits)) }
            if found.hasMore { answer.addMore() }
            if let count = found.searchedPayloads {
                answer.add(searchedPayloads: count, isPartial: found.isPartial)
            }
        }
    }
#endif
