#if ServerAPI
    internal import SignedPayloads

    extension VerificationError {
        /// Apple's code for a verdict. The codes overlap, so it is the nearest one.
        init(_ error: PayloadError) {
            self =
                switch error.code {
                case .invalidCertificateChain, .revokedCertificate: .INVALID_CERTIFICATE
                case .invalidSignature, .invalidDeviceVerification: .VERIFICATION_FAILURE
                case .revocationUnknown: .RETRYABLE_VERIFICATION_FAILURE
                case .wrongBundleIdentifier, .wrongAppAppleIdentifier: .INVALID_APP_IDENTIFIER
                case .wrongEnvironment: .INVALID_ENVIRONMENT
                default: .INVALID_JWT_FORMAT
                }
        }
    }
#endif
