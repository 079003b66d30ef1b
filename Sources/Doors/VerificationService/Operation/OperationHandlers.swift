#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore
    internal import PurchaseDatabase
    internal import SignedPayloads
    internal import Synchronization
    internal import WireFormats

    /// Health, metrics and the description of the service.
    ///
    /// Health and readiness need no token, because load balancers have none. They say nothing about the apps, and however
    /// often they are asked for, the databases are checked once a second at most.
    struct OperationHandlers: Sendable {
        let metrics: ServiceMetrics
        let readiness: Readiness
        let databases: DatabaseChecks
        let apps: ServedApps
        private let process = ProcessSamples()
        /// The command's version.
        let version: String

        /// `GET /healthz`: the process answers.
        func health(_ request: RouteRequest) throws -> Response {
            try request.allowQuery([])
            return .json(ByteBuffer(string: "{\"status\":\"ok\"}\n"))
        }

        /// `GET /readyz`: new requests are welcome, and every database can keep payloads.
        func ready(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery([])
            guard readiness.isReady else {
                throw Problem(.serviceUnavailable, "The service is ending; send requests to another one.")
            }
            guard await databases.areReady() else {
                throw Problem(
                    .serviceUnavailable, "A database of the service cannot be used; its log says why.",
                    headers: [.retryAfter: "10"])
            }
            return .json(ByteBuffer(string: "{\"status\":\"ready\"}\n"))
        }

        /// `GET /v1/service`: the version, and each app's features. A page or a program offers no more than these.
        func service(_ request: RouteRequest) throws -> Response {
            try request.allowQuery([])
            var object = ObjectText()
            object.add("version", version)
            object.add("apps", all: apps.all.map(Self.object(of:)))
            return .json(object)
        }

        private static func object(of app: ServedApp) -> ObjectText {
            let policy = app.payloads.policy
            var object = ObjectText()
            object.add("name", app.name)
            object.add("bundleIds", all: policy.bundleIdentifiers.sorted())
            let environments = AppStoreEnvironment.known.filter {
                policy.environments.isEmpty || policy.environments.contains($0)
            }
            object.add("environments", all: environments.map(\.rawValue))
            object.add("hasDatabase", app.database != nil)
            object.add("signs", app.signs)
            return object
        }

        /// `GET /metrics`: Prometheus text.
        func metrics(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery([])
            var samples = process.samples
            samples.append(MetricSample("storekit_verify_build_info", [("version", version)], 1))
            for (name, database) in apps.databases {
                // A database that cannot be read shows in `/readyz`, and leaves a gap here.
                let counts = try? await database.inbox.deliveryCounts()
                samples += DeliveryMonitor.samples(
                    counts ?? [], to: database.inbox.addresses, of: name, at: Date())
                let sizes = database.sizes
                for (file, bytes) in [("database", sizes.file), ("log", sizes.log)] {
                    samples.append(
                        MetricSample(
                            "storekit_verify_database_bytes", [("app", name), ("file", file)], bytes))
                }
            }
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: .init(byteBuffer: ByteBuffer(string: metrics.registry.text(samples))))
        }

        /// `GET /openapi.json`: the OpenAPI 3.1 document, which is part of the executable.
        func description(_ request: RouteRequest) throws -> Response {
            try request.allowQuery([])
            return .json(ByteBuffer(asset: "openapi.json"))
        }
    }

    /// Whether new requests are welcome: from the first moment to the signal that ends the service.
    package final class Readiness: Sendable {
        private let state = Atomic<Bool>(true)

        var isReady: Bool { state.load(ordering: .relaxed) }

        package func end() { state.store(false, ordering: .relaxed) }
    }
#endif
