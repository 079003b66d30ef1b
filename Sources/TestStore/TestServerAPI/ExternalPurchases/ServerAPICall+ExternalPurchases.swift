internal import Essentials
internal import StoreKitTestSession
internal import WireFormats

/// The reports of purchases outside the App Store. They change nothing that customers see.
extension ServerAPICall {
    /// Send External Purchase Report.
    func sendReport() throws(ServerAPIError) -> ServerAPIResponse {
        // Apple documents no code for a body of another form.
        guard let body = try? object() else { return ServerAPIResponse(status: 400) }
        if let identifier = body["requestIdentifier"]?.stringValue, UUID(canonicalForm: identifier) == nil {
            return ServerAPIResponse(status: 400)
        }
        let report = appStore.read { ExternalPurchaseReport(body, in: $0) }
        return api.withState { state in
            let errors = report.errors.isEmpty ? state.reports.errors(of: report) : report.errors
            guard errors.isEmpty else { return Self.refusal(errors) }
            state.reports.add(report, body: request.body)
            return ServerAPIResponse("requestIdentifier", report.identifier)
        }
    }

    /// Retrieve External Purchase Report: what was sent, as it was written.
    func retrieveReport() throws(ServerAPIError) -> ServerAPIResponse {
        let body = api.withState { $0.reports.bodies[parameter("request").lowercased()] }
        guard let body else {
            return Self.refusal([.init(code: .notFound, field: "requestIdentifier")])
        }
        var object = ObjectText()
        object.add("report", json: body)
        return ServerAPIResponse(object)
    }

    static func refusal(_ errors: [ExternalPurchaseError]) -> ServerAPIResponse {
        var object = ObjectText()
        object.add("errors", all: errors.map(\.object))
        return ServerAPIResponse(status: 400, object)
    }
}
