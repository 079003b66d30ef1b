internal import WireFormats

/// What an app has set up for the messages that the App Store shows to customers who are about to cancel. Images and
/// messages are approved at once.
struct Messaging {
    /// A message, as far as it matters here: the images that it shows.
    struct Message {
        let images: [String]
    }

    /// The size of each image, by its identifier.
    var images: [String: String] = [:]
    var messages: [String: Message] = [:]
    /// The message for a product in a language.
    var defaults: [Default: String] = [:]
    var realtimeURL: String?
    /// The runs of performance tests, with the address that they are about.
    var performanceTests: [String: String] = [:]

    struct Default: Hashable {
        let productID: String
        let locale: String
    }
}

/// The body of a request to upload a message.
struct UploadedMessage {
    let message: Messaging.Message

    /// Apple's limits.
    ///
    /// In characters, except the last: a number (Apple's page "Upload Message").
    private enum Limit {
        static let header = 66
        static let body = 144
        static let altText = 150
        static let bulletPoints = 5
    }

    /// A message that Apple would accept. A reviewer's rules about its words are not checked.
    init(_ body: JSONTree) throws(ServerAPIError) {
        guard let header = body["header"]?.stringValue, let text = body["body"]?.stringValue else {
            throw .generalBadRequest
        }
        guard header.count <= Limit.header else { throw .headerTooLong }
        guard text.count <= Limit.body else { throw .bodyTooLong }
        var images: [String] = []
        let image = body.present("image")
        if let image { images.append(try Self.image(image)) }
        switch body.present("headerPosition")?.stringValue {
        case "ABOVE_IMAGE": guard image != nil else { throw .badRequestAboveImageRequiresAnImage }
        case nil where body.present("headerPosition") == nil, "ABOVE_BODY": break
        default: throw .generalBadRequest
        }
        if let points = body.present("bulletPoints") {
            guard case .array(let points) = points else { throw .generalBadRequest }
            guard points.count <= Limit.bulletPoints else { throw .badRequestTooManyBulletPoints }
            for point in points {
                guard let text = point["text"]?.stringValue else { throw .generalBadRequest }
                guard text.count <= Limit.header else { throw .badRequestBulletPointTextTooLong }
                images.append(try Self.image(point))
            }
        }
        message = Messaging.Message(images: images)
    }

    /// - Returns: the identifier in lower case, because clients write both.
    private static func image(_ value: JSONTree) throws(ServerAPIError) -> String {
        guard let identifier = value["imageIdentifier"]?.stringValue else { throw .generalBadRequest }
        guard value["altText"]?.stringValue?.count ?? 0 <= Limit.altText else { throw .altTextTooLong }
        return identifier.lowercased()
    }
}
