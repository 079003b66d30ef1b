#if Service
    internal import CoreMetrics
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import RequestSigning
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import WireFormats

    /// `POST /v1/retention-messages`: says which message a customer sees who is about to cancel.
    ///
    /// The App Store waits 700 milliseconds (Apple's page "Responding to real-time retention messaging requests"), and shows
    /// the default message for every status except 200.
    struct RetentionHandler: Sendable {
        let apps: ServedApps
        let bodies: BodyReader
        let metrics: ServiceMetrics

        /// How old a request may be, in seconds: an hour.
        ///
        /// The App Store asks while the customer waits, so an older request is one that was sent again. The hour leaves room
        /// for a wrong clock, and for a performance test, which can take as long. A date in the future is accepted, as
        /// everywhere.
        private static let longestAge: TimeInterval = 3_600

        /// Answers with Apple's `RealtimeResponseBody`. Nothing of the request is believed before its signature, the app, the
        /// environment and the age are right.
        ///
        /// - Throws: `Problem`, whose sentence the log has too.
        func respond(to request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app"])
            let (app, rules) = try rules(for: request)
            let asked = try await bodies.withBytes(of: request) { body in
                try await verified(body, app, request)
            }
            let question = RetentionRules.Question(
                productID: asked.productID, locale: asked.userLocaleIdentifier,
                transactionID: String(asked.originalTransactionID))
            do throws(RequestSigningError) {
                // A rule with an offer is refused at the start unless the app has one bundle identifier.
                let (body, choice) = try rules.answer(
                    to: question, by: app.signingKey,
                    bundleID: app.payloads.policy.bundleIdentifiers.first ?? "", at: Date())
                metrics.app(app.name).retention(.answered(choice))
                return .json(ByteBuffer(bytes: body))
            } catch {
                metrics.app(app.name).retention(.failed)
                request.logger.error(
                    "an offer for a retention message was not signed",
                    metadata: ["app": .string(app.name), "reason": "\(error)"])
                // 503, as for everything that a later request can get.
                throw Problem(.serviceUnavailable, "The offer was not signed; the service's log says why.")
            }
        }

        /// The app that is asked about. The App Store does not say that its address is wrong: only the log can tell.
        private func rules(
            for request: RouteRequest
        ) throws(Problem) -> (app: ServedApp, rules: RetentionRules) {
            do throws(Problem) {
                let app = try apps.app(for: request)
                guard let rules = app.retentionRules else {
                    throw Problem(
                        .notFound,
                        "This service chooses no messages for the app; give it \"retentionMessages\" in the configuration."
                    )
                }
                return (app, rules)
            } catch {
                request.logger.notice(
                    "a request for a retention message came to an address without rules",
                    metadata: ["reason": .string(error.detail)])
                throw error
            }
        }

        /// The request in a body, after every check.
        ///
        /// A task that needs an answer about revocation is suspended, and holds up no other request.
        private func verified(
            _ body: [UInt8], _ app: ServedApp, _ request: RouteRequest
        ) async throws(Problem) -> RealtimeRequest {
            let asked: RealtimeRequest
            do throws(PayloadError) {
                asked = try await app.batch.verifiedRealtimeRequest(body: body)
                metrics.app(app.name).record(nil)
            } catch {
                metrics.app(app.name).record(error)
                throw refusal(Problem(error), app, request)
            }
            let now = Date()
            guard now.timeIntervalSince(asked.signedDate) <= Self.longestAge else {
                let reason =
                    "The request was signed at \(Self.text(asked.signedDate)), and now it is \(Self.text(now)): a request is answered for an hour."
                throw refusal(Problem(.badRequest, reason), app, request)
            }
            return asked
        }

        /// In UTC, to the second.
        private static func text(_ date: Date) -> String {
            CalendarTime.iso8601(Int64(date.timeIntervalSince1970.rounded(.down)))
        }

        /// Counts a refusal, and writes a line about it. One without a code is of a request that is too old.
        private func refusal(_ problem: Problem, _ app: ServedApp, _ request: RouteRequest) -> Problem {
            metrics.app(app.name).retention(.refused)
            request.logger.notice(
                "a request for a retention message is refused",
                metadata: [
                    "app": .string(app.name), "code": .string(problem.code ?? "tooOld"),
                    "reason": .string(problem.detail),
                ])
            return problem
        }
    }
#endif
