import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Files that begin as PNG files do.
private enum TestPNG {
    /// - Parameters:
    ///   - colour: the type of colour: 2 is red, green and blue, 6 has transparency besides.
    ///   - chunks: the names of empty chunks between the header and the end.
    static func image(
        _ width: Int = 3840, _ height: Int = 2160, colour: UInt8 = 2, chunks: [String] = ["IDAT"]
    ) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        file += chunk("IHDR", number(width) + number(height) + [8, colour, 0, 0, 0])
        for name in chunks + ["IEND"] { file += chunk(name, []) }
        return file
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
    }

    private static func number(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// Retention messages, what Apple asks of them, and its review of them in production.
///
/// Apple's pages "Upload Image", "Upload Message", "Configure Default Message" and "Configure Realtime URL" of the Retention
/// Messaging API.
@Suite struct MessagingEndpointTests {
    private static let folder = "/inApps/v1/messaging"
    private static let ids = (1...4).map { "a1c7c1d4-5b6e-4c4f-8d2a-0f2f3d9b000\($0)" }
    private static let message = "\(folder)/message/\(ids[3])"
    private static let choice = #"{"messageIdentifier":"\#(ids[3])"}"#
    private static let plain = #"{"header":"h","body":"b"}"#
    private static let illustrated =
        #"{"header":"h","body":"b","image":{"imageIdentifier":"\#(ids[1])","altText":"a"}}"#

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private func upload(
        _ scene: ServerAPIScene, _ target: String, _ bytes: [UInt8] = TestPNG.image()
    ) throws -> ServerAPIResponse { try scene.send("PUT", "\(Self.folder)/image/\(target)", bytes: bytes) }

    /// Values of a member in a list of images or messages.
    private func list(_ scene: ServerAPIScene, _ kind: String, _ member: String) throws -> [String] {
        let answer = try scene.get("\(Self.folder)/\(kind)/list")
        let list = try #require(answer["\(kind)Identifiers"] as? [[String: String]])
        return list.compactMap { $0[member] }
    }

    // MARK: - Images

    @Test func `images are uploaded once, listed, and deleted unless a message shows them`() throws {
        let scene = try ServerAPIScene()
        #expect(try upload(scene, Self.ids[1]).status == 200)
        #expect(try upload(scene, "\(Self.ids[0])?imageSize=BULLET_POINT").status == 200)
        #expect(try list(scene, "image", "imageIdentifier") == [Self.ids[0], Self.ids[1]])
        #expect(try list(scene, "image", "imageSize") == ["BULLET_POINT", "FULL_SIZE"])
        #expect(try list(scene, "image", "imageState") == ["APPROVED", "APPROVED"])
        let refusals = [
            try upload(scene, Self.ids[1]), try upload(scene, "\(Self.ids[2])?imageSize=BIG"),
            try upload(scene, Self.ids[2], [1]), try upload(scene, "one"),
        ]
        let codes = try refusals.map { try scene.errorCode(of: $0) }
        #expect(codes == [4_090_000, 4_000_216, 4_000_161, 4_000_000])
        try scene.succeed("PUT", Self.message, Self.illustrated)
        let image = "\(Self.folder)/image/\(Self.ids[1])"
        try scene.refuses(4_030_019, "DELETE", image)
        try scene.succeed("DELETE", Self.message)
        try scene.succeed("DELETE", image)
        try scene.refuses(4_040_014, "DELETE", image)
    }

    private static let images: [([UInt8], Bool)] = [
        (TestPNG.image(), true), (TestPNG.image(3840, 160), true), (TestPNG.image(3840, 159), false),
        (TestPNG.image(3840, 2161), false), (TestPNG.image(1920, 1080), false),
        (TestPNG.image(colour: 6), false), (TestPNG.image(colour: 4), false),
        (TestPNG.image(colour: 3, chunks: ["PLTE", "tRNS", "IDAT"]), false),
        (TestPNG.image(colour: 3, chunks: ["PLTE", "IDAT"]), true),
        (Array(TestPNG.image().prefix(20)), false), (Array(TestPNG.image().dropLast()), false),
    ]

    @Test("an image is a PNG of 3840 × 160 to 2160 pixels without transparency", arguments: images)
    func checksImage(file: [UInt8], isTaken: Bool) throws {
        let response = try upload(try ServerAPIScene(), Self.ids[0], file)
        #expect((response.status == 200) == isTaken)
    }

    @Test func `the image of a bullet point has any size, and no transparency`() throws {
        let scene = try ServerAPIScene()
        let size = "?imageSize=BULLET_POINT"
        #expect(try upload(scene, Self.ids[0] + size, TestPNG.image(128, 128)).status == 200)
        let clear = try upload(scene, Self.ids[1] + size, TestPNG.image(128, 128, colour: 6))
        #expect(try scene.errorCode(of: clear) == 4_000_161)
    }

    // MARK: - Messages

    private static let mistakes: [(String, Int)] = [
        (#"{"header":"\#(text(67))","body":"b"}"#, 4_000_162),
        (#"{"header":"h","body":"\#(text(145))"}"#, 4_000_163), (#"{"header":"h"}"#, 4_000_000),
        (#"{"header":"h","body":"b","headerPosition":"ABOVE_IMAGE"}"#, 4_000_224),
        (#"{"header":"h","body":"b","headerPosition":"BELOW"}"#, 4_000_000),
        (
            #"{"header":"h","body":"b","image":{"imageIdentifier":"\#(ids[0])","altText":"\#(text(151))"}}"#,
            4_000_175
        ),
        (illustrated, 4_040_014),
        (
            #"{"header":"h","body":"b","bulletPoints":[{"text":"\#(text(67))","imageIdentifier":"\#(ids[0])","altText":"a"}]}"#,
            4_000_219
        ),
        (#"{"header":"h","body":"b","bulletPoints":[1,2,3,4,5,6]}"#, 4_000_218),
        (#"{"header":"h","body":"b","bulletPoints":[1]}"#, 4_000_000),
        (#"{"header":"h","body":"b","bulletPoints":1}"#, 4_000_000),
    ]

    @Test("a bad message has Apple's code", arguments: mistakes)
    func refusesMessages(body: String, code: Int) throws {
        let scene = try ServerAPIScene()
        _ = try upload(scene, Self.ids[0])
        try scene.refuses(code, "PUT", Self.message, body)
    }

    @Test func `a message as long as Apple allows is taken, once`() throws {
        let scene = try ServerAPIScene()
        _ = try upload(scene, Self.ids[0])
        let body =
            #"{"header":"\#(Self.text(66))","body":"\#(Self.text(144))","headerPosition":"ABOVE_IMAGE","#
            + #""image":{"imageIdentifier":"\#(Self.ids[0])","altText":"\#(Self.text(150))"},"#
            + #""bulletPoints":[{"text":"\#(Self.text(66))","imageIdentifier":"\#(Self.ids[0])","altText":""}]}"#
        try scene.succeed("PUT", Self.message, body)
        try scene.refuses(4_090_001, "PUT", Self.message, body)
        #expect(try list(scene, "message", "messageIdentifier") == [Self.ids[3]])
        #expect(try list(scene, "message", "messageState") == ["APPROVED"])
        try scene.succeed("DELETE", Self.message)
        try scene.refuses(4_040_015, "DELETE", Self.message)
    }

    @Test func `an app has two thousand images and messages at most`() throws {
        let scene = try ServerAPIScene()
        func identifier(_ number: Int) -> String {
            "a1c7c1d4-5b6e-4c4f-8d2a-" + String(100_000_000_000 + number)
        }
        func statuses(_ number: Int) throws -> [Int] {
            let message = "\(Self.folder)/message/\(identifier(number))"
            return [
                try upload(scene, identifier(number)).status,
                try scene.send("PUT", message, Self.plain).status,
            ]
        }
        let all = try (0..<2000).map { try statuses($0) }
        #expect(all.allSatisfy { $0 == [200, 200] })
        #expect(try scene.errorCode(of: upload(scene, identifier(2000))) == 4_030_014)
        try scene.refuses(4_030_016, "PUT", "\(Self.folder)/message/\(identifier(2000))", Self.plain)
    }

    // MARK: - Defaults

    private static func path(_ locale: String, _ product: String = Garden.monthly) -> String {
        "\(folder)/default/\(product)/\(locale)"
    }

    @Test func `a default message is set for a product and a language`() throws {
        let scene = try ServerAPIScene()
        let path = Self.path("en-US")
        try scene.refuses(4_040_020, "GET", path)
        try scene.refuses(4_040_015, "PUT", path, Self.choice)
        try scene.succeed("PUT", Self.message, Self.plain)
        try scene.succeed("PUT", path, Self.choice)
        try scene.get(path).expect(["messageIdentifier": .text(Self.ids[3])])
        try scene.refuses(4_000_000, "PUT", path, "{}")
        try scene.succeed("DELETE", path)
        try scene.refuses(4_040_020, "DELETE", path)
        try scene.refuses(4_000_023, "GET", Self.path("en-US", "none"))
        for wrong in ["e", "english", "en_US", "xx-US", "en-XX", "qqq", "en-US-ZZZZZZZZZ"] {
            try scene.refuses(4_000_164, "GET", Self.path(wrong))
        }
        for locale in ["de", "en-GB", "zh-Hans", "pt-BR", "zh-Hant-TW"] {
            try scene.refuses(4_040_020, "GET", Self.path(locale))
        }
    }

    // MARK: - Apple's review

    private func decide(_ scene: ServerAPIScene, _ word: String) -> Int {
        scene.local("/test/messaging", word).status
    }

    @Test func `images and messages wait for a review in production`() throws {
        let scene = try ServerAPIScene(environment: .production)
        _ = try upload(scene, Self.ids[1])
        try scene.succeed("PUT", Self.message, Self.illustrated)
        #expect(try list(scene, "image", "imageState") == ["PENDING"])
        #expect(try list(scene, "message", "messageState") == ["PENDING"])
        try scene.refuses(4_030_017, "PUT", Self.path("en-US"), Self.choice)
        #expect(decide(scene, "approve") == 200)
        #expect(try list(scene, "image", "imageState") == ["APPROVED"])
        #expect(try list(scene, "message", "messageState") == ["APPROVED"])
        try scene.succeed("PUT", Self.path("en-US"), Self.choice)
        #expect(decide(scene, "perhaps") == 400)
    }

    @Test func `an approved message with a rejected image is no default`() throws {
        let scene = try ServerAPIScene(environment: .production)
        _ = try upload(scene, Self.ids[1])
        #expect(decide(scene, "reject") == 200)
        try scene.succeed("PUT", Self.message, Self.illustrated)
        #expect(decide(scene, "approve") == 200)
        try scene.refuses(4_030_018, "PUT", Self.path("en-US"), Self.choice)
    }

    // MARK: - The server that chooses messages

    private static let realtime = #"{"realtimeURL":"https://example.com/retain"}"#

    @Test func `production takes an address after a performance test was passed`() throws {
        let scene = try ServerAPIScene(environment: .production)
        try scene.refuses(4_030_026, "PUT", "\(Self.folder)/realtime/url", Self.realtime)
        #expect(decide(scene, "pass-performance-test") == 200)
        try scene.succeed("PUT", "\(Self.folder)/realtime/url", Self.realtime)
    }

    @Test func `an address of the server that chooses messages is set, and tested`() throws {
        let scene = try ServerAPIScene()
        let (url, test) = ("\(Self.folder)/realtime/url", "\(Self.folder)/performanceTest")
        let id = try scene.buy("$subscription")
        let request = #"{"originalTransactionId":"\#(id)"}"#
        try scene.refuses(4_040_021, "GET", url)
        try scene.refuses(4_040_021, "POST", test, request)
        for wrong in [
            #""http://example.com""#, #""http://127.0.0.1.example.com""#, #""ftp://127.0.0.1""#,
            #""https://""#, #""example""#, "1", "\"https://example.com/\(Self.text(256))\"",
        ] {
            try scene.refuses(4_000_215, "PUT", url, #"{"realtimeURL":\#(wrong)}"#)
        }
        try scene.succeed("PUT", url, Self.realtime)
        try scene.get(url).expect(["realtimeURL": "https://example.com/retain"])
        let run = try scene.succeed("POST", test, request).text("requestId")
        try scene.get("\(test)/result/\(run)").expect([
            "result": "PENDING", "target": "https://example.com/retain",
        ])
        // Apple's page "Initiate Performance Test": one test at a time.
        try scene.refuses(4_000_213, "POST", test, request)
        try scene.store.advance(to: scene.store.now.addingTimeInterval(1))
        try scene.get("\(test)/result/\(run)").expect(["result": "PASS"])
        try scene.refuses(4_000_211, "POST", test, "{}")
        try scene.refuses(4_000_211, "POST", test, #"{"originalTransactionId":"x"}"#)
        try scene.refuses(4_040_005, "POST", test, #"{"originalTransactionId":"1"}"#)
        try scene.refuses(4_000_212, "GET", "\(test)/result/one")
        try scene.refuses(4_040_018, "GET", "\(test)/result/\(Self.ids[0])")
        try scene.succeed("DELETE", url)
        try scene.refuses(4_040_021, "DELETE", url)
    }
}
