internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The paths of the Retention Messaging API, with Apple's limits of requests within a second.
extension ServerAPIEndpoint {
    private static let folder = "/inApps/v1/messaging"

    static let retentionMessaging = [
        ServerAPIEndpoint("GET", folder + "/image/list", perSecond: 1, ServerAPICall.listImages),
        ServerAPIEndpoint("PUT", folder + "/image/{id}", perSecond: 1, ServerAPICall.uploadImage),
        ServerAPIEndpoint("DELETE", folder + "/image/{id}", perSecond: 1, ServerAPICall.deleteImage),
        ServerAPIEndpoint("GET", folder + "/message/list", perSecond: 1, ServerAPICall.listMessages),
        ServerAPIEndpoint("PUT", folder + "/message/{id}", perSecond: 1, ServerAPICall.uploadMessage),
        ServerAPIEndpoint("DELETE", folder + "/message/{id}", perSecond: 1, ServerAPICall.deleteMessage),
        ServerAPIEndpoint(
            "PUT", folder + "/default/{product}/{locale}", perSecond: 10, ServerAPICall.setDefaultMessage),
        ServerAPIEndpoint("GET", folder + "/default/{product}/{locale}", perSecond: 1) {
            (call) throws(ServerAPIError) in try call.defaultMessage(isDeleted: false)
        },
        ServerAPIEndpoint("DELETE", folder + "/default/{product}/{locale}", perSecond: 1) {
            (call) throws(ServerAPIError) in try call.defaultMessage(isDeleted: true)
        },
        ServerAPIEndpoint("PUT", folder + "/realtime/url", perSecond: 1, ServerAPICall.setRealtimeURL),
        ServerAPIEndpoint("GET", folder + "/realtime/url", perSecond: 1) {
            (call) throws(ServerAPIError) in try call.realtimeURL(isDeleted: false)
        },
        ServerAPIEndpoint("DELETE", folder + "/realtime/url", perSecond: 1) {
            (call) throws(ServerAPIError) in try call.realtimeURL(isDeleted: true)
        },
        ServerAPIEndpoint(
            "POST", folder + "/performanceTest", perSecond: 1, ServerAPICall.startPerformanceTest),
        ServerAPIEndpoint(
            "GET", folder + "/performanceTest/result/{id}", perSecond: 1, ServerAPICall.performanceTestResult),
    ]
}

/// The endpoints about retention messages.
///
/// Apple reviews images and messages; here, each is approved at once, so that tests need not wait. Uploads stay
/// until they are deleted. They change nothing that customers see, as there is no device.
extension ServerAPICall {
    /// Changes what is set up.
    private func changeMessaging(
        _ body: (inout Messaging) throws(ServerAPIError) -> ServerAPIResponse
    ) throws(ServerAPIError) -> ServerAPIResponse {
        try api.withState { (state) throws(ServerAPIError) in try body(&state.messaging) }
    }

    /// The identifier in the path, which the client has chosen.
    private func uuid(else error: ServerAPIError = .generalBadRequest) throws(ServerAPIError) -> String {
        guard UUID(canonicalForm: parameter("id")) != nil else { throw error }
        return parameter("id").lowercased()
    }

    // MARK: - Images

    /// Upload Image. The image is not kept: its identifier and size are all that later requests ask for.
    func uploadImage() throws(ServerAPIError) -> ServerAPIResponse {
        let identifier = try uuid()
        let size = queryValue("imageSize") ?? "FULL_SIZE"
        guard ["FULL_SIZE", "BULLET_POINT"].contains(size) else { throw .badRequestImageSize }
        // The first bytes of a PNG file (ISO/IEC 15948, section 5.2).
        guard request.body.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else {
            throw .invalidImage
        }
        return try changeMessaging { (messaging) throws(ServerAPIError) in
            guard messaging.images[identifier] == nil else { throw .imageAlreadyExists }
            messaging.images[identifier] = size
            return ServerAPIResponse(status: 200)
        }
    }

    /// Delete Image. An image that a message shows stays.
    func deleteImage() throws(ServerAPIError) -> ServerAPIResponse {
        let identifier = try uuid()
        return try changeMessaging { (messaging) throws(ServerAPIError) in
            guard messaging.images[identifier] != nil else { throw .imageNotFound }
            guard !messaging.messages.values.contains(where: { $0.images.contains(identifier) }) else {
                throw .imageInUse
            }
            messaging.images[identifier] = nil
            return ServerAPIResponse(status: 200)
        }
    }

