import Minting

/// Contents of receipts, about the app of `Payloads`.
enum Receipts {
    typealias App = ReceiptAttribute.App
    typealias InApp = ReceiptAttribute.InApp

    static let date = "2025-12-06T05:46:40Z"
    static let date2024 = "2024-06-10T06:13:20Z"
    static let date2022 = "2022-08-20T12:50:00Z"

    /// The 16 bytes of `Payloads.deviceIdentifier`.
    static let device: [UInt8] = [
        0x6F, 0x1C, 0x2B, 0x7E, 0x0D, 0x3A, 0x4E, 0x58, 0x9B, 0x64, 0x8A, 0x2F, 0x5C, 0x7D, 0x1E, 0x90,
    ]

    /// A subscription's transaction in the sandbox.
    static let sandbox = receipt { _ in }

    static let production = receipt {
        $0.environment = "Production"
        $0.identifier = Payloads.appAppleIdentifier
    }

    /// A receipt of 2025 with one in-app purchase.
    static func receipt(_ change: (inout ReceiptContent.App) -> Void) -> ReceiptContent {
        var app = ReceiptContent.App()
        change(&app)
        return ReceiptContent(app, purchases: [purchase { _ in }])
    }

    static func purchase(_ change: (inout ReceiptContent.Purchase) -> Void) -> ReceiptContent {
        var purchase = ReceiptContent.Purchase()
        change(&purchase)
        return ReceiptContent(purchase)
    }

    /// Renewals at intervals of a month.
    static func purchases(_ count: Int) -> [ReceiptContent] {
        (0..<count).map { number in
            purchase {
                let start = CertificateTime(2025, 2 + number % 10, 5, 5, 46, 30)
                $0.transactionIdentifier = String(2_000_000_900_000_001 + number)
                $0.webOrderLineItemIdentifier += number
                $0.purchaseDate = start.iso8601
                $0.expiresDate = CertificateTime(2025, 3 + number % 10, 5, 5, 46, 30).iso8601
            }
        }
    }

    /// Only the attributes that checks read, and no purchase.
    static let small = ReceiptContent([
        ReceiptAttribute(App.environment, ReceiptAttribute.text("ProductionSandbox")),
        ReceiptAttribute(App.bundleIdentifier, ReceiptAttribute.text(Payloads.bundleIdentifier)),
        ReceiptAttribute(App.opaqueValue, version: 2, Array("worthless opaque".utf8)),
        ReceiptAttribute(App.deviceHash, Array("worthless hash of 20".utf8)),
        ReceiptAttribute(App.creationDate, ReceiptAttribute.date(date)),
    ])

    /// The same in production, where a receipt names its app.
    static let smallProduction = small.setting(App.environment, text: "Production")
        .setting(App.appIdentifier, number: Payloads.appAppleIdentifier)
}
