#if Service
    internal import SignedPayloads

    /// Finds notifications that the App Store signed and only the service's configuration refuses: they are of another app or
    /// environment, or signed under Apple's own root where the configuration trusts another one.
    ///
    /// After a status of 4xx the App Store may not repeat a notification. So these get 503, until somebody has mended the
    /// configuration, or has said that they are to be refused.
    struct ForeignNotifications: Sendable {
        /// Trusts Apple's root, and accepts every app; `nil` if the root could not be read.
        private let apple = try? SignedPayloadVerifier()

        /// - Parameters:
        ///   - error: why the app's verifier refuses the notification.
        ///   - body: the notification, as it came.
        func includes(_ error: PayloadError, _ body: [UInt8]) -> Bool {
            switch error.code {
            // These are compared after the signature (check 9).
            case .wrongBundleIdentifier, .wrongEnvironment, .wrongAppAppleIdentifier: true
            case .invalidCertificateChain: (try? apple?.verify(line: body.span)) != nil
            default: false
            }
        }
    }
#endif
