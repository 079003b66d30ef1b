#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import NIOCore
    internal import PayloadOutput
    internal import PurchaseDatabase
    internal import StoreKitVerify
    internal import WireFormats

    /// `GET /v1/customers`: the customers of all apps and environments, by product and state, as pages or as lines.
    ///
    /// The list is read in short parts, between which others write and ask. So memory is bounded, and a client that is slow
    /// holds nothing but its connection.
    struct CustomerList: Sendable {
        let questions: CustomerQuestions

        private enum Output: String, CaseIterable { case json, ndjson }

        /// The selection that a request asks for.
        private struct Wanted: Sendable {
            let store: SQLiteTransactionStore
            let filter: PurchaseFilter
            let asked: AskedInstant

            /// The customers among these purchases, which are all that each has.
            func objects(of history: PurchaseHistory) -> [ObjectText] {
                ListedCustomer.all(in: asked.known(history), filter, at: asked.date).map(\.object)
            }
        }

        private static let limits = 1...1_000
        private static let usualLimit = 100
        /// After how many payloads a page ends, whatever it has found: a filter may accept few. Some tenths of a second.
        private static let maximumPayloads = 32_768
        /// The payloads of one part, in memory together.
        private static let payloadsOfPart = 64...2_048

        func list(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(
                CustomerQuestions.parameters + ["after", "limit", "output", "product", "state"])
            let wanted = try wanted(request)
            let accepts = request.request.headers[.accept]?.lowercased() ?? ""
            let usual: Output = accepts.contains("application/x-ndjson") ? .ndjson : .json
            guard try request.view(Output.self, named: "output", default: usual) == .json else {
                guard request.query("limit") == nil, request.query("after") == nil else {
                    throw Problem(
                        .badRequest, "limit and after are for pages; lines of NDJSON are the whole list.")
                }
                return try await lines(wanted)
            }
            return try await .json(
                page(
                    wanted, after: request.cursor { CustomerPlace($0) },
                    limit: request.limit(Self.limits, default: Self.usualLimit)))
        }

        private func wanted(_ request: RouteRequest) throws(Problem) -> Wanted {
            let store = try questions.apps.database(for: request).store
            let policy = store.verifier.policy
            var filter = PurchaseFilter()
            filter.productID = request.query("product")
            guard filter.productID != "" else {
                throw Problem(.badRequest, "?product= is empty; name a product, or leave the parameter out.")
            }
            if request.query("state") != nil {
                filter.state = try request.view(PurchaseFilter.State.self, named: "state", default: .entitled)
            }
            if request.query("environment") != nil {
                filter.environment = try CustomerQuestions.environment(request, policy, default: .production)
            }
            filter.bundleID = try CustomerQuestions.bundleID(request, policy)
            return Wanted(store: store, filter: filter, asked: try CustomerQuestions.instant(request))
        }

        private func part(
            _ wanted: Wanted, after place: CustomerPlace?, payloads: Int
        ) async throws -> CustomerPart {
            let part = try await questions.answer {
                try await wanted.store.customers(after: place, payloads: payloads)
            }
            for (subject, fault) in part.faults {
                questions.logger.error(
                    "a purchase is left out of a list", metadata: ["reason": .string("\(subject): \(fault)")])
            }
            return part
        }

        // MARK: - Pages

        private func page(
            _ wanted: Wanted, after start: CustomerPlace?, limit: Int
        ) async throws -> ObjectText {
            var (customers, unreadable): ([ObjectText], [ObjectText]) = ([], [])
            var (next, payloads) = (start, 0)
            // A few payloads for each customer, unless the filter turns out to accept few.
            var size = min(max(limit * 8, Self.payloadsOfPart.lowerBound), Self.payloadsOfPart.upperBound)
            repeat {
                let part = try await part(wanted, after: next, payloads: size)
                next = part.next
                payloads += part.payloads
                unreadable += part.faults.map(Self.object(for:))
                for (index, group) in part.groups.enumerated() where customers.count < limit {
                    customers += wanted.objects(of: group.history)
                    let isLast = index == part.groups.count - 1
                    if customers.count >= limit, !isLast { next = group.place }
                }
                size = min(size * 2, Self.payloadsOfPart.upperBound)
            } while next != nil && customers.count < limit && payloads < Self.maximumPayloads
            var object = ObjectText()
            object.add("at", wanted.asked.date)
            object.add("customers", all: customers)
            object.add("next", next?.description)
            object.add("unreadable", unreadable)
            return object
        }

        /// A purchase that is left out: nothing of it is believed.
        private static func object(for fault: (subject: String, fault: StoredFault)) -> ObjectText {
            var object = ObjectText()
            object.add("unreadable", message: fault.subject)
            object.add("message", message: fault.fault.description)
            return object
        }

        // MARK: - Lines

        /// - Throws: a `Problem` if the first part cannot be read. Later, the connection ends without the answer's end.
        private func lines(_ wanted: Wanted) async throws -> Response {
            let size = Self.payloadsOfPart.upperBound
            let first = try await part(wanted, after: nil, payloads: size)
            return Response(
                status: .ok, headers: [.contentType: "application/x-ndjson"],
                body: ResponseBody { writer in
                    var part = first
                    while true {
                        let text = await Self.text(of: part, wanted)
                        if text.readableBytes > 0 { try await writer.write(text) }
                        try Task.checkCancellation()
                        guard let next = part.next else { break }
                        part = try await self.part(wanted, after: next, payloads: size)
                    }
                    try await writer.finish(nil)
                })
        }

        /// Not on the connection's thread, which others share.
        private static func text(of part: CustomerPart, _ wanted: Wanted) async -> ByteBuffer {
            await withTaskExecutorPreference(globalConcurrentExecutor) {
                var lines = part.groups.flatMap { wanted.objects(of: $0.history) }
                lines += part.faults.map(object(for:))
                var text = ByteBuffer()
                for line in lines { text.writeBytes(line.utf8 + [UInt8(ascii: "\n")]) }
                return text
            }
        }
    }
#endif
