import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Files that begin as PNG files do.
enum TestPNG {
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

/// What Apple asks of retention messages, and its review of them in production.
///
/// Apple's pages "Upload Image", "Upload Message", "Configure Default Message" and "Configure Realtime URL" of the Retention
/// Messaging API.
@Suite struct MessagingReviewTests {
    private static let folder = "/inApps/v1/messaging"
    private static let ids = (1...3).map { "a1c7c1d4-5b6e-4c4f-8d2a-0f2f3d9b000\($0)" }
    private static let key = "\(folder)/default/com.example.garden.plus.monthly/en-US"
    private static let choice = #"{"messageIdentifier":"\#(ids[0])"}"#

    private func upload(
        _ scene: ServerAPIScene, _ id: String, _ bytes: [UInt8] = TestPNG.image(), size: String = ""
    ) throws -> ServerAPIResponse {
        let token = try scene.key.token(for: ServerAPIScene.bundleID, at: ServerAPIScene.start)
        return scene.api.respond(
            to: ServerAPIRequest(
                "PUT", target: "\(Self.folder)/image/\(id)\(size)",
                headers: [.init("Authorization", "Bearer \(token)")], body: bytes), at: ServerAPIScene.start)
    }

    private func decide(_ scene: ServerAPIScene, _ word: String) -> Int {
        scene.api.respond(
            to: ServerAPIRequest("POST", "/test/messaging", body: Array(word.utf8)), at: ServerAPIScene.start
        ).status
    }

    @Test(
        "an image is a PNG of 3840 × 160 to 2160 pixels without transparency",
        arguments: [
            (TestPNG.image(), true), (TestPNG.image(3840, 160), true), (TestPNG.image(3840, 159), false),
            (TestPNG.image(3840, 2161), false), (TestPNG.image(1920, 1080), false),
            (TestPNG.image(colour: 6), false), (TestPNG.image(colour: 4), false),
            (TestPNG.image(colour: 3, chunks: ["PLTE", "tRNS", "IDAT"]), false),
            (TestPNG.image(colour: 3, chunks: ["PLTE", "IDAT"]), true),
            (Array(TestPNG.image().prefix(20)), false), (Array(TestPNG.image().dropLast()), false),
        ])
    func checksImage(file: [UInt8], isTaken: Bool) throws {
        let response = try upload(try ServerAPIScene(), Self.ids[0], file)
        #expect((response.status == 200) == isTaken)
    }

    @Test func `the image of a bullet point has any size, and no transparency`() throws {
        let scene = try ServerAPIScene()
        let size = "?imageSize=BULLET_POINT"
        #expect(try upload(scene, Self.ids[0], TestPNG.image(128, 128), size: size).status == 200)
        let clear = TestPNG.image(128, 128, colour: 6)
        #expect(try scene.errorCode(of: upload(scene, Self.ids[1], clear, size: size)) == 4_000_161)
    }

    @Test func `images and messages wait for a review in production`() throws {
        let scene = try ServerAPIScene(environment: .production)
        _ = try upload(scene, Self.ids[1])
        let message = "\(Self.folder)/message/\(Self.ids[0])"
        let body =
            #"{"header":"h","body":"b","image":{"imageIdentifier":"\#(Self.ids[1])","altText":"a"}}"#
        try scene.succeed("PUT", message, body)
        let states = {
            let images = try scene.get("\(Self.folder)/image/list")["imageIdentifiers"] as? [[String: String]]
            let messages =
                try scene.get("\(Self.folder)/message/list")["messageIdentifiers"] as? [[String: String]]
            return [images?.first?["imageState"], messages?.first?["messageState"]]
        }
        #expect(try states() == ["PENDING", "PENDING"])
        #expect(try scene.errorCode("PUT", Self.key, Self.choice) == 4_030_017)
        #expect(decide(scene, "approve") == 200)
        #expect(try states() == ["APPROVED", "APPROVED"])
        try scene.succeed("PUT", Self.key, Self.choice)
        #expect(decide(scene, "perhaps") == 400)
    }

    @Test func `an approved message with a rejected image is no default`() throws {
        let scene = try ServerAPIScene(environment: .production)
        _ = try upload(scene, Self.ids[1])
        #expect(decide(scene, "reject") == 200)
        try scene.succeed(
            "PUT", "\(Self.folder)/message/\(Self.ids[0])",
            #"{"header":"h","body":"b","image":{"imageIdentifier":"\#(Self.ids[1])","altText":"a"}}"#)
        #expect(decide(scene, "approve") == 200)
        #expect(try scene.errorCode("PUT", Self.key, Self.choice) == 4_030_018)
    }

    @Test func `production takes an address after a performance test was passed`() throws {
        let scene = try ServerAPIScene(environment: .production)
        let url = #"{"realtimeURL":"https://example.com/retain"}"#
        #expect(try scene.errorCode("PUT", "\(Self.folder)/realtime/url", url) == 4_030_026)
        #expect(decide(scene, "pass-performance-test") == 200)
        try scene.succeed("PUT", "\(Self.folder)/realtime/url", url)
    }

    @Test func `an app has two thousand images and messages at most`() throws {
        let scene = try ServerAPIScene()
        func identifier(_ number: Int) -> String {
            "a1c7c1d4-5b6e-4c4f-8d2a-" + String(100_000_000_000 + number)
        }
        for number in 0..<2000 {
            #expect(try upload(scene, identifier(number)).status == 200)
            try scene.succeed(
                "PUT", "\(Self.folder)/message/\(identifier(number))", #"{"header":"h","body":"b"}"#)
        }
        #expect(try scene.errorCode(of: upload(scene, identifier(2000))) == 4_030_014)
        #expect(
            try scene.errorCode(
                "PUT", "\(Self.folder)/message/\(identifier(2000))", #"{"header":"h","body":"b"}"#)
                == 4_030_016)
    }

    @Test(arguments: ["xx-US", "en-XX", "qqq", "en-US-ZZZZZZZZZ"])
    func `a locale that does not exist is refused`(_ locale: String) throws {
        let path = "\(Self.folder)/default/com.example.garden.plus.monthly/\(locale)"
        #expect(try ServerAPIScene().errorCode("GET", path) == 4_000_164)
    }

    @Test(arguments: ["de", "en-GB", "zh-Hans", "pt-BR", "zh-Hant-TW"])
    func `a locale that exists is taken`(_ locale: String) throws {
        let path = "\(Self.folder)/default/com.example.garden.plus.monthly/\(locale)"
        #expect(try ServerAPIScene().errorCode("GET", path) == 4_040_020)
    }
}
