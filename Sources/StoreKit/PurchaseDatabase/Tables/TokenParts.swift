#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify
    internal import WireFormats

    /// A token in three parts. The header is kept as it is written, because a few headers serve all tokens of a signer.
    /// The others are decoded: every text of strict base64url has one form, so the token comes back byte for byte.
    struct TokenParts: Hashable, Sendable {
        /// The header, in base64url.
        let header: String
        /// The payload's JSON.
        let json: String
        /// The signature's bytes.
        let signature: Data

        /// The parts in a row of the file: header, JSON and signature, from a column on.
        init(_ row: Row, from column: Int) throws {
            header = try row.decode(String.self, atIndex: column)
            json = try row.decode(String.self, atIndex: column + 1)
            signature = try row.decode(Data.self, atIndex: column + 2)
        }

        /// The parts of a verified token.
        ///
        /// - Parameters:
        ///   - token: the compact JWS.
        ///   - json: the payload's JSON.
        /// - Throws: `SQLiteStoreError` if the token is not there: a value can be made without it.
        init(
            _ token: some BidirectionalCollection<UInt8>, json: some Collection<UInt8>
        ) throws(SQLiteStoreError) {
            // The lengths of the parts behind the header are known, which is faster than to look for the dots.
            let signatureCount = Base64.encodedCount(Self.signatureBytes, alphabet: .url)
            let encoded = Array(token.suffix(signatureCount))
            let headerCount =
                token.count - Base64.encodedCount(json.count, alphabet: .url) - signatureCount - 2
            guard headerCount > 0,
                let signature = try? Base64.decode(encoded.span, in: 0..<encoded.count, alphabet: .url)
            else { throw SQLiteStoreError(.noToken, "the value has no token") }
            header = String(decoding: token.prefix(headerCount), as: UTF8.self)
            self.json = String(decoding: json, as: UTF8.self)
            self.signature = Data(signature)
        }

        /// The length of every signature of a verified token (RFC 7518, section 3.4).
        private static let signatureBytes = 64

        /// The compact JWS.
        var token: String {
            let others = [Array(json.utf8), Array(signature)].map { Base64.text($0, alphabet: .url) }
            return ([header] + others).joined(separator: ".")
        }
    }
#endif
