package import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

/// Writes verified payloads by StoreKit's names, straight from their JSON. It reuses its memory.
///
/// Dates have the form of ISO 8601, and prices are decimals. Identifiers are strings. Absent properties are
/// left out.
package struct TypedWriter: Sendable {
    private static let kinds = [
        SignedPayloadKind.transaction, .renewalInfo, .appTransaction, .realtimeRequest, .notification,
    ]

    /// The member `environment` of each kind; `nil` for a kind that has none.
    private static let environments = kinds.map { $0.form?.names.index(of: "environment") }

    /// A writer for each kind.
    private var writers = kinds.compactMap(\.form).map(ObjectWriter.init)
    private var parts = ServerNotification.parts.map { NotificationPart($0) }
    private var meanings = NotificationMeanings()
    /// The environment of the notification's `data`, as JSON; empty if there is none.
    private var environmentOfData: [UInt8] = []

    /// Makes a writer. The first one takes longest.
    package init() {}

    /// Appends a payload.
    ///
    /// - Parameters:
    ///   - json: the payload's JSON.
    ///   - inner: lends the JSON of the payload inside this one, at the path of a member, if there is one.
    /// - Returns: whether the payload is of a kind that has one of StoreKit's types, and not a receipt.
    /// - Throws: `PayloadError` if the payload lacks a member that the type requires. The output is then as it was.
    package mutating func append(
        _ json: Span<UInt8>, of kind: SignedPayloadKind, to output: inout [UInt8],
        inner: (_ path: String, _ body: (Span<UInt8>) -> Void) -> Void
    ) throws(PayloadError) -> Bool {
        guard let index = Self.kinds.firstIndex(of: kind),
            writers[index].read(JSONValue.object(0..<json.count), of: json)
        else { return false }
        let start = output.count
        if let missing = writers[index].appendProperties(of: json, to: &output) {
            output.removeLast(output.count - start)
            throw PayloadError(.missingProperty(member: missing, of: writers[index].form.type))
        }
        if kind == .notification { appendParts(of: json, to: &output, inner) }
        output.closeObject(from: start)
        return true
    }

    // MARK: - Notifications

    private struct NotificationPart: Sendable {
        var writer: ObjectWriter
        let member: Int?
        /// Whether typed output has the part as an object; otherwise its properties stand beside the notification's.
        let isObject: Bool
        let appAppleIdentifier: Int?
        let bundleIdentifier: Int?
        /// The member that gives the environment.
        let environment: Int?
        /// Whether that member is an external purchase token's identifier.
        let isToken: Bool

        init(_ part: (member: String, form: PayloadForm)) {
            let form = part.form
            writer = ObjectWriter(form)
            let member = ServerNotification.form.names.index(of: part.member)
            self.member = member
            isObject = ServerNotification.form.rows.contains { $0.member == member }
            appAppleIdentifier = form.names.index(of: "appAppleId")
            bundleIdentifier = form.names.index(of: "bundleId")
            isToken = form.names.index(of: "environment") == nil
            environment = form.names.index(of: isToken ? "externalPurchaseId" : "environment")
        }
    }

    /// The members that give a notification's type and subtype.
    private static let typeMembers = (
        type: ServerNotification.form.names.index(of: "notificationType"),
        subtype: ServerNotification.form.names.index(of: "subtype")
    )

    /// Appends the parts of a notification apart from its own members.
    private mutating func appendParts(
        of json: Span<UInt8>, to output: inout [UInt8],
        _ inner: (_ path: String, _ body: (Span<UInt8>) -> Void) -> Void
    ) {
        let notification = Self.kinds.count - 1
        let type = writers[notification][Self.typeMembers.type]
        let subtype = writers[notification][Self.typeMembers.subtype]
        output.appendName("accessChange")
        output.append(meanings.row(type, subtype, of: json, inner: inner).accessChange.span)
        for index in parts.indices {
            let part = writers[notification][parts[index].member]
            _ = parts[index].writer.read(part, of: json)
        }
        appendBundleIdentifier(of: json, to: &output)
        appendAppAppleIdentifier(of: json, to: &output)
        appendEnvironment(of: json, to: &output)
        // No member of a part is required.
        for index in parts.indices where !parts[index].isObject {
            _ = parts[index].writer.appendProperties(of: json, to: &output)
        }
        readEnvironmentOfData(of: json)
        for (name, path, kind) in ServerNotification.signed {
            inner(path) { payload in
                guard let index = Self.kinds.firstIndex(of: kind) else { return }
                let start = output.count
                output.appendName(name)
                if !environmentOfData.isEmpty, let member = Self.environments[index] {
                    writers[index].absent = (member, environmentOfData)
                }
                defer { writers[index].absent = nil }
                if !writers[index].append(JSONValue.object(0..<payload.count), of: payload, to: &output) {
                    output.removeLast(output.count - start)
                }
            }
        }
    }

    /// A payload that names no environment, as those of before 2022, has that of the notification around it.
    private mutating func readEnvironmentOfData(of json: Span<UInt8>) {
        environmentOfData.removeAll(keepingCapacity: true)
        guard let value = parts[0].writer[parts[0].environment], value.isText, !value.isEmptyText else {
            return
        }
        _ = environmentOfData.append(text: value, of: json)
    }

    /// Appends the bundle identifier of the first part that has one.
    private mutating func appendBundleIdentifier(of json: Span<UInt8>, to output: inout [UInt8]) {
        for index in parts.indices {
            let member = parts[index].bundleIdentifier
            guard let value = parts[index].writer[member], value.isText else { continue }
            output.appendName("bundleID")
            _ = output.append(text: value, of: json)
            return
        }
    }

    /// Appends Apple's number for the app from the first part that has one.
    private mutating func appendAppAppleIdentifier(of json: Span<UInt8>, to output: inout [UInt8]) {
        let start = output.count
        output.appendName("appAppleID")
        for index in parts.indices {
            let value = parts[index].writer[parts[index].appAppleIdentifier]
            if output.append(identifier: value, of: json, orZero: false) { return }
        }
        output.removeLast(output.count - start)
    }

    /// Appends the environment of the first part that has one, unless it is empty.
    private mutating func appendEnvironment(of json: Span<UInt8>, to output: inout [UInt8]) {
        for index in parts.indices {
            let member = parts[index].environment
            guard let value = parts[index].writer[member], value.isText else { continue }
            if value.isEmptyText, !parts[index].isToken { return }
            output.appendName("environment")
            if !parts[index].isToken {
                _ = output.append(text: value, of: json)
            } else if let identifier = value.string(in: json) {
                appendJSON(ExternalPurchaseToken.environment(ofIdentifier: identifier).rawValue, to: &output)
            }
            return
        }
    }
}
