import Foundation
import StoreKitTestSession
import TestServerAPI
import Testing

/// Retention messages.
@Suite struct MessagingEndpointTests {
    private static let folder = "/inApps/v1/messaging"
    private static let ids = (1...4).map { "a1c7c1d4-5b6e-4c4f-8d2a-0f2f3d9b000\($0)" }
    /// An image of Apple's size, without its pixels.
    private static let png = TestPNG.image()

    private func upload(
        _ scene: ServerAPIScene, _ target: String, _ bytes: [UInt8] = png
    ) throws -> ServerAPIResponse {
        let token = try scene.key.token(for: ServerAPIScene.bundleID, at: ServerAPIScene.start)
        return scene.api.respond(
            to: ServerAPIRequest(
                "PUT", target: "\(Self.folder)/image/\(target)",
                headers: [.init("Authorization", "Bearer \(token)")], body: bytes), at: ServerAPIScene.start)
    }

    @Test func `images are uploaded once, listed, and deleted unless a message shows them`() throws {
        let scene = try ServerAPIScene()
        #expect(try upload(scene, Self.ids[1]).status == 200)
        #expect(try upload(scene, "\(Self.ids[0])?imageSize=BULLET_POINT").status == 200)
        let list = try scene.get("\(Self.folder)/image/list")["imageIdentifiers"] as? [[String: String]]
        #expect(list?.map { $0["imageIdentifier"] } == [Self.ids[0], Self.ids[1]])
        #expect(list?.map { $0["imageSize"] } == ["BULLET_POINT", "FULL_SIZE"])
        #expect(list?.map { $0["imageState"] } == ["APPROVED", "APPROVED"])
        #expect(try scene.errorCode(of: upload(scene, Self.ids[1])) == 4_090_000)
        #expect(try scene.errorCode(of: upload(scene, "\(Self.ids[2])?imageSize=BIG")) == 4_000_216)
        #expect(try scene.errorCode(of: upload(scene, Self.ids[2], [1])) == 4_000_161)
        #expect(try scene.errorCode(of: upload(scene, "one")) == 4_000_000)
        try scene.succeed(
            "PUT", "\(Self.folder)/message/\(Self.ids[3])",
            #"{"header":"h","body":"b","image":{"imageIdentifier":"\#(Self.ids[1])","altText":"a"}}"#)
        let image = "\(Self.folder)/image/\(Self.ids[1])"
        #expect(try scene.errorCode("DELETE", image) == 4_030_019)
        try scene.succeed("DELETE", "\(Self.folder)/message/\(Self.ids[3])")
        try scene.succeed("DELETE", image)
        #expect(try scene.errorCode("DELETE", image) == 4_040_014)
    }

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test(
        "a bad message has Apple's code",
        arguments: [
            (#"{"header":"\#(text(67))","body":"b"}"#, 4_000_162),
            (#"{"header":"h","body":"\#(text(145))"}"#, 4_000_163), (#"{"header":"h"}"#, 4_000_000),
            (#"{"header":"h","body":"b","headerPosition":"ABOVE_IMAGE"}"#, 4_000_224),
            (#"{"header":"h","body":"b","headerPosition":"BELOW"}"#, 4_000_000),
            (
                #"{"header":"h","body":"b","image":{"imageIdentifier":"\#(ids[0])","altText":"\#(text(151))"}}"#,
                4_000_175
            ),
            (#"{"header":"h","body":"b","image":{"imageIdentifier":"\#(ids[1])","altText":"a"}}"#, 4_040_014),
            (
                #"{"header":"h","body":"b","bulletPoints":[{"text":"\#(text(67))","imageIdentifier":"\#(ids[0])","altText":"a"}]}"#,
                4_000_219
            ),
            (#"{"header":"h","body":"b","bulletPoints":[1,2,3,4,5,6]}"#, 4_000_218),
            (#"{"header":"h","body":"b","bulletPoints":[1]}"#, 4_000_000),
            (#"{"header":"h","body":"b","bulletPoints":1}"#, 4_000_000),
        ])
    func refusesMessages(body: String, code: Int) throws {
        let scene = try ServerAPIScene()
        _ = try upload(scene, Self.ids[0])
        #expect(try scene.errorCode("PUT", "\(Self.folder)/message/\(Self.ids[3])", body) == code)
    }

    @Test func `a message as long as Apple allows is taken, once`() throws {
        let scene = try ServerAPIScene()
        _ = try upload(scene, Self.ids[0])
        let body =
            #"{"header":"\#(Self.text(66))","body":"\#(Self.text(144))","headerPosition":"ABOVE_IMAGE","#
            + #""image":{"imageIdentifier":"\#(Self.ids[0])","altText":"\#(Self.text(150))"},"#
            + #""bulletPoints":[{"text":"\#(Self.text(66))","imageIdentifier":"\#(Self.ids[0])","altText":""}]}"#
        let path = "\(Self.folder)/message/\(Self.ids[3])"
        try scene.succeed("PUT", path, body)
        #expect(try scene.errorCode("PUT", path, body) == 4_090_001)
        let list = try scene.get("\(Self.folder)/message/list")["messageIdentifiers"] as? [[String: String]]
        #expect(list == [["messageIdentifier": Self.ids[3], "messageState": "APPROVED"]])
        try scene.succeed("DELETE", path)
        #expect(try scene.errorCode("DELETE", path) == 4_040_015)
    }

    @Test func `a default message is set for a product and a language`() throws {
        let scene = try ServerAPIScene()
        let path = "\(Self.folder)/default/com.example.garden.plus.monthly/en-US"
        let body = #"{"messageIdentifier":"\#(Self.ids[3])"}"#
        #expect(try scene.errorCode("GET", path) == 4_040_020)
        #expect(try scene.errorCode("PUT", path, body) == 4_040_015)
        try scene.succeed("PUT", "\(Self.folder)/message/\(Self.ids[3])", #"{"header":"h","body":"b"}"#)
        try scene.succeed("PUT", path, body)
        #expect(try scene.get(path)["messageIdentifier"] as? String == Self.ids[3])
        #expect(try scene.errorCode("PUT", path, "{}") == 4_000_000)
        try scene.succeed("DELETE", path)
        #expect(try scene.errorCode("DELETE", path) == 4_040_020)
        for (wrong, code) in [
            ("none/en-US", 4_000_023), ("com.example.garden.plus.monthly/e", 4_000_164),
            ("com.example.garden.plus.monthly/english", 4_000_164),
            ("com.example.garden.plus.monthly/en_US", 4_000_164),
        ] {
            #expect(try scene.errorCode("GET", "\(Self.folder)/default/\(wrong)") == code)
        }
    }

    @Test func `an address of the server that chooses messages is set, and tested`() throws {
        let scene = try ServerAPIScene()
        let (url, test) = ("\(Self.folder)/realtime/url", "\(Self.folder)/performanceTest")
        let id = try scene.buy("$subscription")
        let request = #"{"originalTransactionId":"\#(id)"}"#
        #expect(try scene.errorCode("GET", url) == 4_040_021)
        #expect(try scene.errorCode("POST", test, request) == 4_040_021)
        for wrong in [
            #""http://example.com""#, #""http://127.0.0.1.example.com""#, #""ftp://127.0.0.1""#,
            #""https://""#, #""example""#, "1", "\"https://example.com/\(Self.text(256))\"",
        ] {
            #expect(try scene.errorCode("PUT", url, #"{"realtimeURL":\#(wrong)}"#) == 4_000_215)
        }
        try scene.succeed("PUT", url, #"{"realtimeURL":"https://example.com/retain"}"#)
        #expect(try scene.get(url)["realtimeURL"] as? String == "https://example.com/retain")
        let run = try #require(try scene.succeed("POST", test, request)["requestId"] as? String)
        let result = try scene.get("\(test)/result/\(run)")
        #expect(result["result"] as? String == "PENDING")
        // Apple's page "Initiate Performance Test": one test at a time.
        #expect(try scene.errorCode("POST", test, request) == 4_000_213)
        try scene.store.advance(to: scene.store.now.addingTimeInterval(1))
        #expect(try scene.get("\(test)/result/\(run)")["result"] as? String == "PASS")
        #expect(result["target"] as? String == "https://example.com/retain")
        #expect(try scene.errorCode("POST", test, "{}") == 4_000_211)
        #expect(try scene.errorCode("POST", test, #"{"originalTransactionId":"x"}"#) == 4_000_211)
        #expect(try scene.errorCode("POST", test, #"{"originalTransactionId":"1"}"#) == 4_040_005)
        #expect(try scene.errorCode("GET", "\(test)/result/one") == 4_000_212)
        #expect(try scene.errorCode("GET", "\(test)/result/\(Self.ids[0])") == 4_040_018)
        try scene.succeed("DELETE", url)
        #expect(try scene.errorCode("DELETE", url) == 4_040_021)
    }
}