    /// Get Image List, in the order of identifiers, so that answers can be compared.
    func listImages() -> ServerAPIResponse {
        let images = api.withState { $0.messaging.images }
        var object = ObjectText()
        object.add(
            "imageIdentifiers",
            all: images.sorted { $0.key < $1.key }.map { identifier, size in
                var object = ObjectText()
                object.add("imageIdentifier", identifier)
                object.add("imageState", "APPROVED")
                object.add("imageSize", size)
                return object
            })
        return ServerAPIResponse(object)
    }

    // MARK: - Messages

    /// Upload Message. Its images must be there before it.
    func uploadMessage() throws(ServerAPIError) -> ServerAPIResponse {
        let identifier = try uuid()
        let upload = try UploadedMessage(object())
        return try changeMessaging { (messaging) throws(ServerAPIError) in
            guard messaging.messages[identifier] == nil else { throw .messageAlreadyExists }
            guard upload.message.images.allSatisfy({ messaging.images[$0] != nil }) else {
                throw .imageNotFound
            }
            messaging.messages[identifier] = upload.message
            return ServerAPIResponse(status: 200)
        }
    }

    /// Delete Message. A default that named it is deleted too.
    func deleteMessage() throws(ServerAPIError) -> ServerAPIResponse {
        let identifier = try uuid()
        return try changeMessaging { (messaging) throws(ServerAPIError) in
            guard messaging.messages.removeValue(forKey: identifier) != nil else { throw .messageNotFound }
            messaging.defaults = messaging.defaults.filter { $0.value != identifier }
            return ServerAPIResponse(status: 200)
        }
    }

    /// Get Message List, in the order of identifiers.
    func listMessages() -> ServerAPIResponse {
        let messages = api.withState { $0.messaging.messages }
        var object = ObjectText()
        object.add(
            "messageIdentifiers",
            all: messages.keys.sorted().map { identifier in
                var object = ObjectText()
                object.add("messageIdentifier", identifier)
                object.add("messageState", "APPROVED")
                return object
            })
        return ServerAPIResponse(object)
    }

    // MARK: - Defaults

    /// The product and the language in the path.
    private func defaultKey() throws(ServerAPIError) -> Messaging.Default {
        let (productID, locale) = (parameter("product"), parameter("locale"))
        guard appStore.configuration.product(productID)?.subscription != nil else { throw .invalidProductID }
        // A language of two or three letters, then parts of two to eight (RFC 5646, section 2.1).
        let parts = locale.split(separator: "-", omittingEmptySubsequences: false)
        let isLocale = parts.allSatisfy { (2...8).contains($0.count) && $0.allSatisfy(\.isASCIIAlphanumeric) }
        guard isLocale, parts[0].count <= 3 else { throw .invalidLocale }
        return Messaging.Default(productID: productID, locale: locale)
    }

    /// Configure Default Message: for a product in a language.
    func setDefaultMessage() throws(ServerAPIError) -> ServerAPIResponse {
        let key = try defaultKey()
        guard let identifier = try object()["messageIdentifier"]?.stringValue else {
            throw .generalBadRequest
        }
        return try changeMessaging { (messaging) throws(ServerAPIError) in
            guard messaging.messages[identifier.lowercased()] != nil else { throw .messageNotFound }
            messaging.defaults[key] = identifier.lowercased()
            return ServerAPIResponse(status: 200)
        }
    }

    /// The default message of a product in a language, which is deleted if asked for.
    func defaultMessage(isDeleted: Bool) throws(ServerAPIError) -> ServerAPIResponse {
        let key = try defaultKey()
        return try changeMessaging { (messaging) throws(ServerAPIError) in
            guard let identifier = messaging.defaults[key] else { throw .defaultMessageNotFound }
            if isDeleted {
                messaging.defaults[key] = nil
                return ServerAPIResponse(status: 200)
            }
            var object = ObjectText()
            object.add("messageIdentifier", identifier)
            return ServerAPIResponse(object)
        }
    }
}

extension Character {
    fileprivate var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}
