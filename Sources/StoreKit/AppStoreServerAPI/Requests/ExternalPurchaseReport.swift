#if ServerAPI
    internal import AppStoreTables
    internal import WireFormats
    public import Essentials

    /// A report of the purchases under one token (Apple's `ExternalPurchaseReport`).
    ///
    /// Source: Apple's page
    /// [ExternalPurchaseReport](https://developer.apple.com/documentation/externalpurchaseserverapi/externalpurchasereport).
    public struct ExternalPurchaseReport: Hashable, Sendable {
        /// The status of a report's token.
        public struct Status: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// There are purchases.
            public static let lineItem = Status(rawValue: "LINE_ITEM")
            /// The token has no purchase.
            public static let noLineItem = Status(rawValue: "NO_LINE_ITEM")
            /// The token is not known here.
            public static let unrecognizedToken = Status(rawValue: "UNRECOGNIZED_TOKEN")
            /// Another token of the same period has the purchases.
            public static let duplicateToken = Status(rawValue: "DUPLICATE_TOKEN")
        }

        /// A new one for each report. A report that failed is sent again with the same one.
        public var requestIdentifier: UUID
        /// The token's `externalPurchaseId`.
        public var externalPurchaseID: String
        /// The status of the token.
        public var status: Status
        /// The purchases and refunds, with the status ``Status/lineItem`` alone.
        public var lineItems: [ExternalPurchaseLineItem]

        /// - Parameters:
        ///   - requestIdentifier: another one for each report.
        ///   - externalPurchaseID: the token's `externalPurchaseId`.
        ///   - status: the status of the token.
        ///   - lineItems: the purchases and refunds.
        public init(
            _ requestIdentifier: UUID, externalPurchaseID: String, status: Status,
            lineItems: [ExternalPurchaseLineItem] = []
        ) {
            self.requestIdentifier = requestIdentifier
            self.externalPurchaseID = externalPurchaseID
            (self.status, self.lineItems) = (status, lineItems)
        }

        var json: ObjectText {
            var object = ObjectText()
            object.add("requestIdentifier", requestIdentifier)
            object.add("externalPurchaseId", externalPurchaseID)
            object.add("status", status.rawValue)
            object.add("lineItems", lineItems.map(\.json))
            return object
        }

        init(_ answer: AnswerObject) throws(AnswerError) {
            requestIdentifier = try answer.uuid("requestIdentifier")
            externalPurchaseID = try answer.text("externalPurchaseId")
            status = Status(rawValue: try answer.text("status"))
            lineItems = try answer.objects("lineItems", ExternalPurchaseLineItem.init)
        }
    }

    extension APIRequest where Answer == UUID {
        /// Send External Purchase Report: the request identifier of the report. A report with an error is refused as a whole;
        /// ``AppStoreServerAPIError/reportErrors`` has all its errors.
        ///
        /// - Parameter report: the report.
        public static func sendExternalPurchaseReport(_ report: ExternalPurchaseReport) -> Self {
            APIRequest(.sendExternalPurchaseReport, body: .json(report.json.utf8)) {
                (answer) throws(AnswerError) in try answer.uuid("requestIdentifier")
            }
        }
    }

    extension APIRequest where Answer == ExternalPurchaseReport {
        /// Retrieve External Purchase Report.
        ///
        /// - Parameter requestIdentifier: of the report.
        public static func externalPurchaseReport(_ requestIdentifier: UUID) -> Self {
            APIRequest(.externalPurchaseReport, [requestIdentifier.uuidString.lowercased()]) {
                (answer) throws(AnswerError) in try ExternalPurchaseReport(answer.object("report"))
            }
        }
    }
#endif
