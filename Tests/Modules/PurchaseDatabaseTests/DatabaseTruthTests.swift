#if SQLite
    import DatabaseFolders
    import Foundation
    import GRDB
    import Minting
    import PurchaseDatabase
    import RepositoryFiles
    import SignedPayloads
    import StoreKitFixtures
    import StoreKitVerify
    import Testing

    /// An answer from a file is right, or an error: never a purchase that was refunded.
    @Suite struct DatabaseTruthTests {
        private let folder: DatabaseFolder
        private static let token = "3f1f36cd-2a8b-4b83-a5a4-1d3c0ab2bb8c"
        private static let customer = Customer.appTransactionID("704")

        init() throws { folder = try DatabaseFolder() }

        /// Two signings of a purchase that the file keeps both, because the first names the customer and the refund does
        /// not; and another purchase.
        private func fill() async throws {
            let store = try folder.open()
            let names = ["appTransactionId": "\"704\"", "appAccountToken": "\"\(Self.token)\""]
            try await store.apply(transaction(1, "sword", signed: 1, names))
            try await store.apply(transaction(1, "sword", signed: 3, ["revocationDate": "\(Signed.day(2))"]))
            for id in 2...12 { try await store.apply(transaction(id, "shield", signed: 1, names)) }
            try store.close()
        }

        private func transaction(
            _ id: Int, _ product: String, signed: Int, _ others: [String: String] = [:]
        ) throws -> VerificationResult<Transaction> {
            try Signed.transaction(
                Signed.transactionPayload(
                    id: id, product: product, type: "Non-Consumable", signed: signed, others))
        }

        /// The products that the file says the customer owns, as a server and as the command ask for them; `nil` for an
        /// error.
        private func owned(
            _ customer: Customer = customer, isReadOnly: Bool = true
        ) async -> (server: Set<String>?, command: Set<String>?) {
            guard let store = try? folder.open(isReadOnly: isReadOnly) else { return (nil, nil) }
            defer { try? store.close() }
            let server = try? await store.history(of: customer)
            let command = try? store.widerHistoryNow(of: customer) { _, _ in }
            return (server.map(Self.products), command.map(Self.products))
        }

        private static func products(_ history: PurchaseHistory) -> Set<String> {
            Set(history.currentEntitlements(at: Signed.instant(10)).map(\.productID))
        }

        @Test func `a refund whose row is lost does not make its product owned`() async throws {
            try await fill()
            #expect(await owned().server == ["shield"])
            try folder.inspect { db in
                try db.execute(sql: "DELETE FROM payload WHERE json LIKE '%revocation%'")
            }
            for customer in [Self.customer, .originalTransactionID(1), .everyone] {
                let owned = await owned(customer)
                #expect(owned.server == nil)
                #expect(owned.command?.contains("sword") == false)
            }
        }

        @Test func `a purchase with a payload that was changed is left out whole, and said`() async throws {
            try await fill()
            try folder.inspect { db in
                try db.execute(
                    sql:
                        "UPDATE payload SET json = replace(json, 'revocation', 'revocatiom') WHERE subject = 1"
                )
            }
            let store = try folder.open(isReadOnly: true)
            var faults: [String] = []
            let history = try store.widerHistoryNow(of: Self.customer) { faults.append("\($0): \($1)") }
            #expect(Self.products(history) == ["shield"])
            #expect(faults.count == 1 && faults[0].hasPrefix("1: a payload of it is not verified: "))
            await #expect(throws: SQLiteStoreError.self) { _ = try await store.history(of: Self.customer) }
        }

        /// Flipped bits, cut files, zeroed and swapped pages, each in a fresh copy of the file.
        @Test func `no damage of the file brings a refunded product back`() async throws {
            try await fill()
            let whole = try Data(contentsOf: URL(filePath: folder.path))
            let truth: Set<String> = ["shield"]
            var random = SystemRandomNumberGenerator()
            var wrong: [String] = []
            for _ in 0..<TestScale.size(small: 50, usual: 1_000, large: 1_000) {
                var (changed, name) = (whole, "")
                let pages = whole.count / 4096
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    let length = Int.random(in: 0..<whole.count, using: &random)
                    (changed, name) = (whole.prefix(length), "cut at \(length)")
                case 1:
                    let page = Int.random(in: 0..<pages, using: &random) * 4096
                    changed.replaceSubrange(page..<page + 4096, with: Data(count: 4096))
                    name = "zeros at \(page)"
                case 2:
                    let one = Int.random(in: 0..<pages, using: &random) * 4096
                    let other = Int.random(in: 0..<pages, using: &random) * 4096
                    changed.replaceSubrange(one..<one + 4096, with: whole[other..<other + 4096])
                    changed.replaceSubrange(other..<other + 4096, with: whole[one..<one + 4096])
                    name = "pages at \(one) and \(other) swapped"
                default:
                    let place = Int.random(in: 0..<whole.count, using: &random)
                    let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
                    changed[place] ^= bit
                    name = "bit \(bit) at \(place)"
                }
                for suffix in ["-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: folder.path + suffix)
                }
                try changed.write(to: URL(filePath: folder.path))
                let owned = await owned()
                for answer in [owned.server, owned.command].compactMap(\.self)
                where !answer.isSubset(of: truth) {
                    wrong.append("\(name): \(answer)")
                }
            }
            #expect(wrong.isEmpty, "\(wrong)")
        }

        @Test(arguments: [
            "CREATE TRIGGER t AFTER INSERT ON payload BEGIN DELETE FROM payload WHERE id = new.id; END",
            "CREATE VIEW v AS SELECT * FROM payload", "CREATE INDEX i ON payload (json)",
            "CREATE TABLE t (x)", "DROP INDEX payloadOfSubject",
            "ALTER TABLE payload ADD COLUMN more INTEGER",
        ])
        func `a file with a schema that is not ours is not opened`(change: String) async throws {
            try await fill()
            try folder.inspect { db in try db.execute(sql: change) }
            for isReadOnly in [true, false] {
                let error = #expect(throws: SQLiteStoreError.self) {
                    _ = try folder.open(isReadOnly: isReadOnly)
                }
                #expect(error?.code == .notAStore)
            }
        }

        @Test(arguments: ["signed = 1e300", "nameKinds = 3", "app = 99", "signed = 1e300, nameKinds = 3"])
        func `a refund is kept, whatever the columns beside the JSON say`(change: String) async throws {
            let store = try folder.open()
            try await store.apply(transaction(1, "sword", signed: 1, ["appTransactionId": "\"704\""]))
            try folder.inspect { db in try db.execute(sql: "UPDATE payload SET \(change)") }
            try await store.apply(
                transaction(1, "sword", signed: 3, ["revocationDate": "\(Signed.day(2))"]))
            try store.close()
            #expect(await owned().server == [])
        }

        @Test func `a payload that was changed in the file keeps no refund out`() async throws {
            let store = try folder.open()
            try await store.apply(transaction(1, "sword", signed: 1, ["appTransactionId": "\"704\""]))
            try folder.inspect { db in
                try db.execute(
                    sql: "UPDATE payload SET json = replace(json, ?, ?)",
                    arguments: ["\(Signed.day(1) + 1000)", "\(Signed.day(9) + 1000)"])
            }
            let refund = try transaction(1, "sword", signed: 3, ["revocationDate": "\(Signed.day(2))"])
            await #expect(throws: SQLiteStoreError.self) { try await store.apply(refund) }
            try store.close()
            #expect(await owned().server == nil)
        }

        @Test func `a payload whose signature was damaged is mended when it comes again`() async throws {
            let store = try folder.open()
            let purchase = try transaction(1, "shield", signed: 1, ["appTransactionId": "\"704\""])
            try await store.apply(purchase)
            try folder.inspect { db in try db.execute(sql: "UPDATE payload SET signature = zeroblob(64)") }
            try await store.apply(purchase)
            #expect(try folder.count("payload") == 1)
            try store.close()
            #expect(await owned().server == ["shield"])
        }

        @Test(arguments: [true, false])
        func `of two payloads of one instant, the refund counts`(refundIsFirst: Bool) async throws {
            let store = try folder.open()
            let purchase = try transaction(1, "sword", signed: 1, ["zzz": "1"])
            let refund = try transaction(1, "sword", signed: 1, ["revocationDate": "\(Signed.day(2))"])
            var (history, memory) = (PurchaseHistory(), InMemoryTransactionStore())
            for payload in refundIsFirst ? [refund, purchase] : [purchase, refund] {
                try await store.apply(payload)
                try await memory.apply(payload)
                try history.add(payload)
            }
            let customer = Customer.originalTransactionID(1)
            #expect(Self.products(history).isEmpty)
            #expect(try await Self.products(memory.history(of: customer)).isEmpty)
            #expect(try await Self.products(store.history(of: customer)).isEmpty)
            memory = InMemoryTransactionStore()
        }

        /// A responder that never answers.
        private struct Outage: OCSPTransport {
            struct NoAnswer: Error {}

            func response(
                to request: [UInt8], from url: String, timeout: Duration, maximumBytes: Int
            ) async throws -> [UInt8] { throw NoAnswer() }
        }

        @Test func `an outage of the responder takes nothing from a customer, and lets nothing in`()
            async throws
        {
            try await fill()
            let checker = RevocationChecker(.hard, transport: Outage(), timeout: .milliseconds(50)) {
                Int64(Date().timeIntervalSince1970)
            }
            let anchor = TrustAnchor(der: try TestPKI.p256().root.der())
            let verifier = try SignedPayloadVerifier(anchors: [anchor], revocation: checker)
            let store = try SQLiteTransactionStore(path: folder.path, verifier: verifier)
            #expect(try await Self.products(store.history(of: Self.customer)) == ["shield"])
            #expect(try Self.products(store.widerHistoryNow(of: Self.customer) { _, _ in }) == ["shield"])
            let error = await #expect(throws: PayloadError.self) {
                try await store.apply(transaction(99, "shield", signed: 1))
            }
            #expect(error?.code == .revocationUnknown)
        }

        // MARK: - The file's name

        @Test func `nothing is acknowledged into a file that has lost its name`() async throws {
            let store = try folder.open()
            try await store.apply(transaction(1, "shield", signed: 1))
            try await store.checkReadiness()
            try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + ".old")
            for isReplaced in [false, true] {
                if isReplaced { try Data().write(to: URL(filePath: folder.path)) }
                let error = await #expect(throws: SQLiteStoreError.self) {
                    try await store.apply(transaction(2, "shield", signed: 1))
                }
                #expect(error?.code == .cannotOpen)
                await #expect(throws: SQLiteStoreError.self) { try await store.checkReadiness() }
                await #expect(throws: SQLiteStoreError.self) {
                    _ = try await store.history(of: .originalTransactionID(1))
                }
            }
        }

        @Test func `only its owner may read a file`() throws {
            try folder.open().close()
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }
#endif
