internal import StoreKitTestSession
internal import WireFormats

/// The reports of purchases outside the App Store that were accepted, and what is wrong with a new one.
///
/// Apple's page "Send External Purchase Report": of a report with an error, nothing is kept.
struct ExternalPurchaseReports: Sendable {
    /// The bodies, by `requestIdentifier`.
    private(set) var bodies: [String: [UInt8]] = [:]
    /// The last version of each line.
    private var lines: [String: ExternalPurchaseLine] = [:]
    /// The tokens that lines were reported for.
    private var tokensWithLines: Set<String> = []

    /// Keeps a report without an error.
    mutating func add(_ report: ExternalPurchaseReport, body: [UInt8]) {
        bodies[report.identifier.lowercased()] = body
        for line in report.lines { lines[line.id] = line }
        if !report.lines.isEmpty { tokensWithLines.insert(report.token) }
    }

    /// The mistakes of a report beside those that were accepted.
    func errors(of report: ExternalPurchaseReport) -> [ExternalPurchaseError] {
        var errors: [ExternalPurchaseError] = []
        if bodies[report.identifier.lowercased()] != nil {
            errors.append(.init(code: .duplicateValue, field: "requestIdentifier"))
        }
        if report.status != "LINE_ITEM", tokensWithLines.contains(report.token) {
            errors.append(.init(code: .lineItemStatusRegression, field: "status"))
        }
        // Lines of one report may refer to each other.
        var all = lines
        var seen: Set<String> = []
        for line in report.lines {
            if !seen.insert(line.id).inserted || lines[line.id] != nil && !line.isRestatement {
                errors.append(.init(code: .duplicateValue, field: "lineItemId", lineItem: line.id))
            } else if lines[line.id] == nil, line.isRestatement {
                errors.append(.init(code: .notFound, field: "lineItemId", lineItem: line.id))
            } else if line.isErroneous, lines[line.id]?.isErroneous == true {
                errors.append(
                    .init(code: .repeatErroneousSubmission, field: "erroneouslySubmitted", lineItem: line.id))
            }
            all[line.id] = line
        }
        for line in report.lines { errors += Self.referenceErrors(of: line, in: all) }
        return errors.isEmpty ? Self.netErrors(of: report.lines, in: all) : errors
    }

    /// The contradictions between a line and the one that it refers to.
    private static func referenceErrors(
        of line: ExternalPurchaseLine, in all: [String: ExternalPurchaseLine]
    ) -> [ExternalPurchaseError] {
        var errors: [ExternalPurchaseError] = []
        func fail(_ code: ExternalPurchaseErrorCode, _ field: String) {
            errors.append(.init(code: code, field: field, lineItem: line.id))
        }
        if line.isErroneous, all.values.contains(where: { $0.reference == line.id && !$0.isErroneous }) {
            fail(.erroneousLineItemReferencedByValidLineItem, "erroneouslySubmitted")
        }
        guard let reference = line.reference else { return errors }
        guard let other = all[reference] else {
            fail(.notFound, "referenceLineItemId")
            return errors
        }
        if other.isErroneous, !line.isErroneous {
            fail(.validLineItemReferencesErroneousLineItem, "erroneouslySubmitted")
        }
        if other.creationDate > line.creationDate {
            fail(.referencedCreationDateIncompatible, "creationDate")
        }
        switch (line.isRefund, other.isRefund) {
        case (true, true): fail(.refundReferencedByRefund, "lineItemId")
        case (false, true): fail(.referenceLineItemNotABuy, "referenceLineItemId")
        case (false, false):
            if other.event != "SUBSCRIPTION_START" {
                fail(.referenceInvalidSubscriptionEvent, "referenceLineItemId")
            }
        case (true, false):
            if line.reportingCurrency != other.reportingCurrency {
                fail(.reportingCurrencyMismatch, "reportingCurrency")
            }
            if line.pricingCurrency != other.pricingCurrency {
                fail(.pricingCurrencyMismatch, "pricingCurrency")
            }
            if line.exchangeRate != other.exchangeRate { fail(.exchangeRateMismatch, "exchangeRate") }
            if line.taxCountry != other.taxCountry { fail(.taxCountryMismatch, "taxCountry") }
        }
        return errors
    }

    /// A purchase and its refunds say the same net amount: what was paid without tax, less all refunds.
    private static func netErrors(
        of lines: [ExternalPurchaseLine], in all: [String: ExternalPurchaseLine]
    ) -> [ExternalPurchaseError] {
        var errors: [ExternalPurchaseError] = []
        var nets: [String: Int] = [:]
        for line in lines where !line.isErroneous {
            let buy = line.isRefund ? line.reference ?? line.id : line.id
            let said = nets[buy]
            nets[buy] = said ?? line.net
            if let said, said != line.net {
                errors.append(
                    .init(code: .netAmountMismatch, field: "netAmountTaxExclusive", lineItem: line.id))
            } else if line.net != net(of: buy, in: all) {
                errors.append(
                    .init(code: .incorrectNetAmount, field: "netAmountTaxExclusive", lineItem: line.id))
            }
        }
        return errors
    }

    /// `nil` if the sum is beyond the largest integer, which is no net amount.
    private static func net(of buy: String, in all: [String: ExternalPurchaseLine]) -> Int? {
        guard var net = all[buy]?.taxExclusive else { return nil }
        for line in all.values where line.isRefund && line.reference == buy && !line.isErroneous {
            let rest = net.subtractingReportingOverflow(line.taxExclusive)
            guard !rest.overflow else { return nil }
            net = rest.partialValue
        }
        return net
    }
}

/// A report, and what is wrong with it alone.
struct ExternalPurchaseReport: Sendable {
    let identifier: String
    /// `externalPurchaseId`.
    let token: String
    let status: String
    let lines: [ExternalPurchaseLine]
    private(set) var errors: [ExternalPurchaseError]

    /// - Parameters:
    ///   - body: the members of the body.
    ///   - simulation: has the tokens.
    init(_ body: JSONTree, in simulation: Simulation) {
        var errors: [ExternalPurchaseError] = []
        func text(_ field: String) -> String {
            let text = body[field]?.stringValue ?? ""
            if text.isEmpty { errors.append(.init(code: .omittedField, field: field)) }
            return text
        }
        identifier = text("requestIdentifier")
        token = text("externalPurchaseId")
        status = text("status")
        let known = simulation.externalPurchases[token]
        if known == nil, !token.isEmpty {
            errors.append(.init(code: .notFound, field: "externalPurchaseId"))
        }
        let items = body["lineItems"]?.elements ?? []
        switch status {
        case "LINE_ITEM":
            if items.isEmpty { errors.append(.init(code: .missingLineItemsForStatus, field: "status")) }
        case "NO_LINE_ITEM", "UNRECOGNIZED_TOKEN", "DUPLICATE_TOKEN":
            if !items.isEmpty { errors.append(.init(code: .lineItemsNotAllowedForStatus, field: "status")) }
        case "": break
        default: errors.append(.init(code: .unknownEnum, field: "status"))
        }
        var lines: [ExternalPurchaseLine] = []
        for item in items {
            let before = errors.count
            let line = ExternalPurchaseLine(item, now: simulation.now, errors: &errors)
            lines.append(line)
            // A refund, and what follows a start, may come after the token has expired.
            if errors.count == before, let known, line.reference == nil,
                !(known.creationDate..<known.expirationDate).contains(line.creationDate)
            {
                errors.append(
                    .init(
                        code: .lineItemCreationDateOutOfRange, field: "creationDate", lineItem: line.id))
            }
        }
        self.lines = lines
        self.errors = errors
    }
}
