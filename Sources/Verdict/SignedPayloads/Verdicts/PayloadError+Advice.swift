extension PayloadError {
    /// What to do with this payload, in plain words. `message` has the exact reason.
    package var advice: String {
        guard member != nil else { return adviceOnPayload }
        return "A payload inside this one is not verified, so do not rely on any of it. " + adviceOnPayload
    }

    private var adviceOnPayload: String {
        switch code {
        case .invalidEncoding: adviceOnEncoding
        case .invalidSignature:
            "Apple did not sign this, or it was changed or cut off on the way. Ask for the original."
        case .invalidCertificateChain: adviceOnChain
        case .revokedCertificate:
            "Apple has withdrawn a certificate of its signer. Do not rely on it, and tell the developers."
        case .revocationUnknown:
            "Nothing is wrong with it so far. Apple's service for revocations gave no answer: try again in some "
                + "minutes."
        case .missingRequiredProperties:
            "It is signed, and lacks something that its kind always has. Show it to the developers."
        case .tooLarge:
            "It is longer than is accepted here. Give one payload by itself, or ask the operator to raise the "
                + "limit."
        case .wrongEnvironment:
            "It is genuine, and from an environment that is not accepted here. A purchase in the sandbox costs "
                + "nothing: do not take it for one that was paid."
        case .wrongBundleIdentifier, .wrongAppAppleIdentifier:
            "It is genuine, and about another app. Ask for the payload of this app."
        case .invalidDeviceVerification:
            "It is genuine, and was made for another device. Ask for the payload from the customer's own device."
        }
    }

    private var adviceOnEncoding: String {
        switch cause {
        case .mistakenInput(.nothing), .mistakenInput(.empty):
            "There is nothing to look at. Paste a payload that the App Store signed."
        case .mistakenInput:
            "This is not a signed payload. The next sentence says what it seems to be."
        case .payloadJSON, .duplicateMember, .memberType:
            "It is signed, and its content has not the form of the App Store's. Show it to the developers."
        case .envelope(.noToken):
            "This JSON has no signed payload in it. Ask for the whole body that the App Store sent, or for the "
                + "text that begins with eyJ."
        default:
            "This is not a signed payload of the App Store, or it was changed or cut off on the way. Ask for the "
                + "original."
        }
    }

    private var adviceOnChain: String {
        guard case .validity = cause else {
            return
                "Apple's App Store did not sign this, or not as it is trusted here: it may come from a test in Xcode, "
                + "or be forged. Do not rely on it."
        }
        return
            "Its certificates were not valid on the day on which it says that it was signed. Do not rely on it."
    }
}
