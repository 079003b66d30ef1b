#if ServerAPI
    internal import AppStoreTables
    internal import WireFormats
    public import Essentials

    /// A retention message (Apple's `UploadMessageRequestBody`).
    ///
    /// Source: Apple's page [Upload message](https://developer.apple.com/documentation/retentionmessaging/upload-message).
    public struct RetentionMessage: Hashable, Sendable {
        /// An image with its alternative text.
        public struct Image: Hashable, Sendable {
            /// The image, which was uploaded before.
            public var imageIdentifier: UUID
            /// The image in words, in up to 150 characters.
            public var altText: String

            /// - Parameters:
            ///   - imageIdentifier: the image, which was uploaded before.
            ///   - altText: the image in words.
            public init(_ imageIdentifier: UUID, altText: String) {
                (self.imageIdentifier, self.altText) = (imageIdentifier, altText)
            }

            var json: ObjectText {
                var object = ObjectText()
                object.add("imageIdentifier", imageIdentifier)
                object.add("altText", altText)
                return object
            }
        }

        /// A line with an image before it.
        public struct BulletPoint: Hashable, Sendable {
            /// Up to 66 characters.
            public var text: String
            /// An uploaded image of the size `bulletPoint`.
            public var image: Image

            /// - Parameters:
            ///   - text: up to 66 characters.
            ///   - image: the image.
            public init(_ text: String, image: Image) { (self.text, self.image) = (text, image) }
        }

        /// Where the header stands (Apple's `headerPosition`).
        public struct HeaderPosition: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Between the image, if there is one, and the body.
            public static let aboveBody = HeaderPosition(rawValue: "ABOVE_BODY")
            /// Above the image, which must be there.
            public static let aboveImage = HeaderPosition(rawValue: "ABOVE_IMAGE")
        }

        /// Up to 66 characters.
        public var header: String
        /// Up to 144 characters.
        public var body: String
        /// An uploaded image of the size `fullSize`; `nil` for a message of text alone.
        public var image: Image?
        /// Where the header stands.
        public var headerPosition: HeaderPosition?
        /// Lines with images.
        public var bulletPoints: [BulletPoint] = []

        /// - Parameters:
        ///   - header: up to 66 characters.
        ///   - body: up to 144 characters.
        public init(header: String, body: String) { (self.header, self.body) = (header, body) }

        var json: ObjectText {
            var object = ObjectText()
            object.add("header", header)
            object.add("body", body)
            object.add("image", image?.json)
            object.add("headerPosition", headerPosition?.rawValue)
            object.add(
                "bulletPoints",
                bulletPoints.map { point in
                    var line = point.image.json
                    line.add("text", point.text)
                    return line
                })
            return object
        }
    }

    extension APIRequest where Answer == Void {
        private static func identifier(_ uuid: UUID) -> [String] { [uuid.uuidString.lowercased()] }

        /// Upload Image.
        ///
        /// - Parameters:
        ///   - png: the image.
        ///   - imageIdentifier: a new identifier.
        ///   - size: the size, which names its use; `nil` for a message's image.
        public static func uploadImage(_ png: Data, _ imageIdentifier: UUID, size: ImageSize? = nil) -> Self {
            let items = size.map { [(name: "imageSize", value: $0.rawValue)] } ?? []
            return APIRequest(
                .uploadImage, identifier(imageIdentifier), query: items, body: .png(Array(png)))
        }

        /// Delete Image. No message may show it.
        public static func deleteImage(_ imageIdentifier: UUID) -> Self {
            APIRequest(.deleteImage, identifier(imageIdentifier))
        }

        /// Upload Message. Its images must be there before it.
        ///
        /// - Parameters:
        ///   - message: the message.
        ///   - messageIdentifier: a new identifier.
        public static func uploadMessage(_ message: RetentionMessage, _ messageIdentifier: UUID) -> Self {
            APIRequest(.uploadMessage, identifier(messageIdentifier), body: .json(message.json.utf8))
        }

        /// Delete Message: takes back an uploaded message.
        public static func deleteMessage(_ messageIdentifier: UUID) -> Self {
            APIRequest(.deleteMessage, identifier(messageIdentifier))
        }

        /// Configure Default Message.
        ///
        /// - Parameters:
        ///   - messageIdentifier: the message that is shown unless another is chosen.
        ///   - productID: the subscription.
        ///   - locale: the language, such as `en-US`.
        public static func setDefaultMessage(
            _ messageIdentifier: UUID, productID: String, locale: String
        ) -> Self {
            var body = ObjectText()
            body.add("messageIdentifier", messageIdentifier)
            return APIRequest(.setDefaultMessage, [productID, locale], body: .json(body.utf8))
        }

        /// Delete Default Message, for one product in one language.
        public static func deleteDefaultMessage(productID: String, locale: String) -> Self {
            APIRequest(.deleteDefaultMessage, [productID, locale])
        }

        /// Configure Realtime URL.
        ///
        /// - Parameter url: the address that chooses messages, of up to 256 characters.
        public static func setRealtimeURL(_ url: String) -> Self {
            var body = ObjectText()
            body.add("realtimeURL", url)
            return APIRequest(.setRealtimeURL, [], body: .json(body.utf8))
        }

        /// Delete Realtime URL: the App Store asks no server for messages any more.
        public static var deleteRealtimeURL: Self { APIRequest(.deleteRealtimeURL, []) }
    }

    extension APIRequest where Answer == [UploadedImage] {
        /// Get Image List.
        public static var imageList: Self {
            APIRequest(.imageList) { (answer) throws(AnswerError) in
                try answer.objects("imageIdentifiers", UploadedImage.init)
            }
        }
    }

    extension APIRequest where Answer == [UploadedMessage] {
        /// Get Message List.
        public static var messageList: Self {
            APIRequest(.messageList) { (answer) throws(AnswerError) in
                try answer.objects("messageIdentifiers", UploadedMessage.init)
            }
        }
    }

    extension APIRequest where Answer == UUID {
        /// Get Default Message: the identifier of the message.
        ///
        /// - Parameters:
        ///   - productID: the subscription.
        ///   - locale: the language, such as `en-US`.
        public static func defaultMessage(productID: String, locale: String) -> Self {
            APIRequest(.defaultMessage, [productID, locale]) { (answer) throws(AnswerError) in
                try answer.uuid("messageIdentifier")
            }
        }
    }

    extension APIRequest where Answer == String {
        /// Get Realtime URL: the address that chooses messages.
        public static var realtimeURL: Self {
            APIRequest(.realtimeURL) { (answer) throws(AnswerError) in try answer.text("realtimeURL") }
        }
    }

    extension APIRequest where Answer == StartedPerformanceTest {
        /// Initiate Performance Test.
        ///
        /// - Parameter originalTransactionID: the subscription that the requests of the test name.
        public static func startPerformanceTest(with originalTransactionID: String) -> Self {
            var body = ObjectText()
            body.add("originalTransactionId", originalTransactionID)
            return APIRequest(
                .startPerformanceTest, body: .json(body.utf8), read: StartedPerformanceTest.init)
        }
    }

    extension APIRequest where Answer == PerformanceTestResult {
        /// Get Performance Test Results.
        ///
        /// - Parameter requestID: of the test.
        public static func performanceTestResult(_ requestID: String) -> Self {
            APIRequest(.performanceTestResult, [requestID], read: PerformanceTestResult.init)
        }
    }
#endif
