internal import StoreKitTestSession
internal import WireFormats

/// An app's settings for the messages that the App Store shows to customers who are about to cancel.
struct Messaging {
    /// Where Apple's review of an image or a message is.
    enum ReviewState: String {
        case pending = "PENDING"
        case approved = "APPROVED"
        case rejected = "REJECTED"
    }

    /// An image, as far as it matters here.
    struct Image {
        let size: String
        var state: ReviewState
    }

    /// A message, as far as it matters here: the images that it shows.
    struct Message {
        let images: [String]
        var state = ReviewState.approved
    }

    /// The most images, and the most messages, that an app can have (Apple's page "Upload Image"; the number of messages
    /// is assumed to be the same).
    static let limit = 2000

    var images: [String: Image] = [:]
    var messages: [String: Message] = [:]
    /// The message for a product in a language.
    var defaults: [Default: String] = [:]
    var realtimeURL: String?
    /// By their `requestId`.
    var performanceTests: [String: PerformanceTest] = [:]
    /// Whether the app's server has passed a performance test in the Sandbox, as production asks.
    var hasPassedPerformanceTest = false

    struct Default: Hashable {
        let productID: String
        let locale: String
    }
}

extension Messaging {
    /// Ends the review of everything that waits for it.
    mutating func review(_ state: ReviewState) {
        for identifier in images.keys where images[identifier]?.state == .pending {
            images[identifier]?.state = state
        }
        for identifier in messages.keys where messages[identifier]?.state == .pending {
            messages[identifier]?.state = state
        }
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
