#if Service
    internal import HTTPConnections
    internal import HTTPTypes
    internal import Logging
    internal import NIOPosix
    internal import RequestSigning

    /// The service's routes, one line each.
    struct ServiceRoutes: Sendable {
        let configuration: VerificationService.Configuration
        let apps: ServedApps
        let threads: NIOThreadPool
        let metrics: ServiceMetrics
        let logger: Logger
        private let bodies: BodyReader
        private let databases: DatabaseChecks

        init(
            configuration: VerificationService.Configuration, apps: ServedApps, threads: NIOThreadPool,
            metrics: ServiceMetrics, logger: Logger
        ) {
            (self.configuration, self.apps, self.threads) = (configuration, apps, threads)
            (self.metrics, self.logger) = (metrics, logger)
            databases = DatabaseChecks(apps, age: configuration.readinessAge, logger)
            bodies = BodyReader(
                maximumBytes: configuration.maximumBodyBytes,
                memory: ByteBudget(limit: configuration.bodyMemory))
        }

        func all(_ readiness: Readiness) -> [Route] {
            verification + signing + notifications + customers + operation(readiness) + PageFiles.routes
        }

        private var verification: [Route] {
            let verify = VerifyHandler(apps: apps, bodies: bodies, threads: threads, metrics: metrics)
            let batch = BatchHandler(
                apps: apps, bodies: bodies, threads: threads, jobs: configuration.jobs, metrics: metrics,
                running: RunningBatches(window: configuration.times.body),
                room: SpoolRoom(
                    folder: configuration.spoolFolder,
                    budget: ByteBudget(limit: configuration.maximumSpoolBytes), metrics: metrics),
                logger: logger)
            let receipts = VerifyReceiptHandler(
                apps: apps, bodies: bodies, threads: threads, metrics: metrics, tokens: configuration.tokens)
            let access: Access = configuration.opensVerifyReceipt ? .everyone : .token
            return [
                Route(.post, "/v1/verify", handler: verify.respond),
                Route(.post, "/v1/verify/batch", isStream: true, handler: batch.respond),
                Route(.post, "/verifyReceipt", access, mayBlock: true, handler: receipts.respond),
                Route(.get, "/verifyReceipt", access, handler: receipts.refuse),
            ]
        }

        private var signing: [Route] {
            let sign = SignHandler(apps: apps, bodies: bodies)
            let retention = RetentionHandler(apps: apps, bodies: bodies, metrics: metrics)
            let signatures = SignHandler.kinds.map { kind in
                Route(.post, "/v1/sign/\(kind.rawValue)") { try await sign.respond(to: $0, kind) }
            }
            return signatures + [
                Route(.post, "/v1/retention-messages", .everyone, handler: retention.respond)
            ]
        }

        private var notifications: [Route] {
            let inbox = NotificationHandlers(
                apps: apps, bodies: bodies, metrics: metrics, databases: databases,
                refusesForeign: configuration.refusesForeignNotifications)
            let deliveries = DeliveryHandlers(apps: apps)
            let one = "/v1/notifications/{notificationUUID}"
            return [
                Route(.post, "/v1/notifications", .everyone, mayBlock: true, handler: inbox.receive),
                Route(.get, "/v1/notifications", mayBlock: true, handler: inbox.list),
                Route(.get, one, mayBlock: true, handler: inbox.notification),
                Route(.get, "/v1/deliveries", mayBlock: true, handler: deliveries.list),
                Route(.delete, "/v1/deliveries", mayBlock: true, handler: deliveries.drop),
                Route(.post, "/v1/deliveries/retry", mayBlock: true, handler: deliveries.deliverAgain),
                Route(.post, "/v1/deliveries/send", mayBlock: true, handler: deliveries.deliverWaiting),
                Route(.post, "/v1/deliveries/replay", mayBlock: true, handler: deliveries.replay),
            ]
        }

        private var customers: [Route] {
            let questions = CustomerQuestions(apps: apps, logger: logger)
            let customer = CustomerHandlers(questions: questions, bodies: bodies)
            let intake = PurchaseIntake(
                questions: questions, bodies: bodies, threads: threads, metrics: metrics,
                databases: databases)
            let (list, search) = (CustomerList(questions: questions), CustomerSearch(questions: questions))
            let forgetting = ForgettingHandler(apps: apps, databases: databases)
            let seats = SeatHandlers(questions: questions, bodies: bodies, databases: databases)
            let one = "/v1/customers/{name}"
            return [
                Route(.post, "/v1/purchases", mayBlock: true, handler: intake.keep),
                Route(.post, "/v1/entitlements", mayBlock: true, handler: customer.entitlementsOfSeveral),
                Route(.put, "/v1/seats/{seatClaimId}", mayBlock: true, handler: seats.claim),
                Route(.delete, "/v1/seats/{seatClaimId}", mayBlock: true, handler: seats.unclaim),
                Route(.get, "/v1/search", mayBlock: true, handler: search.search),
                Route(.get, "/v1/customers", mayBlock: true, handler: list.list),
                Route(.delete, one, mayBlock: true, handler: forgetting.forget),
                Route(.get, "\(one)/entitlements", mayBlock: true, handler: customer.entitlements),
                Route(.get, "\(one)/timeline", mayBlock: true, handler: customer.timeline),
                Route(.get, "\(one)/timeline.svg", mayBlock: true, handler: customer.picture),
            ]
        }

        private func operation(_ readiness: Readiness) -> [Route] {
            let operation = OperationHandlers(
                metrics: metrics, readiness: readiness, databases: databases, apps: apps,
                version: configuration.version)
            return [
                Route(.get, "/healthz", .everyone, handler: operation.health),
                Route(.get, "/readyz", .everyone, mayBlock: true, handler: operation.ready),
                Route(.get, "/v1/service", handler: operation.service),
                Route(.get, "/metrics", handler: operation.metrics(_:)),
                Route(.get, "/openapi.json", handler: operation.description),
            ]
        }
    }
#endif
