import Minting
import ReceiptOracle
import TestMinting
import Testing

/// Receipts, and the changes that tests need.
struct ReceiptMinterTests {
    @Test("libcrypto verifies a receipt as CMS", arguments: [0, 1, 2])
    func cms(leaf: Int) throws {
        let pki = try ReceiptPKI.standard()
        let content = ReceiptContent(
            ReceiptContent.App(), purchases: [ReceiptContent(ReceiptContent.Purchase())])
        let template = try pki.minter(leaf: leaf).signedData(content.der)
        #expect(CMSOracle.content(of: template.der) == content.der)
        #expect(CMSOracle.content(of: template.der, root: try pki.root.der()) == content.der)
    }

    @Test("libcrypto verifies every way to write the lengths", arguments: [50, 1000, Int.max])
    func indefinite(pieceBytes: Int) throws {
        var minter = try ReceiptPKI.standard().minter()
        minter.form = .indefinite(pieceBytes: pieceBytes)
        let content = ReceiptContent(ReceiptContent.App())
        let der = try minter.signedData(content.der).der
        #expect(der.prefix(2) == [0x30, 0x80])
        #expect(CMSOracle.content(of: der) == content.der)
    }

    @Test("libcrypto verifies what is signed with attributes, and what Xcode's identity signs")
    func others() throws {
        let content = ReceiptContent.xcode()
        let attributes = try ReceiptPKI.standard().minter().signedDataWithAttributes(content.der)
        #expect(CMSOracle.content(of: attributes.der) == content.der)
        let xcode = try XcodeReceiptIdentity().minter().signedData(content.der)
        #expect(CMSOracle.content(of: xcode.der) == content.der)
    }

    @Test("libcrypto refuses a receipt whose signature or content was changed")
    func tampered() throws {
        let template = try ReceiptPKI.standard().minter().signedData(ReceiptContent.xcode().der)
        var other = template
        other.signers[0].signature[7] ^= 1
        #expect(CMSOracle.content(of: other.der) == nil)
        other = template
        other.content = ReceiptContent.xcode(creationDate: "2025-12-06T05:46:41Z").der
        #expect(CMSOracle.content(of: other.der) == nil)
    }

    @Test("libcrypto finds no way from a forger's chain to the root")
    func forged() throws {
        let root = try ReceiptPKI.standard().root.der()
        let forged = try ReceiptPKI.forged().minter().signedData(ReceiptContent.xcode().der)
        #expect(CMSOracle.content(of: forged.der) != nil)
        #expect(CMSOracle.content(of: forged.der, root: root) == nil)
        let own = try ReceiptPKI.standard().root.template.subject
        #expect(try ReceiptPKI.forged().root.template.subject == own)
    }

    @Test("minting twice gives the same receipt")
    func deterministic() throws {
        let minter = try ReceiptPKI.standard().minter()
        let content = ReceiptContent(ReceiptContent.App())
        #expect(try minter.receipt(content) == minter.receipt(content))
    }

    @Test("a block padded by hand gives the signature that libcrypto makes")
    func rawBlocks() throws {
        let key = try RSATestKey(.leaf2025)
        let message = Array("receipt".utf8)
        let info = DER.sequence(
            HashFunction.sha256.der, DER.octetString(try HashFunction.sha256.digest(message)))
        let block = [0, 1] + [UInt8](repeating: 0xFF, count: 253 - info.count) + [0] + info
        #expect(try key.signature(ofBlock: block) == key.signature(of: message, hash: .sha256))
    }

    @Test("every holder has a key of its own")
    func keys() throws {
        var seen: Set<[UInt8]> = []
        for holder in RSATestKey.Holder.all {
            let key = try RSATestKey(holder)
            #expect(seen.insert(key.publicKeyInfo).inserted)
            #expect(try key.keyIdentifier().count == 20)
        }
    }

    @Test("a spoilt part is spoilt where it stands")
    func flaws() throws {
        let template = try ReceiptPKI.standard().minter().signedData([0x31, 0x00])
        for part in SignedDataTemplate.Part.allCases {
            let whole = template.spoiling(part) { $0 }
            #expect(whole.der == template.der)
            let other = template.spoiling(part) { [0xFF] + $0.dropFirst() }
            #expect(other.der.count == template.der.count)
            #expect(zip(other.der, template.der).count { $0 != $1 } == 1, "\(part)")
        }
    }
}

/// Contents of receipts.
struct ReceiptContentTests {
    private typealias App = ReceiptAttribute.App

    @Test("an attribute is a SEQUENCE of type, version and value")
    func attribute() {
        let expected: [UInt8] = [0x30, 0x0C, 2, 2, 6, 0xA5, 2, 1, 1, 4, 3, 2, 1, 1]
        #expect(ReceiptAttribute(1701, ReceiptAttribute.number(1)).der == expected)
    }

    @Test("attributes are in DER's order, unless they are to stay")
    func order() {
        let attributes = [ReceiptAttribute(2, [1, 2, 3]), ReceiptAttribute(9, []), ReceiptAttribute(8, [])]
        var content = ReceiptContent(attributes)
        #expect(content.der == DER.set(attributes[2].der, attributes[1].der, attributes[0].der))
        content.isSorted = false
        #expect(content.der == DER.set(attributes[0].der, attributes[1].der, attributes[2].der))
    }

    @Test("attributes are set, removed and put behind")
    func changes() {
        let content = ReceiptContent(ReceiptContent.App())
        let other = content.setting(App.bundleIdentifier, text: "com.example.orchard")
        #expect(other.attributes.count == content.attributes.count)
        #expect(other.value(of: App.bundleIdentifier) == ReceiptAttribute.text("com.example.orchard"))
        #expect(content.removing(App.bundleIdentifier).value(of: App.bundleIdentifier).isEmpty)
        let twice = content.appending(ReceiptAttribute(App.bundleIdentifier, []))
        #expect(twice.attributes.count { $0.type == App.bundleIdentifier } == 2)
    }

    @Test("the device hash covers device, opaque value and the bundle identifier's whole value")
    func deviceHash() throws {
        let content = ReceiptContent([
            ReceiptAttribute(App.opaqueValue, [1, 2]),
            ReceiptAttribute(App.bundleIdentifier, [0x0C, 1, 0x61]),
        ])
        let hash = try HashFunction.sha1.digest([9, 9, 1, 2, 0x0C, 1, 0x61])
        #expect(try content.settingDeviceHash([9, 9]).value(of: App.deviceHash) == hash)
    }

    @Test("a receipt has the attributes of genuine ones of 2025")
    func types() {
        let app = ReceiptContent(ReceiptContent.App()).attributes.map(\.type)
        #expect(Set(app) == Set(0...16).union([18, 19, 20, 25]))
        let purchase = ReceiptContent(ReceiptContent.Purchase()).attributes.map(\.type)
        #expect(Set(purchase) == Set(1701...1719).union([1722]))
    }
}
