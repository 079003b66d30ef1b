import Essentials
import Minting
import SignedPayloads
import Testing

/// The hash that binds a payload to a device.
@Suite struct DeviceVerificationTests {
    private let nonce = "7edea87d-98f0-42d0-9682-49ca81022f73"
    private let device = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"

    @Test func `the hash is SHA-384 over both identifiers in lower case`() throws {
        let hash = try #require(
            UUID(uuidString: nonce.uppercased()).flatMap { nonce in
                UUID(uuidString: device).map {
                    DeviceVerification.base64Hash(nonce: nonce, deviceIdentifier: $0)
                }
            })
        // printf %s%s NONCE DEVICE | openssl dgst -sha384 -binary | base64
        #expect(hash == "8R9O2P3ME4KudcpU9mIRUODoK4X3TK/CdP/7+DdMsE5f63+WAUM+MjN7H8KsbRPF")
    }

    @Test func `a payload made for the device passes, whatever case its nonce is in`() throws {
        let hash = try DeviceHash.value(nonce: nonce, deviceIdentifier: device)
        for nonce in [nonce, nonce.uppercased()] {
            #expect(
                try verify(#""deviceVerification":"\#(hash)","deviceVerificationNonce":"\#(nonce)""#) == nil)
        }
        let escaped = hash.split(separator: "/", omittingEmptySubsequences: false).joined(separator: #"\/"#)
        #expect(
            try verify(#""deviceVerification":"\#(escaped)","deviceVerificationNonce":"\#(nonce)""#) == nil)
    }

    @Test func `anything else fails, and says what was compared`() throws {
        let hash = try DeviceHash.value(nonce: nonce, deviceIdentifier: device)
        let other = try DeviceHash.value(nonce: nonce, deviceIdentifier: nonce)
        let cases: [(String, PayloadError.Cause)] = [
            ("", .missingDeviceMember("deviceVerification")),
            (#""deviceVerification":"\#(hash)""#, .missingDeviceMember("deviceVerificationNonce")),
            (#""deviceVerificationNonce":"\#(nonce)""#, .missingDeviceMember("deviceVerification")),
            (
                #""deviceVerification":7,"deviceVerificationNonce":"\#(nonce)""#,
                .missingDeviceMember("deviceVerification")
            ),
            (#""deviceVerification":"\#(hash)","deviceVerificationNonce":"x""#, .deviceNonce("x")),
            (
                #""deviceVerification":"\#(hash)","deviceVerificationNonce":"\#(nonce)\u0000""#,
                .deviceNonce(nonce + "\u{0}")
            ),
            (
                #""deviceVerification":"\#(other)","deviceVerificationNonce":"\#(nonce)""#,
                .deviceHash(found: other, expected: hash)
            ),
        ]
        for (members, cause) in cases {
            let error = try verify(members)
            #expect(error?.cause == cause)
            #expect(error?.code == .invalidDeviceVerification)
            #expect(error?.storeKitCase == .invalidDeviceVerification)
        }
    }

    @Test func `no kind is excused`() throws {
        let identifier = UUID(uuidString: device)
        let payload = #"{"notificationType":"TEST","signedDate":1760000000000}"#
        let error = try Minted.verify(payload) { $0.deviceIdentifier = identifier }.error
        #expect(error?.code == .invalidDeviceVerification)
    }

    private func verify(_ members: String) throws -> PayloadError? {
        let identifier = try #require(UUID(uuidString: device))
        let payload =
            #"{"transactionId":"1","signedDate":1760000000000\#(members.isEmpty ? "" : ",")\#(members)}"#
        return try Minted.verify(payload) { $0.deviceIdentifier = identifier }.error
    }
}
