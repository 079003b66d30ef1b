internal import Essentials
internal import SignedPayloads
internal import StoreKitTestSession
internal import WireFormats

/// The endpoints about retention messages.
///
/// Apple reviews images and messages in production; `POST /test/messaging` stands for the review. In the Sandbox, each is
/// approved at once. Uploads stay until they are deleted. They change nothing that customers see, as there is no device.
extension ServerAPICall {
    /// Changes what is set up.
    private func changeMessaging(
        _ body: (inout Messaging) throws(ServerAPIError) -> ServerAPIResponse
    ) throws(ServerAPIError) -> ServerAPIResponse {
        try api.withState { (state) throws(ServerAPIError) in try body(&state.messaging) }
    }

    /// Where the review of an upload begins.
    private var firstState: Messaging.ReviewState {
        appStore.environment == .production ? .pending : .approved
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
        guard let image = PNGImage(request.body), image.isOpaque, size != "FULL_SIZE" || image.isFullSize
        else {
            throw .invalidImage
        }
        let state = firstState
        return try changeMessaging { (messaging) throws(ServerAPIError) in
            guard messaging.images[identifier] == nil else { throw .imageAlreadyExists }
            guard messaging.images.count < Messaging.limit else { throw .maximumNumberOfImagesReached }
            messaging.images[identifier] = .init(size: size, state: state)
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
            all: images.sorted { $0.key < $1.key }.map { identifier, image in
                var object = ObjectText()
                object.add("imageIdentifier", identifier)
                object.add("imageState", image.state.rawValue)
                object.add("imageSize", image.size)
                return object
            })
        return ServerAPIResponse(object)
    }

    // MARK: - Messages

    /// Upload Message. Its images must be there before it.
    func uploadMessage() throws(ServerAPIError) -> ServerAPIResponse {
        let identifier = try uuid()
        var message = try UploadedMessage(object()).message
        message.state = firstState
        return try changeMessaging { (messaging) throws(ServerAPIError) in
            guard messaging.messages[identifier] == nil else { throw .messageAlreadyExists }
            guard message.images.allSatisfy({ messaging.images[$0] != nil }) else { throw .imageNotFound }
            guard messaging.messages.count < Messaging.limit else { throw .maximumNumberOfMessagesReached }
            messaging.messages[identifier] = message
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
            all: messages.sorted { $0.key < $1.key }.map { identifier, message in
                var object = ObjectText()
                object.add("messageIdentifier", identifier)
                object.add("messageState", message.state.rawValue)
                return object
            })
        return ServerAPIResponse(object)
    }

    // MARK: - Defaults

    /// The product and the language in the path.
    private func defaultKey() throws(ServerAPIError) -> Messaging.Default {
        let (productID, locale) = (parameter("product"), parameter("locale"))
        guard appStore.configuration.product(productID)?.subscription != nil else { throw .invalidProductID }
        guard Region.isLocale(locale) else { throw .invalidLocale }
        return Messaging.Default(productID: productID, locale: locale)
    }

    /// Configure Default Message: for a product in a language. Only an approved message, with approved images, is shown.
    func setDefaultMessage() throws(ServerAPIError) -> ServerAPIResponse {
        let key = try defaultKey()
        guard let identifier = try object()["messageIdentifier"]?.stringValue else {
            throw .generalBadRequest
        }
        return try changeMessaging { (messaging) throws(ServerAPIError) in
            guard let message = messaging.messages[identifier.lowercased()] else { throw .messageNotFound }
            guard message.state == .approved else { throw .messageNotApproved }
            guard message.images.allSatisfy({ messaging.images[$0]?.state == .approved }) else {
                throw .imageNotApproved
            }
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
            return ServerAPIResponse("messageIdentifier", identifier)
        }
    }
}
