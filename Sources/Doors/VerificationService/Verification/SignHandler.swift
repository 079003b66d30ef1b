#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import RequestSigning
    internal import SignedPayloads
    internal import WireFormats

    /// `POST /v1/sign/…`: signs an offer or a request with the app's key.
    ///
    /// A service with a key needs a bearer token: who can ask can give every customer an offer.
    struct SignHandler: Sendable {
        let apps: ServedApps
        let bodies: BodyReader

        /// The kinds that are signed here. A token of the App Store Server API is not among them: with it, a caller could do all that the key can.
        static let kinds = SignatureKind.allCases.filter { $0 != .token }

        func respond(to request: RouteRequest, _ kind: SignatureKind) async throws -> Response {
            try request.allowQuery(["app", "bundleId"])
            let app = try apps.app(for: request)
            guard let key = app.signingKey else {
                throw Problem(
                    .notFound,
                    "This service signs nothing for the app; start it with --signing-key FILE, or with \"signingKeyFile\" in the configuration."
                )
            }
            let bundleID = try Self.bundleID(request, app)
            // An Advanced Commerce request is the body itself, which is signed as it is.
            let members =
                kind == .advancedCommerce
                ? [JSONTree.Member(name: "request", value: .string(try await bodies.text(of: request)))]
                : try await bodies.members(of: request)
            do throws(RequestSigningError) {
                return .json(try key.answer(kind, members, bundleID: bundleID, at: Date()))
            } catch {
                if case .failed = error {
                    request.logger.error("signing failed", metadata: ["reason": "\(error)"])
                    throw Problem(
                        .internalServerError, "The request was not signed; the service's log says why.")
                }
                throw Problem(.badRequest, "Nothing was signed: \(error).")
            }
        }

        /// The app that a signature names: the only one of the policy, or the one of `?bundleId=`.
        private static func bundleID(_ request: RouteRequest, _ app: ServedApp) throws(Problem) -> String {
            let known = app.payloads.policy.bundleIdentifiers
            if let only = known.first, known.count == 1, request.query("bundleId") == nil { return only }
            guard let asked = request.query("bundleId"), known.contains(asked) else {
                throw Problem(
                    .badRequest,
                    "Say with ?bundleId= which app the signature is for: \(known.sorted().joined(separator: ", "))."
                )
            }
            return asked
        }
    }
#endif
